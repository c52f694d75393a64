// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* test_trap.c: breakpoints that ask for SIGTRAP, and its siginfo_t. */
#include <errno.h>
#include <signal.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include <peat/log.h>

#include "counters/trap.h"
#include "unit/suite.h"

/* ---- requests -------------------------------------------------------------------------------- */

static char logged[512];
static struct pmu_events events;

static void keep_message(enum peat_log_level level, const char *text)
{
	if (level == PEAT_LOG_ERROR)
		snprintf(logged, sizeof(logged), "%s", text);
}

static int prepare(const char *list, const struct peat_counters_opts *opts)
{
	logged[0] = '\0';
	peat_set_print(keep_message);
	pmu_events__free(&events);
	events = (struct pmu_events){ 0 };
	ck_assert_int_eq(pmu_events__parse(&events, list), 0);
	return trap__prepare(&events, opts);
}

static void expect_refused(const char *list, const struct peat_counters_opts *opts,
			   const char *message)
{
	ck_assert_int_eq(prepare(list, opts), -EINVAL);
	ck_assert_msg(strstr(logged, message), "no '%s' in '%s'", message, logged);
}

static struct peat_counters_opts signalling(uint64_t sig_data)
{
	return (struct peat_counters_opts){ .sz = sizeof(struct peat_counters_opts),
					    .remove_on_exec = true,
					    .sigtrap = true,
					    .sig_data = sig_data };
}

START_TEST(test_breakpoints_alone_signal)
{
	const struct peat_counters_opts opts = signalling(UINT64_MAX);

#if defined(__x86_64__)
	ck_assert_int_eq(prepare("mem:0x1000/4:w,page-faults,mem:0x2000/4:rw", &opts), 0);
#else
	ck_assert_int_eq(prepare("mem:0x1000/4:w,page-faults,mem:0x2000/4:rw", &opts), -EOPNOTSUPP);
	ck_assert_msg(strstr(logged, "sigtrap is for x86"), "%s", logged);
#endif
	for (uint32_t i = 0; i < 3; i++) {
		ck_assert_uint_eq(events.at[i].attr.sigtrap, i != 1);
		ck_assert_uint_eq(events.at[i].attr.sample_period, i != 1);
	}
	ck_assert_uint_eq(events.at[0].attr.sig_data, UINT64_MAX);
	ck_assert_uint_eq(events.at[2].attr.sig_data, 1);
}
END_TEST

START_TEST(test_no_signals_unless_requested)
{
	const struct peat_counters_opts opts = { .sz = sizeof(opts) };

	ck_assert_int_eq(prepare("mem:0x1000/4:w", &opts), 0);
	ck_assert_uint_eq(events.at[0].attr.sigtrap, 0);
	ck_assert_uint_eq(events.at[0].attr.sample_period, 0);
}
END_TEST

START_TEST(test_refused_signals)
{
	struct peat_counters_opts opts = signalling(1);

	expect_refused("page-faults", &opts, "sigtrap needs a breakpoint");
	opts.remove_on_exec = false;
	expect_refused("mem:0x1000/4:w", &opts, "sigtrap needs remove_on_exec");
	opts.sigtrap = false;
	expect_refused("mem:0x1000/4:w", &opts, "sig_data needs sigtrap");
}
END_TEST

START_TEST(test_signals_of_other_tasks)
{
	static const char message[] = "sigtrap is for tasks of this process";
	const uint32_t other = (uint32_t)getppid(), own = (uint32_t)getpid();
	const uint32_t ids[] = { own, other };
	struct peat_counters_opts opts = signalling(0);

	opts.all_tasks = true;
	expect_refused("mem:0x1000/4:w", &opts, message);
	opts.all_tasks = false;
	opts.cgroup = "/";
	expect_refused("mem:0x1000/4:w", &opts, message);
	opts.cgroup = NULL;
	opts.pids = opts.tids = ids;
	opts.pid_count = 2;
	expect_refused("mem:0x1000/4:w", &opts, message);
	opts.pid_count = 0;
	opts.tid_count = 2;
	expect_refused("mem:0x1000/4:w", &opts, message);
#if defined(__x86_64__)
	opts.pid_count = opts.tid_count = 1;
	ck_assert_int_eq(prepare("mem:0x1000/4:w", &opts), 0);
#endif
}
END_TEST

/* ---- signals --------------------------------------------------------------------------------- */

#define DATA 0x123456789abcdef0

/* A signal as the kernel fills it in: si_perf_data and si_perf_type follow si_addr. */
static siginfo_t made_signal(int number, int code, uint32_t type)
{
	siginfo_t info = { .si_signo = number, .si_code = code };
	char *end = (char *)&info + offsetof(siginfo_t, si_addr) + sizeof(void *);
	const unsigned long data = (unsigned long)DATA;

	memcpy(end, &data, sizeof(data));
	memcpy(end + sizeof(data), &type, sizeof(type));
	return info;
}

static int read_signal(int number, int code, uint32_t type, uint64_t *data)
{
	const siginfo_t info = made_signal(number, code, type);

	*data = 0;
	return peat_counters__trap_data(&info, data);
}

START_TEST(test_data_of_signal)
{
	uint64_t data;

	ck_assert_int_eq(read_signal(SIGTRAP, 6, PERF_TYPE_BREAKPOINT, &data), 0);
	ck_assert_uint_eq(data, (unsigned long)DATA);
	ck_assert_int_eq(read_signal(SIGTRAP, 6, PERF_TYPE_SOFTWARE, &data), -ENOENT);
	ck_assert_int_eq(read_signal(SIGTRAP, TRAP_BRKPT, PERF_TYPE_BREAKPOINT, &data), -ENOENT);
	ck_assert_int_eq(read_signal(SIGTRAP, SI_USER, PERF_TYPE_BREAKPOINT, &data), -ENOENT);
	ck_assert_int_eq(read_signal(SIGSEGV, 6, PERF_TYPE_BREAKPOINT, &data), -ENOENT);
	ck_assert_uint_eq(data, 0);
}
END_TEST

static void teardown(void)
{
	pmu_events__free(&events);
	events = (struct pmu_events){ 0 };
}

SUITE(10)
{
	tcase_add_checked_fixture(tests, NULL, teardown);
	tcase_add_test(tests, test_breakpoints_alone_signal);
	tcase_add_test(tests, test_no_signals_unless_requested);
	tcase_add_test(tests, test_refused_signals);
	tcase_add_test(tests, test_signals_of_other_tasks);
	tcase_add_test(tests, test_data_of_signal);
}

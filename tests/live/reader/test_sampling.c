// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * test_sampling.c: events that the kernel samples: of processes, threads, cgroups and all tasks;
 * exact counts, losses, filters, errors, and a CPU that returns.
 */
#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <peat/peat.h>

#include "support/machine/breakpoints.h"
#include "support/machine/cpu_switch.h"
#include "support/machine/harness.h"
#include "support/machine/mounts.h"
#include "support/machine/process.h"
#include "sys/cpus.h"
#include "sys/tracefs.h"

#define WRITES 1000

static struct peat_reader *reader;
static unsigned fds;
static char errors[1000];

static void note_errors(enum peat_log_level level, const char *text)
{
	size_t used = strlen(errors);

	if (level <= PEAT_LOG_WARN)
		snprintf(errors + used, sizeof(errors) - used, "%s\n", text);
}

static void setup(void)
{
	fds = process__count_fds();
	errors[0] = '\0';
	peat_set_print(note_errors);
}

/* ---- reading --------------------------------------------------------------------------------- */

static uint64_t came, lost;
static uint32_t wanted_pid; /* 0: any */

typedef void (*check_fn)(const struct peat_event *event);

static void drain(check_fn check)
{
	const struct peat_event *event;

	while (peat_reader__next(reader, &event) > 0) {
		if (event->kind == PEAT_EVENT_LOST)
			lost += event->lost;
		if (event->kind != PEAT_EVENT_DATA || (wanted_pid && event->pid != wanted_pid))
			continue;
		if (check)
			check(event);
		came++;
	}
}

/* Reads until all tasks have ended, or no more data comes. */
static void read_all(check_fn check, bool ends)
{
	int ready = 0;

	came = lost = 0;
	if (!ends)
		peat_reader__pause(reader);
	for (int i = 0; ends && ready != -ENODATA && i < 10000; i++) {
		drain(check);
		ready = peat_reader__wait(reader, 100);
	}
	if (ends)
		ck_assert_int_eq(ready, -ENODATA);
	peat_reader__flush(reader);
	for (int i = 0; i < 3; i++)
		drain(check);
}

static void close_all(void)
{
	struct peat_reader_stats stats = { .sz = sizeof(stats) };

	ck_assert_int_eq(peat_reader__stats(reader, &stats), 0);
	ck_assert_uint_eq(stats.lost, lost);
	ck_assert_uint_eq(stats.corrupt, 0);
	ck_assert_uint_eq(stats.unknown, 0);
	peat_reader__free(reader);
	reader = NULL;
	ck_assert_uint_eq(process__count_fds(), fds);
}

static void open_events(const char *events, const struct peat_sampling_opts *opts,
			const struct peat_reader_opts *reader_opts)
{
	reader = peat_reader__new_events(events, opts, reader_opts);
	ck_assert_msg(reader, "%s: %s", events, errors);
}

static struct peat_sampling_opts of_pid(const uint32_t *pid)
{
	struct peat_sampling_opts opts = PEAT_SAMPLING_OPTS_INIT;

	opts.pids = pid;
	opts.pid_count = 1;
	return opts;
}

/* ---- a child --------------------------------------------------------------------------------- */

static volatile uint64_t watched;
static int gate[2];

/* Waits until the parent has opened its reader. */
static void wait_for_parent(void)
{
	char byte;

	close(gate[1]);
	if (read(gate[0], &byte, 1) != 0)
		_exit(9);
}

static pid_t start(int (*function)(void *), void *arg)
{
	pid_t pid;

	ck_assert_int_eq(pipe(gate), 0);
	pid = process__start(function, arg);
	close(gate[0]);
	return pid;
}

static void go(void)
{
	close(gate[1]);
}

static int write_variable(void *arg)
{
	wait_for_parent();
	for (uint64_t i = 0; i < WRITES; i++)
		watched = i;
	return arg != NULL;
}

/* ---- breakpoints ----------------------------------------------------------------------------- */

static uint64_t period;

static void check_write(const struct peat_event *event)
{
	const struct peat_sample *sample = &event->record->sample;

	ck_assert_uint_eq(sample->addr, (uintptr_t)&watched);
	ck_assert_uint_ge(sample->ip, (uintptr_t)write_variable);
	ck_assert_uint_lt(sample->ip, (uintptr_t)write_variable + 4096);
	ck_assert_uint_eq(sample->period, period);
	ck_assert_uint_ne(event->record->has & PEAT_SAMPLE_PERIOD, 0);
	ck_assert_uint_eq(event->size, 0);
	ck_assert_uint_eq(event->type, 0);
	ck_assert_ptr_nonnull(event->schema);
	ck_assert_uint_gt(event->time_ns, 0);
}

/* A sample each `period` writes. */
static void watch_writes(const struct peat_reader_opts *reader_opts)
{
	struct peat_sampling_opts opts;
	uint32_t pid;
	char events[64];

	pid = wanted_pid = (uint32_t)start(write_variable, NULL);
	opts = of_pid(&pid);
	opts.period = period;
	snprintf(events, sizeof(events), "mem:%p:w", (const void *)&watched);
	open_events(events, &opts, reader_opts);
	go();
	read_all(check_write, true);
	process__wait((pid_t)pid);
	ck_assert_uint_eq(came, WRITES / period);
	ck_assert_uint_eq(lost, 0);
	close_all();
}

START_TEST(test_each_write)
{
	struct peat_reader_opts ordered = PEAT_READER_OPTS_INIT;

	need_breakpoints();
	period = 1;
	ordered.ordered = ordered.names = true;
	watch_writes(NULL);
	watch_writes(&ordered);
}
END_TEST

START_TEST(test_each_third_write)
{
	need_breakpoints();
	period = 3;
	watch_writes(NULL);
}
END_TEST

/* ---- page faults ----------------------------------------------------------------------------- */

#define PAGES 300

static char *pages;
static uint64_t page_bytes, faults;

/* Without faults of AddressSanitizer's own memory. */
__attribute__((no_sanitize("address"))) static int touch_pages(void *arg)
{
	wait_for_parent();
	for (uint64_t i = 0; i < PAGES; i++)
		((volatile char *)pages)[i * page_bytes] = 1;
	return arg != NULL;
}

static void check_fault(const struct peat_event *event)
{
	const struct peat_sample *sample = &event->record->sample;

	ck_assert_uint_eq(sample->period, 3);
	faults += sample->addr - (uintptr_t)pages < PAGES * page_bytes;
}

/* The third of the faults may be one of other pages. */
START_TEST(test_each_third_fault)
{
	struct peat_sampling_opts opts;
	uint32_t pid;

	page_bytes = (uint64_t)sysconf(_SC_PAGESIZE);
	pages = mmap(NULL, PAGES * page_bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS,
		     -1, 0);
	ck_assert_ptr_ne(pages, MAP_FAILED);
	ck_assert_int_eq(madvise(pages, PAGES * page_bytes, MADV_NOHUGEPAGE), 0);
	pid = wanted_pid = (uint32_t)start(touch_pages, NULL);
	opts = of_pid(&pid);
	opts.period = 3;
	open_events("page-faults:u", &opts, NULL);
	go();
	read_all(check_fault, true);
	process__wait((pid_t)pid);
	ck_assert_uint_ge(faults, PAGES / 3 - 1);
	ck_assert_uint_le(faults, PAGES / 3 + 1);
	close_all();
	munmap(pages, PAGES * page_bytes);
}
END_TEST

/* ---- tracepoints ----------------------------------------------------------------------------- */

#define CALLS 100

/* Calls with the arguments 0 to CALLS - 1. */
static void call_all(void)
{
	for (int i = 0; i < CALLS; i++)
		syscall(SYS_getpgid, i);
}

static int call_and_end(void *arg)
{
	call_all();
	return arg != NULL;
}

/* With an argument, a child does the same. */
static int call(void *arg)
{
	wait_for_parent();
	call_all();
	if (arg && process__wait(process__start(call_and_end, NULL)))
		return 1;
	return 0;
}

static bool has_syscalls(void)
{
	return tracefs__has("events/syscalls/sys_enter_getpgid/id");
}

#define need_syscalls()                                                                            \
	do {                                                                                       \
		if (!has_syscalls())                                                               \
			skip("this kernel has no tracepoints of system calls");                    \
	} while (0)

static uint64_t expected_arg;

static void check_call(const struct peat_event *event)
{
	const struct peat_field *field = peat_schema__find(event->schema, "pid_", NULL);
	uint64_t number;

	ck_assert_str_eq(peat_schema__name(event->schema), "syscalls:sys_enter_getpgid");
	ck_assert_ptr_nonnull(field);
	ck_assert(peat_field__number(field, event->data, event->size, &number));
	ck_assert_uint_eq(number, expected_arg++ % CALLS);
	ck_assert_str_eq(event->comm, "test_sampling");
}

static uint32_t sample_calls(const char *events, check_fn check, void *arg, bool no_inherit)
{
	struct peat_reader_opts reader_opts = PEAT_READER_OPTS_INIT;
	uint32_t pid = (uint32_t)start(call, arg);
	struct peat_sampling_opts opts = of_pid(&pid);

	expected_arg = 0;
	wanted_pid = 0;
	reader_opts.ordered = reader_opts.names = true;
	opts.no_inherit = no_inherit;
	open_events(events, &opts, &reader_opts);
	go();
	read_all(check, true);
	process__wait((pid_t)pid);
	return pid;
}

START_TEST(test_samples_tracepoint)
{
	uint64_t lost_samples;

	need_syscalls();
	sample_calls("syscalls:sys_enter_getpgid", check_call, NULL, false);
	ck_assert_uint_eq(came, CALLS);
	ck_assert_int_eq(peat_reader__map_lost(reader, 0, &lost_samples), 0);
	ck_assert_uint_eq(lost_samples, 0);
	ck_assert_int_eq(peat_reader__map_lost(reader, 1, &lost_samples), -EINVAL);
	close_all();
}
END_TEST

START_TEST(test_samples_by_filter)
{
	need_syscalls();
	sample_calls("syscalls:sys_enter_getpgid/pid>=90/", NULL, NULL, false);
	ck_assert_uint_eq(came, 10);
	close_all();
	sample_calls("syscalls:sys_enter_getpgid/pid==7/,syscalls:sys_exit_getpgid", NULL, NULL,
		     false);
	ck_assert_uint_eq(came, 1 + CALLS);
	close_all();
}
END_TEST

/* Children are sampled, too, by events with the ids of their parent's. */
START_TEST(test_samples_children)
{
	need_syscalls();
	sample_calls("syscalls:sys_enter_getpgid/pid<50/,page-faults", NULL, &fds, true);
	ck_assert_uint_lt(came, 2 * CALLS);
	close_all();
	sample_calls("syscalls:sys_enter_getpgid", check_call, &fds, false);
	ck_assert_uint_eq(came, 2 * CALLS);
	close_all();
	sample_calls("syscalls:sys_enter_getpgid", check_call, &fds, true);
	ck_assert_uint_eq(came, CALLS);
	close_all();
}
END_TEST

/* ---- threads --------------------------------------------------------------------------------- */

static pthread_barrier_t barrier;
static uint32_t tids[2];

static void *call_in_thread(void *arg)
{
	tids[(uintptr_t)arg] = (uint32_t)syscall(SYS_gettid);
	pthread_barrier_wait(&barrier);
	pthread_barrier_wait(&barrier);
	call_all();
	return NULL;
}

static void check_thread(const struct peat_event *event)
{
	ck_assert(event->tid == tids[0] || event->tid == tids[1]);
}

START_TEST(test_samples_chosen_threads)
{
	struct peat_sampling_opts opts = PEAT_SAMPLING_OPTS_INIT;
	pthread_t threads[2];

	need_syscalls();
	ck_assert_int_eq(pthread_barrier_init(&barrier, NULL, 3), 0);
	for (uintptr_t i = 0; i < 2; i++)
		ck_assert_int_eq(pthread_create(&threads[i], NULL, call_in_thread, (void *)i), 0);
	pthread_barrier_wait(&barrier);
	opts.tids = tids;
	opts.tid_count = 2;
	wanted_pid = 0;
	open_events("syscalls:sys_enter_getpgid,cpu-clock", &opts, NULL);
	pthread_barrier_wait(&barrier);
	call_all(); /* this thread is not sampled */
	for (int i = 0; i < 2; i++)
		pthread_join(threads[i], NULL);
	read_all(check_thread, true);
	ck_assert_uint_ge(came, 2 * CALLS);
	close_all();
}
END_TEST

/* ---- all tasks ------------------------------------------------------------------------------- */

START_TEST(test_samples_cgroup)
{
	struct peat_sampling_opts opts = PEAT_SAMPLING_OPTS_INIT;
	char path[300];
	pid_t child;

	need_syscalls();
	snprintf(path, sizeof(path), "%s/peat-test-%d", mounts__cgroup2(), (int)getpid());
	ck_assert_int_eq(mkdir(path, 0755), 0);
	opts.cgroup = path;
	wanted_pid = 0;
	fds = process__count_fds();
	open_events("syscalls:sys_enter_getpgid", &opts, NULL);
	call_all();
	child = fork();
	if (!child) {
		mounts__enter_cgroup(path);
		call_all();
		_exit(0);
	}
	process__wait(child);
	read_all(NULL, false);
	close_all();
	ck_assert_int_eq(rmdir(path), 0);
	ck_assert_uint_eq(came, CALLS);
}
END_TEST

/* Samples that find no room in the ring are counted: came + lost is what happened. */
START_TEST(test_lost_samples_are_counted)
{
	struct peat_reader_opts reader_opts = PEAT_READER_OPTS_INIT;
	struct peat_sampling_opts opts = PEAT_SAMPLING_OPTS_INIT;
	const uint32_t tid = (uint32_t)getpid();
	struct peat_reader_stats stats = { .sz = sizeof(stats) };

	need_syscalls();
	opts.tids = &tid;
	opts.tid_count = 1;
	reader_opts.memory_bytes = 4096;
	wanted_pid = 0;
	open_events("syscalls:sys_enter_getpgid,syscalls:sys_exit_getpgid", &opts, &reader_opts);
	for (int i = 0; i < 50; i++)
		call_all();
	read_all(NULL, false);
	ck_assert_int_eq(peat_reader__stats(reader, &stats), 0);
	if (stats.lost_is_exact) {
		ck_assert_uint_gt(lost, 0);
		ck_assert_uint_eq(came + lost, 2 * 50 * CALLS);
		close_all();
	}
	peat_reader__free(reader); /* NULL after close_all() */
	if (!stats.lost_is_exact)
		skip("this kernel does not count lost samples");
}
END_TEST

START_TEST(test_cpu_returns)
{
	struct cpus online;
	uint32_t cpu;
	int err;

	need_syscalls();
	ck_assert_int_eq(cpus__read(&online, "online"), 0);
	cpu = online.limit - 1;
	cpus__free(&online);
	if (!cpu)
		skip("one CPU only");
	wanted_pid = (uint32_t)getpid();
	open_events("syscalls:sys_enter_getpgid/pid<50/", NULL, NULL);
	came = 0;
	ck_assert_int_eq(process__pin_to(cpu), 0);
	call_all();
	ck_assert_int_eq(process__pin_to(0), 0);
	err = cpu_switch__set(cpu, "0");
	if (err)
		skip("CPU %u cannot be switched off: %s", cpu, strerror(-err));
	ck_assert_int_eq(cpu_switch__set(cpu, "1"), 0);
	drain(NULL);
	ck_assert_uint_eq(came, 50);
	for (int i = 0; i < 200 && peat_reader__wait(reader, 10) >= 0; i++)
		drain(NULL);
	ck_assert_int_eq(process__pin_to(cpu), 0);
	call_all();
	ck_assert_int_eq(process__pin_to(0), 0);
	read_all(NULL, false);
	ck_assert_uint_eq(came, 50);
	peat_reader__free(reader);
}
END_TEST

/* ---- errors ---------------------------------------------------------------------------------- */

static void check_refused(const char *events, const struct peat_sampling_opts *opts, int error,
			  const char *words)
{
	errors[0] = '\0';
	errno = 0;
	ck_assert_ptr_null(peat_reader__new_events(events, opts, NULL));
	ck_assert_msg(errno == error, "%s: %s: %s", events, strerror(errno), errors);
	ck_assert_msg(strstr(errors, words), "%s: '%s' is not in: %s", events, words, errors);
	ck_assert_uint_eq(process__count_fds(), fds);
}

START_TEST(test_refusals_name_reason)
{
	struct peat_sampling_opts opts = PEAT_SAMPLING_OPTS_INIT;
	uint32_t none = 0x3fffffff;

	check_refused("no-such-event", NULL, ENOENT, "no-such-event");
	check_refused("sched:no_such_tracepoint", NULL, ENOENT, "no_such_tracepoint");
	check_refused("sched:sched_switch/no_field==1/", NULL, EINVAL, "refuses the filter");
	check_refused("{cpu-clock,page-faults}:S", NULL, EINVAL, "leave S out");
	check_refused("", NULL, EINVAL, "event");
	opts.period = opts.frequency = 1;
	check_refused("page-faults", &opts, EINVAL, "exclude each other");
	opts.period = 0;
	opts.frequency = UINT32_MAX - 1;
	check_refused("page-faults", &opts, EINVAL, "perf_event_max_sample_rate");
	opts.frequency = UINT32_MAX;
	opts.on_exec = true;
	check_refused("page-faults", &opts, EINVAL, "on_exec needs pids");
	opts.on_exec = false;
	opts.pids = &none;
	opts.pid_count = 1;
	check_refused("page-faults", &opts, ESRCH, "no process");
	opts.cgroup = "/no/such";
	check_refused("page-faults", &opts, EINVAL, "cannot be combined");
	opts.pid_count = 0;
	opts.tids = &none;
	opts.tid_count = 1;
	opts.cgroup = NULL;
	check_refused("page-faults", &opts, ESRCH, "no thread");
	opts.tid_count = 0;
	opts.cgroup = "/no/such";
	check_refused("page-faults", &opts, ENOENT, "/no/such");
}
END_TEST

START_TEST(test_session_samples_alone)
{
	struct peat_session_opts opts = { .sz = sizeof(opts) };
	struct peat_session *session = peat_session__new(&opts);

	ck_assert_ptr_nonnull(session);
	ck_assert_int_eq(peat_session__add_events(session, "page-faults:u", NULL), 0);
	ck_assert_int_eq(peat_session__add_events(session, "page-faults", NULL), -EBUSY);
	ck_assert_int_eq(peat_session__add_map(session, 0), -EINVAL);
	ck_assert_ptr_nonnull(strstr(errors, "together with BPF objects or maps"));
	ck_assert_int_eq(peat_session__start(session, NULL), 0);
	ck_assert_str_eq(peat_schema__name(peat_session__type(session, 0)), "page-faults:u");
	ck_assert_ptr_null(peat_session__type(session, 1));
	ck_assert_int_eq(peat_session__add_events(session, "page-faults", NULL), -EBUSY);
	peat_session__stop(session);
	peat_session__free(session);
	ck_assert_uint_eq(process__count_fds(), fds);
}
END_TEST

static Suite *sampling_suite(void)
{
	TCase *tests;
	Suite *suite = harness__suite("sampling", 60, &tests);

	tcase_add_checked_fixture(tests, setup, NULL);
	tcase_add_test(tests, test_each_write);
	tcase_add_test(tests, test_each_third_write);
	tcase_add_test(tests, test_each_third_fault);
	tcase_add_test(tests, test_samples_tracepoint);
	tcase_add_test(tests, test_samples_by_filter);
	tcase_add_test(tests, test_samples_children);
	tcase_add_test(tests, test_samples_chosen_threads);
	tcase_add_test(tests, test_samples_cgroup);
	tcase_add_test(tests, test_lost_samples_are_counted);
	tcase_add_test(tests, test_cpu_returns);
	tcase_add_test(tests, test_refusals_name_reason);
	tcase_add_test(tests, test_session_samples_alone);
	return suite;
}

int main(int argc, char **argv)
{
	static const suite_fn suites[] = { sampling_suite };

	return harness__main(argc, argv, suites, 1);
}

// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* test_resolve.c: the probe resolve: lookups of host names. */
#include <netdb.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>
#include <sys/socket.h>

#include "support/machine/harness.h"
#include "support/machine/multi_links.h"
#include "support/machine/netns.h"
#include "support/machine/paranoid.h"
#include "support/machine/tracing.h"

#define CAP_BPF_AND_PERFMON (1ull << 39 | 1ull << 38)

#define NUMERIC "127.0.0.1"
#define UNKNOWN "no-such-host.invalid"

static const char *own_pid(void)
{
	static char pid[16];

	snprintf(pid, sizeof(pid), "%d", (int)getpid());
	return pid;
}

static int look_up(const char *host, int flags)
{
	struct addrinfo hints = { .ai_flags = flags, .ai_socktype = SOCK_STREAM }, *found = NULL;
	int result = getaddrinfo(host, NULL, &hints, &found);

	if (!result)
		freeaddrinfo(found);
	return result;
}

/* The next event of this process: `host` and `result`. */
static void expect_event(const struct tracing *tracing, size_t *from, const char *host,
			 const char *result, const char *call)
{
	const char *event = tracing__next(tracing, "resolve", getpid(), from);

	ck_assert_msg(event, "no event of %s: %s", host, tracing->peat.out_text);
	expect_text(event, "host", host);
	expect_text(event, "result", result);
	expect_text(event, "call", call);
	expect_number(event, "tid", getpid());
	ck_assert_int_gt(json_lines__number(event, "latency"), 0);
}

START_TEST(test_getaddrinfo_is_traced)
{
	struct tracing tracing;
	size_t from = 0;

	tracing__start(&tracing, TRACE("resolve", "-p", own_pid()));
	ck_assert_int_eq(look_up(NUMERIC, 0), 0);
	ck_assert_int_eq(look_up(UNKNOWN, AI_NUMERICHOST), EAI_NONAME);
	ck_assert_int_eq(look_up(UNKNOWN, -1), EAI_BADFLAGS);
	tracing__stop(&tracing);
	expect_event(&tracing, &from, NUMERIC, "FOUND", "getaddrinfo");
	expect_event(&tracing, &from, UNKNOWN, "EAI_NONAME", "getaddrinfo");
	expect_event(&tracing, &from, UNKNOWN, "EAI_BADFLAGS", "getaddrinfo");
	ck_assert_uint_eq(tracing.events.count, 3);
	tracing__free(&tracing);
}
END_TEST

static const char *name_of(int error)
{
	switch (error) {
	case HOST_NOT_FOUND:
		return "EAI_NONAME";
	case TRY_AGAIN:
		return "EAI_AGAIN";
	case NO_RECOVERY:
		return "EAI_FAIL";
	case NO_DATA:
		return "EAI_NODATA";
	default:
		return "EAI_SYSTEM";
	}
}

/* Without a network, the resolver of any machine fails at once. */
START_TEST(test_gethostbyname_is_traced)
{
	struct hostent entry, *found = NULL;
	struct tracing tracing;
	char buffer[4096], tiny[1];
	int error = 0, other = 0;
	size_t from = 0;

	netns__enter();
	tracing__start(&tracing, TRACE("resolve", "-p", own_pid()));
	ck_assert_int_eq(gethostbyname_r(NUMERIC, &entry, buffer, sizeof(buffer), &found, &error),
			 0);
	ck_assert_ptr_nonnull(found);
	gethostbyname_r(UNKNOWN, &entry, buffer, sizeof(buffer), &found, &error);
	ck_assert_ptr_null(found);
	gethostbyname2_r(UNKNOWN, AF_INET, &entry, buffer, sizeof(buffer), &found, &other);
	ck_assert_ptr_null(found);
	gethostbyname_r(NUMERIC, &entry, tiny, sizeof(tiny), &found, &error); /* ERANGE */
	tracing__stop(&tracing);
	expect_event(&tracing, &from, NUMERIC, "FOUND", "gethostbyname");
	expect_event(&tracing, &from, UNKNOWN, name_of(other), "gethostbyname");
	expect_event(&tracing, &from, UNKNOWN, name_of(other), "gethostbyname");
	ck_assert_uint_eq(tracing.events.count, 3);
	tracing__free(&tracing);
}
END_TEST

START_TEST(test_only_failures)
{
	struct tracing tracing;
	size_t from = 0;

	tracing__start(&tracing, TRACE("resolve,failed", "-p", own_pid()));
	ck_assert_int_eq(look_up(NUMERIC, 0), 0);
	ck_assert_int_eq(look_up(UNKNOWN, AI_NUMERICHOST), EAI_NONAME);
	tracing__stop(&tracing);
	expect_event(&tracing, &from, UNKNOWN, "EAI_NONAME", "getaddrinfo");
	ck_assert_uint_eq(tracing.events.count, 1);
	tracing__free(&tracing);
}
END_TEST

START_TEST(test_fast_lookups_are_left_out)
{
	struct tracing tracing;

	tracing__start(&tracing, TRACE("resolve,min=1h", "-p", own_pid()));
	ck_assert_int_eq(look_up(NUMERIC, 0), 0);
	tracing__stop(&tracing);
	ck_assert_uint_eq(tracing.events.count, 0);
	tracing__free(&tracing);
}
END_TEST

static int look_up_in_child(void *unused)
{
	(void)unused;
	return look_up(NUMERIC, 0);
}

/* Without -p, the C library of this machine is the one that any process uses. */
START_TEST(test_all_processes)
{
	struct tracing tracing;
	const char *event;
	pid_t child;

	tracing__start(&tracing, TRACE("resolve", "--where", "host == '" NUMERIC "'"));
	child = process__do(look_up_in_child, NULL);
	tracing__stop(&tracing);
	event = tracing__only(&tracing, "resolve", child);
	expect_text(event, "result", "FOUND");
	tracing__free(&tracing);
}
END_TEST

START_TEST(test_other_process_is_left_out)
{
	struct tracing tracing;

	tracing__start(&tracing, TRACE("resolve", "-p", own_pid()));
	process__do(look_up_in_child, NULL);
	tracing__stop(&tracing);
	ck_assert_uint_eq(tracing.events.count, 0);
	tracing__free(&tracing);
}
END_TEST

/* CAP_BPF and CAP_PERFMON are enough where the kernel attaches uprobes without perf events. */
START_TEST(test_two_capabilities)
{
	struct tracing tracing = { 0 };
	size_t from = 0;

	if (!perfmon_is_enough())
		skip("kernel.perf_event_paranoid is above 2: CAP_PERFMON opens no perf event");
	if (!multi_links__are_possible())
		skip("this kernel has no links of uprobe_multi with a process (Linux 6.10)");
	command__start(&tracing.peat, CAP_BPF_AND_PERFMON, TRACE("resolve", "--memory", "8K"));
	command__expect(tracing.peat.err, "attached");
	ck_assert_int_eq(look_up(NUMERIC, 0), 0);
	tracing__stop(&tracing);
	expect_event(&tracing, &from, NUMERIC, "FOUND", "getaddrinfo");
	tracing__free(&tracing);
}
END_TEST

/* Runs peat, which fails with this message. */
static void expect_refusal(const char *message, const char *const *argv)
{
	struct command peat;

	command__run(&peat, ALL_CAPS, argv);
	ck_assert_int_eq(peat.status, 1);
	ck_assert_msg(strstr(peat.err_text, message), "%s", peat.err_text);
	command__free(&peat);
}

START_TEST(test_missing_library)
{
	expect_refusal("name a file by the option library", TRACE("resolve,library=libnone.so"));
	expect_refusal("/no/such/file has no function", TRACE("resolve,library=/no/such/file"));
	expect_refusal("there is no process 4194305", TRACE("resolve", "-p", "4194305"));
}
END_TEST

static Suite *resolve_suite(void)
{
	TCase *tests;
	Suite *suite = harness__suite("resolve", 60, &tests);

	tcase_add_test(tests, test_getaddrinfo_is_traced);
	tcase_add_test(tests, test_gethostbyname_is_traced);
	tcase_add_test(tests, test_only_failures);
	tcase_add_test(tests, test_fast_lookups_are_left_out);
	tcase_add_test(tests, test_all_processes);
	tcase_add_test(tests, test_other_process_is_left_out);
	tcase_add_test(tests, test_two_capabilities);
	tcase_add_test(tests, test_missing_library);
	return suite;
}

int main(int argc, char **argv)
{
	static const suite_fn suites[] = { resolve_suite };

	return harness__main(argc, argv, suites, 1);
}

// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* test_capabilities.c: probes of a user that has CAP_BPF and CAP_PERFMON alone. */
#include <stdio.h>
#include <string.h>

#include "support/machine/command.h"
#include "support/machine/harness.h"
#include "support/machine/process.h"

#define USER	     61234 /* has no files */
#define PROBING_CAPS (CAP(BPF) | CAP(PERFMON))

/* Messages about needs of a probe beside the two capabilities. */
static const char *const needs[] = {
	"CAP_NET_ADMIN is missing",	     "CAP_DAC_READ_SEARCH is missing",
	"CAP_SYS_ADMIN is missing",	     "tracefs is not mounted",
	"perf_event_paranoid is above 2",    "none of its functions is in a library",
	"this kernel has no such tracepoint"
};

static bool names_need(const char *text)
{
	for (size_t i = 0; i < sizeof(needs) / sizeof(*needs); i++)
		if (strstr(text, needs[i]))
			return true;
	return false;
}

static void check_probe(const char *probe)
{
	struct command peat;

	command__run_as(&peat, USER, PROBING_CAPS,
			ARGV(command__peat(), "trace", probe, "--", "true"));
	ck_assert_msg(!peat.status || names_need(peat.err_text), "%s: %s", probe, peat.err_text);
	ck_assert_msg(!strstr(peat.err_text, "no capability is missing"), "%s: %s", probe,
		      peat.err_text);
	command__free(&peat);
}

/* Subjects are in capitals. */
START_TEST(test_each_probe_works_or_names_its_need)
{
	struct command list;
	unsigned count = 0;
	char name[32];

	command__run(&list, ALL_CAPS, ARGV(command__peat(), "list"));
	for (char *line = strtok(list.out_text, "\n"); line; line = strtok(NULL, "\n")) {
		if (!strncmp(line, "RECORDS", 7))
			break;
		if (sscanf(line, "%31[a-z]", name) != 1)
			continue;
		check_probe(name);
		count++;
	}
	ck_assert_uint_ge(count, 24);
	command__free(&list);
}
END_TEST

/* Process 1 is root's: its libraries cannot be read. */
START_TEST(test_libraries_of_another_user)
{
	struct command peat;

	command__run_as(&peat, USER, PROBING_CAPS,
			ARGV(command__peat(), "trace", "leak", "-p", "1"));
	ck_assert_int_eq(peat.status, 1);
	ck_assert_msg(strstr(peat.err_text, "CAP_SYS_PTRACE is missing, without which the "
					    "libraries of process 1 are unknown: run it as root, "
					    "or name a file by the option ") ||
			      names_need(peat.err_text),
		      "%s", peat.err_text);
	command__free(&peat);
}
END_TEST

/* Programs of these probes ask for types that the kernel may lack. */
START_TEST(test_types_that_the_kernel_lacks)
{
	static const char *const probes[] = { "offcpu", "oom" };
	struct command peat;

	for (size_t i = 0; i < sizeof(probes) / sizeof(*probes); i++) {
		command__run_as(&peat, USER, PROBING_CAPS,
				ARGV(command__peat(), "trace", probes[i], "-d", "50ms"));
		if (strstr(peat.err_text, "perf_event_paranoid is above 2"))
			skip("kernel.perf_event_paranoid is above 2: CAP_PERFMON is not enough");
		ck_assert_msg(!peat.status, "%s: %s", probes[i], peat.err_text);
		command__free(&peat);
	}
}
END_TEST

/* Samples of a user's own tasks need no capability, and no BPF program is waited for. */
START_TEST(test_events_without_capabilities)
{
	struct command peat;

	command__run_as(
		&peat, USER, 0,
		ARGV(command__peat(), "record", "-e", "cpu-clock:u", "-o", "-", "--", "true"));
	if (strstr(peat.err_text, "CAP_PERFMON is missing"))
		skip("kernel.perf_event_paranoid allows users no perf event");
	ck_assert_msg(!peat.status, "%s", peat.err_text);
	ck_assert_msg(!strstr(peat.err_text, "cannot wait"), "%s", peat.err_text);
	command__free(&peat);
}
END_TEST

/* Each CPU needs more files than the soft limit; a command gets the limit that peat had. */
static void check_file_limit(const char *arguments)
{
	struct command peat;
	char line[256];

	snprintf(line, sizeof(line), "ulimit -Sn 9; exec %s %s -- sh -c 'test $(ulimit -Sn) = 9'",
		 command__peat(), arguments);
	command__run(&peat, ALL_CAPS, ARGV("sh", "-c", line));
	ck_assert_msg(!peat.status, "%s: %s", arguments, peat.err_text);
	ck_assert_msg(!strstr(peat.err_text, "Too many open files"), "%s: %s", arguments,
		      peat.err_text);
	command__free(&peat);
}

START_TEST(test_file_limit_is_raised)
{
	check_file_limit("trace exec");
	check_file_limit("count exec");
	check_file_limit("record exec -o /dev/null");
	check_file_limit("record -e cpu-clock -o /dev/null");
	check_file_limit("stat -e cpu-clock");
}
END_TEST

/*
 * A user's limit of locked memory: less than two rings for each CPU need, and rings of names.  The
 * kernel adds an allowance for each CPU, kernel.perf_event_mlock_kb.
 */
START_TEST(test_flight_recorder_shrinks)
{
	struct command peat;
	char line[256];

	snprintf(line, sizeof(line),
		 "dir=$(mktemp -d) && ulimit -l 64 && XDG_RUNTIME_DIR=$dir %s record exec "
		 "--flight 4M -o $dir/file -d 50ms; status=$?; rm -r $dir; "
		 "rmdir /tmp/peat-61234; exit $status",
		 command__peat());
	command__run_as(&peat, USER, PROBING_CAPS, ARGV("sh", "-c", line));
	if (strstr(peat.err_text, "perf_event_paranoid is above 2"))
		skip("kernel.perf_event_paranoid is above 2: CAP_PERFMON is not enough");
	if (strstr(peat.err_text, "before Linux 5.11 RLIMIT_MEMLOCK"))
		skip("RLIMIT_MEMLOCK limits BPF maps of this kernel (before Linux 5.11)");
	ck_assert_msg(!peat.status, "%s", peat.err_text);
	ck_assert_msg(strstr(peat.err_text, "bytes instead of 4194304: more locked memory"), "%s",
		      peat.err_text);
	command__free(&peat);
}
END_TEST

static Suite *capabilities_suite(void)
{
	TCase *tests;
	Suite *suite = harness__suite("capabilities", 120, &tests);

	tcase_add_test(tests, test_each_probe_works_or_names_its_need);
	tcase_add_test(tests, test_libraries_of_another_user);
	tcase_add_test(tests, test_types_that_the_kernel_lacks);
	tcase_add_test(tests, test_events_without_capabilities);
	tcase_add_test(tests, test_file_limit_is_raised);
	tcase_add_test(tests, test_flight_recorder_shrinks);
	return suite;
}

int main(int argc, char **argv)
{
	static const suite_fn suites[] = { capabilities_suite };

	return harness__main(argc, argv, suites, 1);
}

// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* test_usage.c: what --help prints, and what is said of a wrong command line. */
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "support/machine/command.h"
#include "support/machine/harness.h"
#include "support/machine/object.h"
#include "support/machine/process.h"

EMBED_OBJECT(where)

static const char *const verbs[] = {
	"trace",   "record", "count", "hist",  "top",	"replay", "convert",  "report",
	"profile", "stat",   "list",  "build", "bench", "doctor", "examples",
};

/* A heading is an indented line that ends with a colon, with a blank line before it. */
static void check_headings(const char *verb, const char *help)
{
	for (const char *at = help; (at = strstr(at, ":\n")); at += 2) {
		const char *line = at;

		while (line > help && line[-1] != '\n')
			line--;
		if (line - help < 2 || line[-2] != '\n' || *line != ' ')
			continue;
		ck_assert_msg(at[2] == ' ' && strchr(" -", at[4]), "%s: nothing below '%.*s'", verb,
			      (int)(at - line), line);
	}
}

START_TEST(test_headings_have_options)
{
	for (size_t i = 0; i < sizeof(verbs) / sizeof(*verbs); i++) {
		struct command peat;

		command__run(&peat, ALL_CAPS, ARGV(command__peat(), verbs[i], "--help"));
		ck_assert_int_eq(peat.status, 0);
		check_headings(verbs[i], peat.out_text);
		command__free(&peat);
	}
}
END_TEST

/* Options of perf events stand below their heading, not among options of BPF programs. */
START_TEST(test_perf_events_have_a_heading)
{
	const char *heading, *option;
	struct command peat;

	command__run(&peat, ALL_CAPS, ARGV(command__peat(), "trace", "--help"));
	heading = strstr(peat.out_text, "\n Perf events:\n");
	option = strstr(peat.out_text, "--event=");
	ck_assert_ptr_nonnull(heading);
	ck_assert_ptr_nonnull(option);
	ck_assert(heading < option && option < strstr(peat.out_text, "\n BPF programs:\n"));
	command__free(&peat);
}
END_TEST

/* The exit status and the first line of stderr. */
#define NO_TASK "it may have ended: ps -eL lists all"

static void expect(int status, const char *line, const char *const *argv)
{
	struct command peat;

	command__run(&peat, ALL_CAPS, argv);
	peat.err_text[strcspn(peat.err_text, "\n")] = 0;
	ck_assert_str_eq(peat.err_text, line);
	ck_assert_int_eq(peat.status, status);
	command__free(&peat);
}

/* Neither the first nor the last value wins in silence. */
START_TEST(test_filters_are_given_once)
{
	const char *peat = command__peat();

	expect(64, "peat trace: -p '2': give one process",
	       ARGV(peat, "trace", "exec", "-p", "1", "-p", "2"));
	expect(64, "peat count: -t '2': give one thread",
	       ARGV(peat, "count", "exec", "-t", "1", "-t", "2"));
	expect(64, "peat trace: -u '1': give one user",
	       ARGV(peat, "trace", "exec", "-u", "0", "-u", "1"));
	expect(64, "peat trace: --comm 'b': give one name, or --where 'comm in (\"a\", \"b\")'",
	       ARGV(peat, "trace", "exec", "--comm", "a", "--comm", "b"));
	expect(64, "peat record: -C '1': give one list: -C 0,1",
	       ARGV(peat, "record", "exec", "-C", "0", "-C", "1"));
	expect(64, "peat stat: --cgroup '/a': give one cgroup",
	       ARGV(peat, "stat", "--cgroup", "/", "--cgroup", "/a"));
}
END_TEST

#define TWICE " is given twice: each of its events would be counted twice: give it once"

START_TEST(test_a_probe_is_given_once)
{
	const char *peat = command__peat();

	expect(64, "peat: probe exec" TWICE, ARGV(peat, "trace", "exec", "exit", "exec"));
	expect(64, "peat: probe open,failed" TWICE,
	       ARGV(peat, "count", "open,failed", "open", "open,failed"));
}
END_TEST

static void check_accepted(const char *const *argv)
{
	struct command peat;

	command__run(&peat, ALL_CAPS, argv);
	ck_assert_msg(peat.status == 0, "%s", peat.err_text);
	command__free(&peat);
}

/* A kind is one of a set; options select other events; an object has an instance each time. */
START_TEST(test_other_sources_are_given_twice)
{
	const char *peat = command__peat();
	char object[64];
	FILE *file;

	snprintf(object, sizeof(object), "/tmp/peat-usage-%d.bpf.o", (int)getpid());
	file = fopen(object, "we");
	ck_assert_ptr_nonnull(file);
	ck_assert_uint_eq(fwrite(where_object.bytes, *where_object.count, 1, file), 1);
	ck_assert_int_eq(fclose(file), 0);
	check_accepted(ARGV(peat, "trace", "@comm", "@comm", "--", "true"));
	check_accepted(ARGV(peat, "trace", "open", "open,failed", "--", "true"));
	check_accepted(ARGV(peat, "trace", object, object, "--", "true"));
	unlink(object);
}
END_TEST

/* One line, with the name of the source. */
static void check_one_error(const char *source, const char *const *argv)
{
	char name[64];
	struct command peat;

	snprintf(name, sizeof(name), "%.*s", (int)strcspn(source, ","), source);
	command__run(&peat, ALL_CAPS, argv);
	ck_assert_int_ne(peat.status, 0);
	ck_assert_msg(strstr(peat.err_text, name) &&
			      strchr(peat.err_text, '\n') == strrchr(peat.err_text, '\n'),
		      "%s %s: %s", argv[1], source, peat.err_text);
	command__free(&peat);
}

static void check_bad_source(const char *source)
{
	const char *peat = command__peat();

	check_one_error(source, ARGV(peat, "trace", "-q", source));
	check_one_error(source, ARGV(peat, "trace", "-q", source, "--", "true"));
	check_one_error(source, ARGV(peat, "trace", "-q", source, "--stacks", "user"));
	check_one_error(source, ARGV(peat, "record", "-q", source, "-o", "/dev/null"));
	check_one_error(source, ARGV(peat, "count", "-q", source));
	check_one_error(source, ARGV(peat, "count", "-q", source, "--by", "comm"));
	check_one_error(source, ARGV(peat, "count", "-q", source, "--by", "stack"));
	check_one_error(source, ARGV(peat, "hist", "-q", source));
	check_one_error(source, ARGV(peat, "hist", "-q", source, "pid"));
	check_one_error(source, ARGV(peat, "top", "-q", source));
}

/* Verbs ask the sources for tables, stacks and fields before the session adds them. */
START_TEST(test_bad_source_is_printed_once)
{
	static const char *const sources[] = {
		"nosuch",
		"./nosuch.bpf.o",
		"/dev/null",
		"open,nosuch",
		"@nosuch",
		"kprobe:",
		"kprobe:nosuch",
		"kretprobe:nosuch",
		"tracepoint:no:such",
		"uprobe:/proc/self/exe",
		"uprobe:/proc/self/exe:nosuch",
		"uretprobe:/nosuch:nosuch",
		"usdt:/proc/self/exe:no:such",
	};

	for (size_t i = 0; i < sizeof(sources) / sizeof(*sources); i++)
		check_bad_source(sources[i]);
}
END_TEST

START_TEST(test_tasks_that_do_not_exist)
{
	const char *peat = command__peat();

	expect(1, "peat: there is no process 99999999: " NO_TASK,
	       ARGV(peat, "trace", "exec", "-p", "99999999"));
	expect(1, "peat: there is no thread 99999998: " NO_TASK,
	       ARGV(peat, "count", "exec", "-t", "99999998"));
	expect(1, "peat: there is no process 99999999: " NO_TASK,
	       ARGV(peat, "record", "-e", "cpu-clock", "-p", "99999999", "-o", "/dev/null"));
}
END_TEST

/* Sends its id through the first pipe, and waits until the test closes the second one. */
static void *wait_for_end(void *ends)
{
	pid_t tid = (pid_t)syscall(SYS_gettid);
	char byte;

	ck_assert_int_eq(write(((int *)ends)[1], &tid, sizeof(tid)), sizeof(tid));
	ck_assert_int_eq(read(((int *)ends)[2], &byte, 1), 0);
	return NULL;
}

START_TEST(test_thread_is_no_process)
{
	const char *peat = command__peat();
	char number[16], words[128];
	pthread_t thread;
	int ends[4]; /* of two pipes */
	pid_t tid;

	ck_assert_int_eq(pipe2(ends, O_CLOEXEC), 0);
	ck_assert_int_eq(pipe2(ends + 2, O_CLOEXEC), 0);
	ck_assert_int_eq(pthread_create(&thread, NULL, wait_for_end, ends), 0);
	ck_assert_int_eq(read(ends[0], &tid, sizeof(tid)), sizeof(tid));
	snprintf(number, sizeof(number), "%d", (int)tid);
	snprintf(words, sizeof(words), "peat: there is no process %s: " NO_TASK, number);
	expect(1, words, ARGV(peat, "trace", "exec", "-p", number));
	expect(0, "", ARGV(peat, "trace", "-q", "exec", "-t", number, "-d", "10ms"));
	close(ends[3]);
	ck_assert_int_eq(pthread_join(thread, NULL), 0);
	close(ends[0]);
	close(ends[1]);
	close(ends[2]);
}
END_TEST

/* Names of other tools, and sources as bpftrace has them. */
START_TEST(test_unknown_source_has_a_remedy)
{
	static const char *const hints[][2] = {
		{ "execsnoop", "use exec, which answers the question of execsnoop" },
		{ "tcpconnect", "use tcp, which answers the question of tcpconnect" },
		{ "kfunc:vfs_read", "use kprobe:vfs_read" },
		{ "kretfunc:vfs_read", "use kretprobe:vfs_read" },
		{ "k:vfs_read", "use kprobe:vfs_read" },
		{ "t:sched:sched_switch", "use tracepoint:sched:sched_switch" },
		{ "U:sh:a:b", "use usdt:sh:a:b" },
		{ "rawtracepoint:sched_switch", "use tracepoint:CATEGORY:sched_switch" },
		{ "profile:hz:99", "peat profile takes samples at a rate: -F 99" },
		{ "interval:s:1", "-i prints after each interval: peat count exec -i 1" },
		{ "software:page-faults:1",
		  "perf events follow -e: peat list --events lists them" },
		{ "sched:sched_switch", "a tracepoint is tracepoint:sched:sched_switch" },
		{ "hello.bpf.c",
		  "it is source code: use peat build hello.bpf.c, and then the object" },
		{ "page-faults", "it is a perf event, which follows -e: -e page-faults" },
		{ "sh", "peat list shows the probes; a command follows --: -- sh" },
		{ "opne", "did you mean open?  peat list shows the probes" },
		{ "nosuch", "peat list shows the probes; a function is kprobe:nosuch or "
			    "uprobe:FILE:nosuch; a file needs a path: ./nosuch.bpf.o" },
	};
	char line[512];

	for (size_t i = 0; i < sizeof(hints) / sizeof(*hints); i++) {
		snprintf(line, sizeof(line), "peat: unknown probe '%s': %s", hints[i][0],
			 hints[i][1]);
		expect(64, line, ARGV(command__peat(), "trace", hints[i][0]));
	}
}
END_TEST

#define NO_EVENT "it is no perf event, but a source: use it without -e"

START_TEST(test_source_is_no_perf_event)
{
	const char *peat = command__peat();

	expect(64, "peat trace: -e 'tracepoint:sched:sched_switch': " NO_EVENT,
	       ARGV(peat, "trace", "-e", "tracepoint:sched:sched_switch"));
	expect(64, "peat trace: -e 'kprobe:vfs_read { @ = count(); }': " NO_EVENT,
	       ARGV(peat, "trace", "-e", "kprobe:vfs_read { @ = count(); }"));
	expect(64, "peat stat: -e 'kprobe:vfs_read': " NO_EVENT,
	       ARGV(peat, "stat", "-e", "kprobe:vfs_read", "--", "true"));
}
END_TEST

START_TEST(test_unknown_command_has_a_remedy)
{
	const char *peat = command__peat();

	expect(64, "peat: unknown command 'exec': it is a source: use peat trace exec",
	       ARGV(peat, "exec"));
	expect(64,
	       "peat: unknown command 'kprobe:vfs_read': it is a source: use peat trace "
	       "kprobe:vfs_read",
	       ARGV(peat, "kprobe:vfs_read"));
	expect(64,
	       "peat: unknown command 'opensnoop': use peat trace open, which answers the "
	       "question of opensnoop",
	       ARGV(peat, "opensnoop"));
	expect(64,
	       "peat: unknown command 'recrod': did you mean record?  peat -h lists the commands",
	       ARGV(peat, "recrod"));
	expect(64, "peat: unknown option '-l': peat -h lists the commands", ARGV(peat, "-l"));
	expect(64, "peat: unknown command 'nosuch': peat -h lists the commands",
	       ARGV(peat, "nosuch"));
	expect(64, "peat: unknown command 'nosuch': peat -h lists the commands",
	       ARGV(peat, "help", "nosuch"));
}
END_TEST

/* peat help, peat -h: of all commands; with a name, of one. */
START_TEST(test_help_of_a_command)
{
	static const char *const ways[] = { "help", "-h", "--help" };

	for (size_t i = 0; i < sizeof(ways) / sizeof(*ways); i++) {
		struct command peat;

		command__run(&peat, 0, ARGV(command__peat(), ways[i]));
		ck_assert_int_eq(peat.status, 0);
		ck_assert_ptr_nonnull(strstr(peat.out_text, "\n  peat trace "));
		ck_assert_ptr_nonnull(strstr(peat.out_text, "peat trace exec\n"));
		command__free(&peat);
		command__run(&peat, 0, ARGV(command__peat(), ways[i], "count"));
		ck_assert_int_eq(peat.status, 0);
		ck_assert_ptr_nonnull(strstr(peat.out_text, "Usage: peat count [OPTION...]"));
		command__free(&peat);
	}
}
END_TEST

static Suite *usage_suite(void)
{
	TCase *tests;
	Suite *suite = harness__suite("usage", 60, &tests);

	tcase_add_test(tests, test_headings_have_options);
	tcase_add_test(tests, test_perf_events_have_a_heading);
	tcase_add_test(tests, test_filters_are_given_once);
	tcase_add_test(tests, test_a_probe_is_given_once);
	tcase_add_test(tests, test_other_sources_are_given_twice);
	tcase_add_test(tests, test_bad_source_is_printed_once);
	tcase_add_test(tests, test_tasks_that_do_not_exist);
	tcase_add_test(tests, test_thread_is_no_process);
	tcase_add_test(tests, test_unknown_source_has_a_remedy);
	tcase_add_test(tests, test_source_is_no_perf_event);
	tcase_add_test(tests, test_unknown_command_has_a_remedy);
	tcase_add_test(tests, test_help_of_a_command);
	return suite;
}

int main(int argc, char **argv)
{
	static const suite_fn suites[] = { usage_suite };

	return harness__main(argc, argv, suites, 1);
}

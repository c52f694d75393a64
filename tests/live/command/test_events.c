// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* test_events.c: peat trace, record and count with -e: events that the kernel samples. */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "support/machine/breakpoints.h"
#include "support/machine/paranoid.h"
#include "support/machine/harness.h"
#include "support/machine/mounts.h"
#include "support/machine/tracing.h"
#include "support/perf/stock_perf.h"
#include "support/recording/recorded_run.h"
#include "sys/tracefs.h"

/* CAP_PERFMON: enough to sample, not to mount. */
#define SAMPLER_CAPS (1ULL << 38)

#define DEPTH  7
#define WRITES 20

static volatile uint64_t watched;
static int gate[2];
static char event[64], child[16];

/* The frame address makes the compiler use frame pointers, `below` makes it no loop. */
__attribute__((noinline)) static uint64_t write_deep(unsigned depth)
{
	void *volatile frame = __builtin_frame_address(0);
	volatile uint64_t below;

	if (!depth) {
		watched++;
		return frame != NULL;
	}
	below = write_deep(depth - 1);
	return below + 1;
}

static int work(void *arg)
{
	char byte;

	(void)arg;
	close(gate[1]);
	if (read(gate[0], &byte, 1) != 0)
		return 9;
	for (unsigned i = 0; i < WRITES; i++)
		write_deep(DEPTH);
	return 0;
}

/* Starts a child that waits for go(), and writes WRITES times. */
static pid_t start_waiting(int (*work)(void *arg))
{
	pid_t pid;

	ck_assert_int_eq(pipe2(gate, O_CLOEXEC), 0);
	pid = process__start(work, NULL);
	close(gate[0]);
	snprintf(child, sizeof(child), "%d", (int)pid);
	return pid;
}

static pid_t start_child(void)
{
	pid_t pid = start_waiting(work);

	snprintf(event, sizeof(event), "mem:%p:w", (const void *)&watched);
	return pid;
}

static void go(pid_t pid)
{
	close(gate[1]);
	ck_assert_int_eq(process__wait(pid), 0);
}

static void run(struct command *peat, int status, const char *const *argv)
{
	command__run(peat, ALL_CAPS, argv);
	ck_assert_msg(peat->status == status, "status %d: %s", peat->status, peat->err_text);
}

/* ---- call chains ----------------------------------------------------------------------------- */

static uint64_t address_at(const char *line, unsigned frame)
{
	char path[40];
	const char *text;

	snprintf(path, sizeof(path), "stack[%u].address", frame);
	text = json_lines__text(line, path);
	return text ? strtoull(text, NULL, 16) : 0;
}

static bool is_in_function(uint64_t address)
{
	return address >= (uintptr_t)write_deep && address < (uintptr_t)write_deep + 1024;
}

static void check_chain(const char *line)
{
	uint64_t caller = address_at(line, 1);

	for (unsigned i = 0; i <= DEPTH; i++)
		ck_assert_msg(is_in_function(address_at(line, i)), "frame %u of %s", i, line);
	for (unsigned i = 2; i < DEPTH; i++)
		ck_assert_uint_eq(address_at(line, i), caller);
}

/* All ends when the process has ended. */
START_TEST(test_call_chain)
{
	struct tracing tracing;
	pid_t pid;

	need_breakpoints();
	pid = start_child();
	tracing__start(&tracing, TRACE("-g", "-e", event, "-p", child));
	go(pid);
	tracing__finish(&tracing);
	ck_assert_uint_eq(tracing.events.count, WRITES);
	for (size_t i = 0; i < WRITES; i++) {
		check_chain(tracing.events.lines[i]);
		expect_text(tracing.events.lines[i], "type", event);
		expect_text(tracing.events.lines[i], "comm", "test_events");
	}
	tracing__free(&tracing);
}
END_TEST

/* ---- the same, recorded ---------------------------------------------------------------------- */

static int touch(void *arg)
{
	size_t page_bytes = (size_t)sysconf(_SC_PAGESIZE);
	char byte, *pages;

	(void)arg;
	close(gate[1]);
	if (read(gate[0], &byte, 1) != 0)
		return 9;
	pages = mmap(NULL, WRITES * page_bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS,
		     -1, 0);
	if (pages == MAP_FAILED)
		return 8;
	madvise(pages, WRITES * page_bytes, MADV_NOHUGEPAGE);
	for (size_t i = 0; i < WRITES; i++)
		((volatile char *)pages)[i * page_bytes] = 1;
	usleep(2000000); /* peat reads the names of a task that still runs */
	return 0;
}

static void check_same(const char *traced, const char *replayed)
{
	static const char *const members[] = { "type", "pid",  "tid",	 "comm",
					       "ip",   "addr", "period", "stack" };

	for (size_t i = 0; i < sizeof(members) / sizeof(*members); i++)
		ck_assert_msg(!strcmp(json_lines__raw(traced, members[i]),
				      json_lines__raw(replayed, members[i])),
			      "%s: %s, %s", members[i], traced, replayed);
}

/* Both have all samples, although the kernel gives them one id.  Their period is in the attr. */
static const char *const periods[] = { "1", "3" };

#define FAULTS "-g", "-c", periods[_i], "-e", "page-faults", "-p", child

START_TEST(test_same_as_replay)
{
	struct tracing tracing;
	struct json_lines replayed;
	struct command record;
	pid_t pid = start_waiting(touch);
	char *text;

	tracing__start(&tracing, TRACE(FAULTS));
	recorded_run__start(&record, RECORD(FAULTS, "-o", "file"));
	go(pid);
	tracing__finish(&tracing);
	recorded_run__finish(&record, 0);
	text = recorded_run__replay("file");
	replayed = json_lines__split(text);
	ck_assert_uint_ge(tracing.events.count, (size_t)WRITES / atoi(periods[_i]));
	ck_assert_msg(replayed.count == tracing.events.count, "%zu of %zu in: %s%s", replayed.count,
		      tracing.events.count, record.err_text, text);
	for (size_t i = 0; i < replayed.count; i++)
		check_same(tracing.events.lines[i], replayed.lines[i]);
	json_lines__free(&replayed);
	free(text);
	command__free(&record);
	tracing__free(&tracing);
}
END_TEST

/* ---- commands -------------------------------------------------------------------------------- */

/* Only the command is sampled, from its exec on, and its children. */
START_TEST(test_samples_command_and_children)
{
	struct json_lines events;
	struct command peat;
	bool has_child = false, has_shell = false;

	run(&peat, 5,
	    ARGV(command__peat(), "trace", "-j", "-c", "1", "-e", "page-faults", "--", "sh", "-c",
		 "cat /proc/self/stat >/dev/null; exit 5"));
	events = json_lines__split(peat.out_text);
	ck_assert_uint_gt(events.count, 10);
	for (size_t i = 0; i < events.count; i++) {
		expect_text(events.lines[i], "type", "page-faults");
		expect_number(events.lines[i], "period", 1);
		ck_assert_int_eq(json_lines__kind(events.lines[i], "addr"), JSON_OBJECT);
		has_shell |= !strcmp(json_lines__text(events.lines[i], "comm"), "sh");
		has_child |= !strcmp(json_lines__text(events.lines[i], "comm"), "cat");
	}
	ck_assert(has_child && has_shell);
	json_lines__free(&events);
	command__free(&peat);
}
END_TEST

#define GETPGID "syscalls:sys_enter_getpgid"

static int call(void *arg)
{
	char byte;

	close(gate[1]);
	if (read(gate[0], &byte, 1) != 0)
		return 9;
	for (int i = 0; i < 10; i++)
		syscall(SYS_getpgid, i);
	return arg != NULL;
}

/* Fields of the tracepoint are columns, members, and in expressions. */
START_TEST(test_prints_fields_of_tracepoint)
{
	struct tracing tracing;
	struct command peat;
	pid_t pid;

	if (!tracefs__has("events/syscalls/sys_enter_getpgid/id"))
		skip("this kernel has no tracepoints of system calls");
	pid = start_waiting(call);
	tracing__start(&tracing,
		       TRACE("-e", GETPGID, "-p", child, "--where", "pid_ == 7 || pid_ == 3"));
	go(pid);
	tracing__finish(&tracing);
	ck_assert_uint_eq(tracing.events.count, 2);
	expect_number(tracing.events.lines[0], "pid_", 3);
	expect_number(tracing.events.lines[1], "pid_", 7);
	tracing__free(&tracing);
	pid = start_waiting(call);
	command__start(&peat, ALL_CAPS,
		       ARGV(command__peat(), "count", "-v", "-e", GETPGID, "-p", child, "--by",
			    "pid_", "-j"));
	command__expect(peat.err, "programs attached");
	go(pid);
	command__finish(&peat);
	ck_assert_msg(peat.status == 0, "%s", peat.err_text);
	recorded_run__check_has(peat.out_text, "\"pid_\":9");
	command__free(&peat);
}
END_TEST

#define KMALLOC "kmem:kmalloc"

/* Events whose field is the name of a kernel function. */
static uint32_t count_symbols(char *text)
{
	struct json_lines events = json_lines__split(text);
	uint32_t named = 0;

	for (size_t i = 0; i < events.count; i++) {
		ck_assert_int_eq(json_lines__kind(events.lines[i], "call_site"), JSON_OBJECT);
		named += json_lines__kind(events.lines[i], "call_site.symbol") == JSON_STRING;
	}
	json_lines__free(&events);
	return named;
}

/* "%pS" in the format of a tracepoint: live, counted, and of a recording. */
START_TEST(test_names_kernel_functions)
{
	struct command peat;

	if (!tracefs__has("events/kmem/kmalloc/id"))
		skip("this kernel has no tracepoint kmem:kmalloc");
	run(&peat, 0, ARGV(command__peat(), "trace", "-j", "-e", KMALLOC, "--", "true"));
	ck_assert_uint_gt(count_symbols(peat.out_text), 0);
	command__free(&peat);
	run(&peat, 0,
	    ARGV(command__peat(), "count", "-e", KMALLOC, "--by", "call_site", "--", "true"));
	ck_assert_msg(strstr(peat.out_text, "+0x"), "%s", peat.out_text);
	command__free(&peat);
	recorded_run__start(&peat, RECORD("-e", KMALLOC, "-o", "file", "--", "true"));
	recorded_run__finish(&peat, 0);
	command__free(&peat);
	run(&peat, 0, ARGV(command__peat(), "replay", "-j", "file"));
	ck_assert_uint_gt(count_symbols(peat.out_text), 0);
	command__free(&peat);
}
END_TEST

/* ---- permissions and errors ------------------------------------------------------------------ */

START_TEST(test_user_space_only)
{
	struct json_lines events;
	struct command peat;

	if (paranoid_level() != 2)
		skip("kernel.perf_event_paranoid is not 2");
	command__run(&peat, 0,
		     ARGV(command__peat(), "trace", "-j", "-e", "page-faults", "-c", "1", "--",
			  "sh", "-c", "exit 0"));
	ck_assert_msg(peat.status == 0, "%s", peat.err_text);
	recorded_run__check_has(peat.err_text, "page-faults: sampling user space only");
	events = json_lines__split(peat.out_text);
	ck_assert_uint_gt(events.count, 0);
	expect_text(events.lines[0], "type", "page-faults:u");
	json_lines__free(&events);
	command__free(&peat);
	command__run(&peat, 0, ARGV(command__peat(), "trace", "-e", "page-faults", "-d", "1"));
	ck_assert_int_eq(peat.status, 1);
	recorded_run__check_has(peat.err_text, "cannot sample page-faults");
	recorded_run__check_has(peat.err_text, "CAP_PERFMON");
	command__free(&peat);
}
END_TEST

/* Tracefs is hidden: peat has its own if it may mount. */
START_TEST(test_without_tracefs)
{
	struct command peat;

	mounts__hide_tracefs();
	run(&peat, 0,
	    ARGV(command__peat(), "trace", "-j", "-e", "sched:sched_process_exec", "--", "true"));
	recorded_run__check_has(peat.out_text, "\"type\":\"sched:sched_process_exec\"");
	command__free(&peat);
	command__run(&peat, SAMPLER_CAPS,
		     ARGV(command__peat(), "trace", "-e", "sched:sched_switch", "-d", "1"));
	ck_assert_int_eq(peat.status, 1);
	recorded_run__check_has(peat.err_text, "tracefs");
	command__free(&peat);
}
END_TEST

static void check_fails(int status, const char *words, const char *const *argv)
{
	struct command peat;

	run(&peat, status, argv);
	recorded_run__check_has(peat.err_text, words);
	ck_assert_str_eq(peat.out_text, "");
	command__free(&peat);
}

START_TEST(test_refusals_name_reason)
{
	const char *peat = command__peat();

	check_fails(1, "no_such", ARGV(peat, "trace", "-e", "no_such", "-d", "1"));
	check_fails(64, "-e cannot be used with exec",
		    ARGV(peat, "trace", "-e", "page-faults", "exec"));
	check_fails(64, "need -e EVENTS", ARGV(peat, "trace", "-g", "exec"));
	check_fails(64, "-F cannot be used with -c",
		    ARGV(peat, "record", "-e", "page-faults", "-F", "9", "-c", "9"));
	check_fails(64, "-g cannot be used with --stacks",
		    ARGV(peat, "trace", "-e", "page-faults", "-g", "--stacks", "user"));
	check_fails(64, "expected none, kernel, user, both or dwarf",
		    ARGV(peat, "trace", "-e", "page-faults", "--stacks", "fp"));
	check_fails(64, "a size of the stack up to 16K",
		    ARGV(peat, "record", "-e", "page-faults", "--stacks", "dwarf,17K"));
	check_fails(64, "only dwarf has a size",
		    ARGV(peat, "record", "-e", "page-faults", "--stacks", "both,1K"));
	check_fails(1, "stack is the event's stack, which has no tests",
		    ARGV(peat, "trace", "open", "--where", "stack == 1"));
	check_fails(64, "the events of sched have no stacks",
		    ARGV(peat, "trace", "sched", "--stacks", "both"));
	check_fails(64, "only fp",
		    ARGV(peat, "record", "-e", "page-faults", "--call-graph", "dwarf"));
	check_fails(64, "not a number of samples",
		    ARGV(peat, "record", "-e", "page-faults", "-F", "fast"));
	check_fails(64, "-a cannot be used with -p",
		    ARGV(peat, "trace", "-e", "page-faults", "-a", "-p", "1"));
	check_fails(64, "--cgroup cannot be used with -p",
		    ARGV(peat, "trace", "-e", "page-faults", "--cgroup", "/", "-p", "1"));
	check_fails(64, "--max-rate, --pin and --sample",
		    ARGV(peat, "trace", "-e", "page-faults", "--max-rate", "9"));
	check_fails(64, "leave S out", ARGV(peat, "trace", "-e", "{page-faults,cpu-clock}:S"));
	check_fails(1, "no process", ARGV(peat, "trace", "-e", "page-faults", "-p", "999999999"));
}
END_TEST

static Suite *events_suite(void)
{
	TCase *tests;
	Suite *suite = harness__suite("events", 60, &tests);

	tcase_add_checked_fixture(tests, recorded_run__setup, stock_perf__teardown);
	tcase_add_test(tests, test_call_chain);
	tcase_add_loop_test(tests, test_same_as_replay, 0, 2);
	tcase_add_test(tests, test_samples_command_and_children);
	tcase_add_test(tests, test_prints_fields_of_tracepoint);
	tcase_add_test(tests, test_names_kernel_functions);
	tcase_add_test(tests, test_user_space_only);
	tcase_add_test(tests, test_without_tracefs);
	tcase_add_test(tests, test_refusals_name_reason);
	return suite;
}

int main(int argc, char **argv)
{
	static const suite_fn suites[] = { events_suite };

	return harness__main(argc, argv, suites, 1);
}

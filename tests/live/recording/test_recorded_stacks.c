// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * test_recorded_stacks.c: the stacks of events, as they happen and recorded: peat and stock perf
 * print the same functions.
 *
 * The traced command is this program, with the argument "work" or "move".
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "support/machine/harness.h"
#include "support/machine/json_table.h"
#include "support/machine/object.h"
#include "support/machine/own_program.h"
#include "support/machine/process.h"
#include "support/perf/stock_perf.h"
#include "support/recording/json_lines.h"
#include "support/recording/recorded_run.h"

EMBED_OBJECT(called)
EMBED_OBJECT(foreign_call)

#define CALLS 5

/* A rare system call. */
#define CALL SYS_sched_get_priority_max

/* The address of its frame makes the compiler use frame pointers, the result makes it no jump. */
#define USE_FRAME void *volatile frame = __builtin_frame_address(0)

/* syscall() has no frame, so that its caller is not found by frame pointers. */
__attribute__((noinline)) static long call_kernel(void)
{
	USE_FRAME;

	return syscall(CALL, 0) + (frame == NULL);
}

__attribute__((noinline)) static long innermost_function(void)
{
	USE_FRAME;

	return call_kernel() + (frame == NULL);
}

__attribute__((noinline)) static long middle_function(void)
{
	USE_FRAME;

	return innermost_function() + (frame == NULL);
}

__attribute__((noinline)) static long outermost_function(void)
{
	USE_FRAME;

	return middle_function() + (frame == NULL);
}

static int work(int calls)
{
	for (int i = 0; i < calls; i++)
		outermost_function();
	return 0;
}

/* More than a program stages, so that they are in a ring that is read before that of MAPPED_CPU. */
#define MANY_CALLS 2000
#define CALLS_CPU  0
#define MAPPED_CPU 1

static int work_on_other_cpu(void)
{
	return process__pin_to(CALLS_CPU) ? EXIT_FAILURE : work(MANY_CALLS);
}

static char call[32];

static void setup(void)
{
	recorded_run__setup();
	recorded_run__put(&called_object);
	recorded_run__put(&foreign_call_object);
	setenv("SELF", own_program__path(), 1);
	snprintf(call, sizeof(call), "call_number=%d", CALL);
	setenv("CALLED", "called.bpf.o", 1);
	setenv("CALL", call, 1);
}

/* Runs a line, which may use $PEAT, $SELF, $CALLED and $CALL. */
#define shell stock_perf__shellf

#define WORK "-- \"$SELF\" work"

static char *trace(const char *options)
{
	return shell("$PEAT trace -q --comm test_recorded_s $CALLED --set $CALL %s " WORK, options);
}

static void record(const char *options)
{
	free(shell("$PEAT record -q --comm test_recorded_s $CALLED --set $CALL %s " WORK, options));
}

/* ---- JSON ------------------------------------------------------------------------------------ */

#define EXPECTED 3

static const char *const functions[EXPECTED] = { "innermost_function", "middle_function",
						 "outermost_function" };

/* Compilers add a suffix such as ".isra.0". */
static bool is_function(const char *event, unsigned frame, const char *wanted)
{
	const char *symbol;
	char path[64];

	snprintf(path, sizeof(path), "stack[%u].symbol", frame);
	symbol = json_lines__text(event, path);
	return symbol && !strncmp(symbol, wanted, strlen(wanted));
}

/* The index of the innermost of our functions in the stack. */
static unsigned find_innermost(const char *event)
{
	for (unsigned i = 0; i < 64; i++)
		if (is_function(event, i, functions[0]))
			return i;
	ck_abort_msg("no %s in %s", functions[0], event);
	return 0;
}

static bool has_text(const char *event, const char *path, const char *wanted)
{
	const char *text = json_lines__text(event, path);

	return text && !strcmp(text, wanted);
}

static void check_frame(const char *event, unsigned i, const char *symbol)
{
	char path[64];

	ck_assert_msg(is_function(event, i, symbol), "frame %u is not %s in %s", i, symbol, event);
	snprintf(path, sizeof(path), "stack[%u].module", i);
	ck_assert_msg(has_text(event, path, own_program__path()), "%s is not %s in %s", path,
		      own_program__path(), event);
}

/* Our functions in their order, and none of the BPF program's frames. */
static void check_event(const char *event, bool has_kernel)
{
	unsigned first = find_innermost(event);

	for (unsigned i = 0; i < EXPECTED; i++)
		check_frame(event, first + i, functions[i]);
	ck_assert_ptr_null(strstr(event, "bpf_trace_run"));
	ck_assert_ptr_null(strstr(event, "bpf_prog_"));
	if (has_kernel)
		ck_assert_msg(strstr(event, "\"module\":\"[kernel]\""), "%s", event);
	else
		ck_assert_msg(!strstr(event, "\"module\":\"[kernel]\""), "%s", event);
	ck_assert_int_eq(json_lines__number(event, "number"), 42);
	ck_assert_msg(has_text(event, "text", "some text"), "%s", event);
}

static void check_events(char *output, bool has_kernel)
{
	struct json_lines events = json_lines__split(output);

	ck_assert_uint_eq(events.count, CALLS);
	for (size_t i = 0; i < events.count; i++)
		check_event(events.lines[i], has_kernel);
	json_lines__free(&events);
}

static const struct {
	const char *options;
	bool has_kernel;
} ways[] = {
	{ "--stacks both", true },
	{ "--stacks user", false },
	{ "--stacks dwarf", true },
};

#define WAYS (int)(sizeof(ways) / sizeof(*ways))

START_TEST(test_trace_prints_stacks)
{
	char *output = trace(ways[_i].options), *json;

	for (size_t i = 0; i < EXPECTED; i++)
		ck_assert_uint_eq(recorded_run__count(output, functions[i]), CALLS);
	ck_assert_ptr_nonnull(strstr(output, " (test_recorded_stacks)\n        "));
	free(output);
	json = shell("$PEAT trace -q -j --comm test_recorded_s $CALLED --set $CALL %s " WORK,
		     ways[_i].options);
	check_events(json, ways[_i].has_kernel);
	free(json);
}
END_TEST

START_TEST(test_kernel_stacks_alone)
{
	char *output = trace("-j --stacks kernel");

	ck_assert_ptr_nonnull(strstr(output, "\"module\":\"[kernel]\""));
	ck_assert_ptr_null(strstr(output, functions[0]));
	free(output);
}
END_TEST

static bool has_other_cpu(void)
{
	return sysconf(_SC_NPROCESSORS_ONLN) > MAPPED_CPU;
}

/* The ring with the records of the mappings is read after the one with the events. */
static char *move_to_other_cpu(const char *verb)
{
	return shell("$PEAT %s -q --stacks user $CALLED --set $CALL "
		     "-- taskset -c %d \"$SELF\" move",
		     verb, MAPPED_CPU);
}

START_TEST(test_names_after_move_to_other_cpu)
{
	char *output;

	if (!has_other_cpu())
		skip("one CPU only");
	output = move_to_other_cpu("trace");
	ck_assert_uint_eq(recorded_run__count(output, functions[2]), MANY_CALLS);
	free(output);
}
END_TEST

/* Each event without names would be a row of its own. */
START_TEST(test_counts_after_move_to_other_cpu)
{
	char *output;

	if (!has_other_cpu())
		skip("one CPU only");
	output = move_to_other_cpu("count -j --by stack");
	ck_assert_uint_eq(json_table__rows(output), 1);
	ck_assert_uint_eq(json_table__number(output, 0, "count"), MANY_CALLS);
	ck_assert_uint_eq(recorded_run__count(output, functions[2]), 1);
	free(output);
}
END_TEST

START_TEST(test_stacks_only_if_requested)
{
	char *output = trace("-j");

	ck_assert_ptr_null(strstr(output, "\"stack\""));
	ck_assert_ptr_nonnull(strstr(output, "some text"));
	free(output);
	output = trace("-j --stacks both --no-symbols");
	ck_assert_ptr_nonnull(strstr(output, "\"stack\":[{\"address\":\""));
	ck_assert_ptr_null(strstr(output, "\"symbol\""));
	free(output);
}
END_TEST

/* ---- recordings ------------------------------------------------------------------------------ */

/* The same frames when they happen, and when they are replayed; also of a copy. */
START_TEST(test_replay_prints_same_stacks)
{
	char *replayed, *copied;

	record(ways[_i].options);
	replayed = shell("$PEAT replay -q -j perf.data");
	check_events(replayed, ways[_i].has_kernel);
	free(replayed);
	replayed = shell("$PEAT replay -q perf.data");
	copied = shell("$PEAT convert perf.data -z -o copy 2>/dev/null && $PEAT replay -q copy");
	ck_assert_str_eq(replayed, copied);
	free(replayed);
	free(copied);
}
END_TEST

/* perf names the functions of each sample, in their order, and decodes the fields. */
START_TEST(test_perf_script)
{
	char *output;

	need_perf();
	record(ways[_i].options);
	output = shell("perf script -i perf.data 2>/dev/null");
	for (size_t i = 0; i < EXPECTED; i++)
		ck_assert_msg(recorded_run__count(output, functions[i]) == CALLS, "%s: %s",
			      functions[i], output);
	ck_assert_uint_eq(recorded_run__count(output, "number=42"), CALLS);
	ck_assert_ptr_nonnull(strstr(output, "text=some text"));
	ck_assert_ptr_null(strstr(output, "bpf_trace_run"));
	free(output);
	free(shell("perf report --stdio -g -i perf.data 2>/dev/null | grep -q middle_function"));
	free(shell("perf buildid-list -i perf.data | grep -q kernel.kallsyms"));
}
END_TEST

/* MMAP2 of the command has the build id of its file, that of the running shell as well. */
START_TEST(test_build_ids)
{
	need_perf();
	record("--stacks both");
	free(shell("test $(perf script --show-mmap-events -i perf.data 2>/dev/null | "
		   "grep -cE 'MMAP2.*<[0-9a-f]{16,40}>.*/test_recorded_stacks$') -ge 1"));
}
END_TEST

/*
 * A recording that perf makes meanwhile is not affected: an attr.build_id of peat would set a bit
 * in perf's records, too, for which perf crashes.
 */
START_TEST(test_perf_beside)
{
	need_perf();
	free(shell("$PEAT trace -q @mmap profile >/dev/null & "
		   "sleep 0.5; status=0; "
		   "for i in 1 2 3; do perf record -q --no-bpf-event -e page-faults -c 1 -o theirs "
		   "-- true && perf script --show-mmap-events -i theirs 2>/dev/null | "
		   "grep -q 'MMAP2.*:[0-9]* [0-9]* [0-9]*.*/true$' || status=1; done; "
		   "kill $!; wait; exit $status"));
}
END_TEST

/* The kernel samples the stacks of programs that do not include peat's header. */
START_TEST(test_foreign_programs_have_stacks)
{
	struct json_lines events;
	char *replayed;

	free(shell("$PEAT record -q -n %d foreign_call.bpf.o --as raw --set $CALL %s " WORK, CALLS,
		   ways[_i].options));
	replayed = shell("$PEAT replay -q -j perf.data");
	events = json_lines__split(replayed);
	ck_assert_uint_ge(events.count, CALLS);
	for (size_t i = 0; i < events.count; i++)
		for (unsigned frame = find_innermost(events.lines[i]), at = 0; at < EXPECTED; at++)
			check_frame(events.lines[i], frame + at, functions[at]);
	json_lines__free(&events);
	free(replayed);
}
END_TEST

/* The command has ended when its events are written: its own mappings are unknown. */
START_TEST(test_flight_has_kernel_names)
{
	struct json_lines events;
	char *replayed;

	free(shell("$PEAT record -q --flight 1M -o f --comm test_recorded_s $CALLED --set $CALL "
		   "--stacks both " WORK));
	replayed = shell("$PEAT replay -q -j f.1");
	events = json_lines__split(replayed);
	ck_assert_uint_eq(events.count, CALLS);
	for (size_t i = 0; i < events.count; i++) {
		ck_assert_ptr_null(strstr(events.lines[i], "bpf_trace_run"));
		ck_assert(has_text(events.lines[i], "stack[0].module", "[kernel]"));
	}
	json_lines__free(&events);
	free(replayed);
}
END_TEST

static Suite *recorded_stacks_suite(void)
{
	Suite *suite = suite_create("recorded_stacks");
	TCase *tests = tcase_create("test");

	tcase_set_timeout(tests, 60);
	tcase_add_checked_fixture(tests, setup, stock_perf__teardown);
	tcase_add_loop_test(tests, test_trace_prints_stacks, 0, WAYS);
	tcase_add_test(tests, test_kernel_stacks_alone);
	tcase_add_test(tests, test_names_after_move_to_other_cpu);
	tcase_add_test(tests, test_counts_after_move_to_other_cpu);
	tcase_add_test(tests, test_stacks_only_if_requested);
	tcase_add_loop_test(tests, test_replay_prints_same_stacks, 0, WAYS);
	tcase_add_loop_test(tests, test_perf_script, 0, WAYS);
	tcase_add_test(tests, test_build_ids);
	tcase_add_test(tests, test_perf_beside);
	tcase_add_loop_test(tests, test_foreign_programs_have_stacks, 0, WAYS);
	tcase_add_test(tests, test_flight_has_kernel_names);
	suite_add_tcase(suite, tests);
	return suite;
}

int main(int argc, char **argv)
{
	static const suite_fn suites[] = { recorded_stacks_suite };

	if (argc > 1 && !strcmp(argv[1], "work"))
		return work(CALLS);
	if (argc > 1 && !strcmp(argv[1], "move"))
		return work_on_other_cpu();
	return harness__main(argc, argv, suites, 1);
}

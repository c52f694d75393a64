// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* test_replay_events.c: events that stock perf records here, printed by peat replay as by perf. */
#include <glob.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "support/machine/command.h"
#include "support/machine/harness.h"
#include "support/machine/mounts.h"
#include "support/perf/perf_compare.h"
#include "support/machine/process.h"
#include "support/perf/stock_perf.h"
#include "support/machine/json_event.h"

static char program[PATH_MAX];

static void setup(void)
{
	ck_assert_msg(realpath(command__peat(), program), "no %s", command__peat());
	ck_assert_int_eq(setenv("PEAT", program, 1), 0);
	stock_perf__setup();
}

#define REPLAY(...) ARGV(program, "replay", ##__VA_ARGS__)

static struct json_lines replay(struct command *peat, const char *const *argv)
{
	command__run(peat, ALL_CAPS, argv);
	ck_assert_msg(peat->status == 0 &&
			      (!*peat->err_text || strstr(peat->err_text, "have no names")),
		      "status %d: %s", peat->status, peat->err_text);
	return json_lines__split(peat->out_text);
}

/* Registers and memory are printed unless the stack is unwound from them. */
static size_t compare(const char *path, const char *members, const char *types)
{
	const char *symbols = strstr(members, "stack_user") ? "--no-symbols" : "-q";
	struct command peat;
	struct json_lines events = replay(&peat, REPLAY("-j", "-q", symbols, path, "@all"));
	size_t samples = perf_compare__all(&events, path, members, types);

	json_lines__free(&events);
	command__free(&peat);
	return samples;
}

/* ---- options of perf record ------------------------------------------------------------------ */

/* Uses a CPU for some time and starts some processes. */
#define WORK "sh -c 'i=0; while [ $i -lt 20000 ]; do i=$((i+1)); done; ls / >/dev/null; true'"

/*
 * Whether perf reads what it recorded.  Version 6.1 was seen to end early ("Aborted") beside BPF
 * programs of others that came and went.
 */
static bool does_perf_read(const char *path)
{
	struct command perf;
	int status;

	command__run(
		&perf, ALL_CAPS,
		ARGV("sh", "-c", "perf script -D -F event,trace -i \"$0\" >/dev/null 2>&1", path));
	status = perf.status;
	command__free(&perf);
	if (status > 128)
		printf("# perf ended with status %d when it read its recording\n", status);
	return status <= 128;
}

#define TRIES 5

/* Makes a file named recording; `output` is like "-o recording". */
static void record(const char *options, const char *output)
{
	char line[400];
	int tries = 0;

	ck_assert_int_lt(snprintf(line, sizeof(line),
				  "perf record -q --no-bpf-event %s %s -- " WORK, options, output),
			 (int)sizeof(line));
	do
		free(stock_perf__shell(line));
	while (!does_perf_read("recording") && ++tries < TRIES);
}

#define NAMED "COMM EXIT MMAP2 "

static const struct {
	const char *options;
	const char *members; /* that each sample has */
	const char *types;   /* records other than samples */
} recordings[] = {
	{ "-e cpu-clock", "ip period", NAMED },
	{ "-e cpu-clock,page-faults,context-switches", "ip id period", NAMED "FORK" },
	{ "-e cpu-clock -a", "ip period", NAMED "FORK MMAP" },
	{ "-e cpu-clock -a -g", "ip stack[0].address", NAMED },
	{ "-e cpu-clock --call-graph dwarf,512", "regs_user.sp stack_user", NAMED },
	{ "-e task-clock -s", "ip", NAMED "READ" },
	{ "-e cpu-clock -a -g -z", "ip stack[0].address", NAMED },
	{ "-e page-faults -c 1 -d", "addr data_src", NAMED },
	{ "-e page-faults -c 1 -d --phys-data", "addr phys_addr", NAMED },
	{ "-e page-faults -c 1 -d --data-page-size --code-page-size",
	  "data_page_size code_page_size", NAMED },
	{ "-e page-faults -c 1 -W", "weight", NAMED },
	{ "-e cpu-clock -a --overwrite", "ip", NAMED },
	{ "-e cpu-clock -a --threads", "ip", NAMED },
	{ "-e cpu-clock -a -z --threads", "ip", NAMED },
	{ "-e cpu-clock -a --threads=core", "ip", NAMED },
	{ "-e cpu-clock --namespaces", "ip", NAMED "NAMESPACES" },
	{ "-e cpu-clock --all-cgroups", "cgroup", NAMED "CGROUP" },
	{ "-e page-faults -c 1 --sample-cpu", "ip", NAMED },
	{ "-e cpu-clock --intr-regs=ax,ip,sp --user-regs=bx,sp",
	  "regs_intr.ax regs_intr.ip regs_intr.sp", NAMED },
	{ "-e cpu-clock -k CLOCK_MONOTONIC", "ip", NAMED },
	{ "-e '{cpu-clock,page-faults,context-switches}:S'",
	  "read.values[2].value read.values[0].event", NAMED },
	{ "-e '{cpu-clock,page-faults}:S' -a --running-time", "read.time_running_ns", NAMED },
	{ "-e cpu-clock --no-inherit", "ip", NAMED },
	{ "-e cpu-clock --per-thread", "ip", NAMED },
	{ "-e cpu-clock -F 20000 --no-timestamp", "ip", NAMED "FORK" },
	{ "-e cpu-clock/name=mine/", "ip", NAMED },
	{ "-e cpu-clock,dummy --switch-events -a", "ip", NAMED "SWITCH_CPU_WIDE" },
	{ "-e cpu-clock --switch-events", "ip", NAMED "SWITCH" },
	{ "-e cpu-clock --buildid-mmap", "ip", NAMED },
	{ "-e cpu-clock --no-buildid --no-bpf-event", "ip", NAMED },
	{ "-e cpu-clock --aio", "ip", NAMED },
	{ "-e cpu-clock --data", "addr", NAMED },
	{ "-e cpu-clock --transaction", "transaction", NAMED },
	{ "-e cpu-clock -F 20000 -m 1 --call-graph dwarf,2048", "stack_user", "LOST" },
	{ "-e cpu-clock --synth=no", "ip", "" },
	{ "-e cpu-clock --tail-synthesize -a --overwrite", "ip", NAMED },
};

#define RECORDINGS (int)(sizeof(recordings) / sizeof(*recordings))

START_TEST(test_samples_match_perf)
{
	need_perf();
	record(recordings[_i].options, "-o recording");
	ck_assert_msg(compare("recording", recordings[_i].members, recordings[_i].types),
		      "no samples: %s", recordings[_i].options);
}
END_TEST

/* ---- losses ---------------------------------------------------------------------------------- */

/* CPU and losses of each counter, from perf's dump: the CPU by the counter's id in the ID_INDEX. */
#define PERF_LOSSES                                                                                \
	"perf report -D -i recording 2>/dev/null | awk '/ \\.\\.\\. id: / { cpu[$3] = $7 } "       \
	"/RECORD_LOST_SAMPLES: id:/ { sub(/.*id:/, \"\"); split($0, at, /[: ]+/); "                \
	"print cpu[at[1]], at[4] }' | sort > theirs; wc -l < theirs"

/* Writes "CPU LOSSES" for each LOST_SAMPLES to `ours`; returns the sum of the losses by `record`.
 */
static long long write_losses(const struct json_lines *events, const char *record)
{
	FILE *ours = fopen("ours", "we");
	long long sum = 0;

	ck_assert_ptr_nonnull(ours);
	for (size_t i = 0; i < events->count; i++) {
		const char *line = events->lines[i];

		if (strcmp(json_lines__text(line, "type"), "lost") != 0 ||
		    strcmp(json_lines__text(line, "record"), record) != 0)
			continue;
		fprintf(ours, "%lld %lld\n", json_lines__number(line, "cpu"),
			json_lines__number(line, "events"));
		sum += json_lines__number(line, "events");
	}
	ck_assert_int_eq(fclose(ours), 0);
	return sum;
}

/* The losses of each counter have its CPU, and those of each record the sum of the statistics. */
START_TEST(test_losses_match_perf)
{
	struct command peat, stats;
	struct json_lines events;
	char *counters;

	need_perf();
	record("-e cpu-clock,task-clock -a -F 20000 -m 1 --call-graph dwarf,8192", "-o recording");
	counters = stock_perf__shell(PERF_LOSSES);
	if (!atoi(counters)) {
		free(counters);
		skip("perf counted no losses");
	}
	free(counters);
	events = replay(&peat, REPLAY("-j", "-q", "recording"));
	command__run(&stats, ALL_CAPS, REPLAY("-j", "--stats", "recording"));
	ck_assert_int_eq(write_losses(&events, "LOST"), json_lines__number(stats.out_text, "lost"));
	ck_assert_int_eq(write_losses(&events, "LOST_SAMPLES"),
			 json_lines__number(stats.out_text, "lost_samples"));
	free(stock_perf__shell("sort ours | cmp theirs -"));
	json_lines__free(&events);
	command__free(&stats);
	command__free(&peat);
}
END_TEST

/* ---- tracepoints ----------------------------------------------------------------------------- */

static const struct {
	const char *options, *members;
} tracepoints[] = {
	{ "-e sched:sched_switch -a", "prev_comm prev_pid next_pid" },
	{ "-e sched:sched_process_exec -e sched:sched_process_fork", "comm" },
	{ "-e 'sched:sched_process_*' -e cpu-clock -a -g", "stack" },
	{ "-e raw_syscalls:sys_enter", "args[5]" },
	{ "-e sched:sched_wakeup -a -z", "target_cpu" },
};

#define TRACEPOINTS (int)(sizeof(tracepoints) / sizeof(*tracepoints))

START_TEST(test_tracepoints_match_perf)
{
	need_perf();
	mounts__need_tracefs();
	record(tracepoints[_i].options, "-o recording");
	ck_assert_uint_gt(compare("recording", tracepoints[_i].members, NAMED), 0);
}
END_TEST

START_TEST(test_tracepoint_through_a_pipe)
{
	need_perf();
	mounts__need_tracefs();
	record(tracepoints[_i].options, "-o - >recording");
	ck_assert_uint_gt(compare("recording", tracepoints[_i].members, NAMED), 0);
}
END_TEST

/* ---- pipes ----------------------------------------------------------------------------------- */

static const struct {
	const char *options, *members;
} pipes[] = {
	{ "-e cpu-clock", "ip period" },
	{ "-e cpu-clock,page-faults -a -g", "stack" },
	{ "-e '{cpu-clock,page-faults}:S'", "read.values[1].event" },
	{ "-e cpu-clock --call-graph dwarf,512 -z", "regs_user.sp stack_user" },
};

#define PIPES (int)(sizeof(pipes) / sizeof(*pipes))

START_TEST(test_pipes_match_perf)
{
	need_perf();
	record(pipes[_i].options, "-o - >recording");
	ck_assert_uint_gt(compare("recording", pipes[_i].members, NAMED), 0);
}
END_TEST

/* Standard input may be a file or a pipe. */
START_TEST(test_standard_input)
{
	struct command peat;
	struct json_lines events;
	char *piped;

	need_perf();
	record("-e cpu-clock -a", "-o recording");
	piped = stock_perf__shell("cat recording | $PEAT replay -q -j - @all");
	events = json_lines__split(piped);
	ck_assert_uint_gt(perf_compare__all(&events, "recording", "ip", NAMED), 0);
	json_lines__free(&events);
	free(piped);
	command__run(&peat, ALL_CAPS, ARGV("sh", "-c", "$PEAT replay -q -j - @sample <recording"));
	ck_assert_int_eq(peat.status, 0);
	ck_assert_str_ne(peat.out_text, "");
	command__free(&peat);
}
END_TEST

/*
 * Text that a program, or perf itself, prints into the pipe after perf's last record is no damage.
 */
START_TEST(test_text_after_the_end)
{
	struct command peat;
	char *events;

	need_perf();
	record("-e cpu-clock", "-o - >recording");
	events = stock_perf__shell("$PEAT replay -q -j recording");
	free(stock_perf__shell(
		"echo '[ perf record: Woken up 1 times to write data ]' >>recording"));
	command__run(&peat, ALL_CAPS, REPLAY("-q", "-j", "recording"));
	ck_assert_int_eq(peat.status, 0);
	ck_assert_msg(!strcmp(peat.out_text, events), "other events than before");
	command__free(&peat);
	free(events);
}
END_TEST

/* Events are printed before the writer ends, after perf's next round at the latest. */
START_TEST(test_printed_while_writer_runs)
{
	struct command peat;

	need_perf();
	command__start(&peat, ALL_CAPS,
		       ARGV("sh", "-c",
			    "{ perf record -q --no-bpf-event -e cpu-clock -a -o - -- sleep 30 & "
			    "echo $! >writer; "
			    "wait; } | exec $PEAT replay -q -j -"));
	command__expect(peat.out, "{\"type\":\"cpu-clock\"");
	command__expect(peat.out, "{\"type\":\"cpu-clock\"");
	ck_assert(command__is_running(&peat));
	free(stock_perf__shell("pkill -TERM -P $(cat writer) sleep; sleep 0.1; "
			       "kill $(cat writer) 2>/dev/null || true"));
	command__finish(&peat);
	ck_assert_int_eq(peat.status, 0);
	command__free(&peat);
}
END_TEST

/* ---- files ----------------------------------------------------------------------------------- */

/* The files are named by the time of day, and each is whole. */
START_TEST(test_switched_output)
{
	glob_t files;

	need_perf();
	free(stock_perf__shell(
		"perf record -q --no-bpf-event -e cpu-clock -a -g --switch-output -o recording -- "
		"sh -c 'for part "
		"in 1 2 3; do i=0; while [ $i -lt 30000 ]; do i=$((i+1)); done; kill -USR2 $PPID; "
		"sleep 0.3; done' 2>&1"));
	ck_assert_int_eq(glob("recording.2*", 0, NULL, &files), 0);
	ck_assert_uint_ge(files.gl_pathc, 3);
	for (size_t i = 0; i < files.gl_pathc; i++)
		compare(files.gl_pathv[i], "ip", "");
	globfree(&files);
}
END_TEST

/* Times like "2026-11-21T23:57:14.123456789Z".  perf can print them only for recordings with -k. */
START_TEST(test_time_of_day)
{
	struct command peat;
	struct json_lines events;
	char *perfs, *line, *save = NULL;

	need_perf();
	record("-e cpu-clock -k CLOCK_MONOTONIC", "-o recording");
	perfs = stock_perf__shell("TZ=UTC perf script -F tod --ns -i recording");
	events = replay(&peat, REPLAY("-q", "-j", "-T", "recording"));
	line = strtok_r(perfs, "\n", &save);
	for (size_t i = 0; i < events.count; i++, line = strtok_r(NULL, "\n", &save)) {
		char day[16], clock[32], wanted[64];

		ck_assert_ptr_nonnull(line);
		ck_assert_int_eq(sscanf(line, "%15s %31[0-9:.]", day, clock), 2);
		snprintf(wanted, sizeof(wanted), "%sT%sZ", day, clock);
		ck_assert_str_eq(json_event__text(events.lines[i], "time"), wanted);
	}
	ck_assert_uint_gt(events.count, 0);
	ck_assert_ptr_null(line);
	json_lines__free(&events);
	command__free(&peat);
	free(perfs);
	record("-e cpu-clock", "-o recording");
	command__run(&peat, ALL_CAPS, REPLAY("-q", "-T", "recording"));
	ck_assert_int_eq(peat.status, 1);
	ck_assert_ptr_nonnull(strstr(peat.err_text, "CLOCK_MONOTONIC"));
	ck_assert_str_eq(peat.out_text, "");
	command__free(&peat);
}
END_TEST

/* perf prints cgroups by path only: "   12  /user.slice". */
START_TEST(test_cgroups_match_perf)
{
	struct command peat;
	struct json_lines events;
	unsigned long samples = 0;
	char *perfs, *save = NULL;

	need_perf();
	record("-e cpu-clock --all-cgroups -a", "-o recording");
	perfs = stock_perf__shell("perf report --stdio -q -F sample,cgroup -w 10,400 -i recording "
				  "2>/dev/null | grep -v '^$'");
	events = replay(&peat, REPLAY("-q", "-j", "recording", "@cgroup", "@sample"));
	for (char *line = strtok_r(perfs, "\n", &save); line; line = strtok_r(NULL, "\n", &save)) {
		unsigned long count, id = 0;
		char path[400];

		ck_assert_msg(sscanf(line, "%lu %399s", &count, path) == 2, "%s", line);
		for (size_t i = 0; i < events.count; i++) {
			const char *event = events.lines[i];

			if (!strcmp(json_event__text(event, "type"), "@cgroup") &&
			    !strcmp(json_event__text(event, "path"), path))
				id = json_event__number(event, "id");
			else if (*json_event__text(event, "type") != '@' && id &&
				 json_event__number(event, "cgroup") == id)
				count--, samples++;
		}
		ck_assert_msg(!count, "%lu less of %s", count, path);
	}
	ck_assert_uint_gt(samples, 0);
	json_lines__free(&events);
	command__free(&peat);
	free(perfs);
}
END_TEST

static Suite *events_suite(void)
{
	TCase *tests;
	Suite *suite = harness__suite("replay_events", 60, &tests);

	tcase_add_checked_fixture(tests, setup, stock_perf__teardown);
	tcase_add_loop_test(tests, test_samples_match_perf, 0, RECORDINGS);
	tcase_add_test(tests, test_losses_match_perf);
	tcase_add_loop_test(tests, test_tracepoints_match_perf, 0, TRACEPOINTS);
	tcase_add_loop_test(tests, test_tracepoint_through_a_pipe, 0, TRACEPOINTS);
	tcase_add_loop_test(tests, test_pipes_match_perf, 0, PIPES);
	tcase_add_test(tests, test_standard_input);
	tcase_add_test(tests, test_text_after_the_end);
	tcase_add_test(tests, test_printed_while_writer_runs);
	tcase_add_test(tests, test_switched_output);
	tcase_add_test(tests, test_time_of_day);
	tcase_add_test(tests, test_cgroups_match_perf);
	return suite;
}

int main(int argc, char **argv)
{
	static const suite_fn suites[] = { events_suite };

	return harness__main(argc, argv, suites, 1);
}

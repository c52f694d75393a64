// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * test_skipped_runs.c: the command shows runs that the kernel skipped: in summaries, tables,
 * recordings and dumps, and by --fail-on-loss.
 *
 * Each call makes an event, and a run that is skipped: see bpf/skipped_tp.bpf.c and
 * bpf/skipped.bpf.c.
 */
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>
#include <bpf/bpf.h>

#include "support/machine/command.h"
#include "support/machine/harness.h"
#include "support/machine/mounts.h"
#include "support/machine/object.h"
#include "support/machine/process.h"
#include "support/recording/json_lines.h"

EMBED_OBJECT(skipped)
EMBED_OBJECT(skipped_tp)

#define PEAT   command__peat()
#define CALLS  40
#define OBJECT "/tmp/skipped_tp.bpf.o"
#define DATA   "/tmp/skipped.data"

static char only_pid[32];

static void setup(void)
{
	FILE *file;

	mounts__own_bpffs();
	mounts__need_tracefs();
	file = fopen(OBJECT, "we");
	ck_assert_ptr_nonnull(file);
	ck_assert_uint_eq(fwrite(skipped_tp_object.bytes, *skipped_tp_object.count, 1, file), 1);
	ck_assert_int_eq(fclose(file), 0);
	snprintf(only_pid, sizeof(only_pid), "only_pid=%d", (int)getpid());
}

static void call(int times)
{
	for (int i = 0; i < times; i++) {
		prctl(PR_SET_NAME, "skipped"); /* runs skipped_tp */
		syscall(SYS_getpgid, 0);       /* runs skipped */
	}
}

/* Runs peat with these arguments, -v among them, while CALLS calls are made. */
static void run(struct command *peat, const char *const *argv)
{
	command__start(peat, ALL_CAPS, argv);
	command__expect(peat->err, " attached");
	call(CALLS);
	kill(peat->pid, SIGINT);
	command__finish(peat);
}

/* Before Linux 6.7, the kernel skips these runs, too, but counts none. */
static bool counts_skipped_tp(void)
{
	struct bpf_object *object = object__open(&skipped_tp_object);
	struct bpf_link *calls, *signals;
	uint64_t misses;

	*(uint32_t *)object__variable(object, "only_pid", sizeof(uint32_t)) = (uint32_t)getpid();
	object__load(object);
	calls = object__attach(object, "of_name");
	signals = object__attach(object, "of_signal");
	call(1);
	misses = object__misses(object, "of_signal");
	bpf_link__destroy(calls);
	bpf_link__destroy(signals);
	bpf_object__close(object);
	return misses;
}

static void check_text(const char *text, const char *part)
{
	ck_assert_msg(strstr(text, part), "'%s' is not in: %s", part, text);
}

START_TEST(test_summary_counts_skipped_runs)
{
	struct command peat;

	if (!counts_skipped_tp())
		skip("this kernel does not count skipped runs of tracepoints (Linux 6.7)");
	run(&peat, ARGV(PEAT, "trace", "-v", OBJECT, "--set", only_pid));
	ck_assert_int_eq(peat.status, 0);
	check_text(peat.err_text, " s, 0 lost, 40 runs skipped\n");
	check_text(peat.err_text, "\n  skipped                    40  runs of programs");
	check_text(peat.err_text, "= delivered                40\n");
	ck_assert_uint_eq(command__missed(&peat), 40);
	command__free(&peat);
	run(&peat, ARGV(PEAT, "trace", "-v", OBJECT, "--set", only_pid, "--fail-on-loss"));
	ck_assert_int_eq(peat.status, 3);
	command__free(&peat);
	run(&peat, ARGV(PEAT, "trace", "-v", OBJECT, "--set", only_pid, "--fail-on-loss",
			"--no-prog", "of_signal"));
	ck_assert_int_eq(peat.status, 0);
	ck_assert_ptr_null(strstr(peat.err_text, "runs skipped"));
	command__free(&peat);
}
END_TEST

START_TEST(test_table_counts_skipped_runs)
{
	struct command peat;

	if (!counts_skipped_tp())
		skip("this kernel does not count skipped runs of tracepoints (Linux 6.7)");
	run(&peat, ARGV(PEAT, "count", "-v", "-j", OBJECT, "--by", "of_signal", "--set", only_pid));
	check_text(peat.out_text, ",\"lost\":0,\"skipped\":40,\"rows\":[{\"of_signal\":0,"
				  "\"count\":40}]}");
	check_text(peat.err_text, " s, 0 lost, 40 runs skipped\n");
	command__free(&peat);
}
END_TEST

START_TEST(test_recording_counts_skipped_runs)
{
	struct command peat;

	if (!counts_skipped_tp())
		skip("this kernel does not count skipped runs of tracepoints (Linux 6.7)");
	run(&peat, ARGV(PEAT, "record", "-v", OBJECT, "--set", only_pid, "-o", DATA));
	check_text(peat.err_text, " s, 0 lost, 40 runs skipped\n");
	command__free(&peat);
	command__run(&peat, ALL_CAPS, ARGV(PEAT, "replay", "--stats", DATA));
	check_text(peat.out_text, "\n            40  skipped\n");
	command__free(&peat);
	command__run(&peat, ALL_CAPS, ARGV(PEAT, "replay", "--stats", "-j", DATA));
	ck_assert_int_eq(json_lines__number(peat.out_text, "ledger.skipped"), 40);
	command__free(&peat);
	command__run(&peat, ALL_CAPS, ARGV(PEAT, "replay", "--fail-on-loss", DATA));
	check_text(peat.err_text, "peat: 40 events, 0 lost, 40 runs skipped\n");
	ck_assert_int_eq(peat.status, 3);
	command__free(&peat);
	command__run(&peat, ALL_CAPS, ARGV(PEAT, "count", "-j", DATA, "--by", "of_signal"));
	check_text(peat.out_text, ",\"lost\":0,\"skipped\":40,\"rows\":[");
	ck_assert_int_eq(peat.status, 0);
	command__free(&peat);
	unlink(DATA);
}
END_TEST

START_TEST(test_dump_counts_skipped_runs)
{
	struct command peat;

	if (!counts_skipped_tp())
		skip("this kernel does not count skipped runs of tracepoints (Linux 6.7)");
	run(&peat,
	    ARGV(PEAT, "record", "-v", "--flight", "64K", OBJECT, "--set", only_pid, "-o", DATA));
	check_text(peat.err_text, DATA ".1: 40 events of ");
	check_text(peat.err_text, ", 40 runs skipped: rings exchanged in ");
	command__free(&peat);
	command__run(&peat, ALL_CAPS, ARGV(PEAT, "replay", "--stats", DATA ".1"));
	check_text(peat.out_text, "\n            40  skipped\n");
	command__free(&peat);
	unlink(DATA ".1");
}
END_TEST

/* ---- programs of others ---------------------------------------------------------------------- */

static struct bpf_object *object;
static struct bpf_link *links[2];

static void set(const char *name, uint32_t value)
{
	*(volatile uint32_t *)object__variable(object, name, sizeof(value)) = value;
}

static void load(void)
{
	static const char *const tracepoints[] = { "sys_enter", "signal_generate" };
	struct bpf_program *program;

	object = object__open(&skipped_object);
	object__load(object);
	set("only_pid", (uint32_t)getpid());
	set("call_number", SYS_getpgid);
	program = bpf_object__find_program_by_name(object, "twice_raw");
	for (int i = 0; i < 2; i++) {
		links[i] = bpf_program__attach_raw_tracepoint(program, tracepoints[i]);
		ck_assert_ptr_nonnull(links[i]);
	}
	ck_assert_int_eq(bpf_obj_pin(object__map_fd(object, "raw"), "/sys/fs/bpf/raw"), 0);
}

/* Only runs since the start of peat are counted. */
START_TEST(test_programs_of_others)
{
	unsigned long long events, lost, skipped = 0;
	struct command peat;
	const char *total;

	load();
	call(7);
	run(&peat, ARGV(PEAT, "trace", "-v", "--steal", "--map", "/sys/fs/bpf/raw"));
	total = strstr(peat.err_text, " events in ");
	ck_assert_msg(total, "%s", peat.err_text);
	while (total > peat.err_text && total[-1] != ' ')
		total--;
	ck_assert_int_ge(
		sscanf(total, "%llu events in %*f s, %llu lost, %llu", &events, &lost, &skipped),
		2);
	ck_assert_uint_eq(events + skipped, CALLS * 2);
	ck_assert_uint_eq(lost, 0);
	command__free(&peat);
	bpf_link__destroy(links[0]);
	bpf_link__destroy(links[1]);
	bpf_object__close(object);
}
END_TEST

/* ---------------------------------------------------------------------------------------------- */

static Suite *skipped_suite(void)
{
	TCase *tests;
	Suite *suite = harness__suite("skipped", 120, &tests);

	tcase_add_checked_fixture(tests, setup, NULL);
	tcase_add_test(tests, test_summary_counts_skipped_runs);
	tcase_add_test(tests, test_table_counts_skipped_runs);
	tcase_add_test(tests, test_recording_counts_skipped_runs);
	tcase_add_test(tests, test_dump_counts_skipped_runs);
	tcase_add_test(tests, test_programs_of_others);
	return suite;
}

int main(int argc, char **argv)
{
	static const suite_fn suites[] = { skipped_suite };

	return harness__main(argc, argv, suites, 1);
}

// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* test_replay.c: peat replay of recordings of stock perf, made here and in other projects. */
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "support/machine/command.h"
#include "support/machine/harness.h"
#include "support/recording/json_lines.h"
#include "support/machine/process.h"
#include "support/perf/stock_perf.h"

static char program[PATH_MAX], corpus[PATH_MAX];

static void find_corpus(void)
{
	const char *named = getenv("PEAT_CORPUS");
	char *path = realpath(named ? named : "../shared/corpus", corpus);

	if (!path)
		*corpus = '\0';
}

/* Resolves both paths before the directory changes: they may be relative. */
static void setup(void)
{
	ck_assert_msg(realpath(command__peat(), program), "no %s", command__peat());
	find_corpus();
	stock_perf__setup();
}

#define REPLAY(...) ARGV(program, "replay", ##__VA_ARGS__)

static void replay(struct command *peat, int status, const char *const *argv)
{
	command__run(peat, 0, argv);
	ck_assert_msg(peat->status == status, "status %d, not %d: %s", peat->status, status,
		      peat->err_text);
	if (!status)
		ck_assert_str_eq(peat->err_text, "");
}

static void check_stats(const char *file)
{
	char *types = stock_perf__shell("perf script -D -i recording 2>/dev/null | "
					"grep -a -o 'PERF_RECORD_[A-Z0-9_]*' | "
					"sed s/PERF_RECORD_// | sort | uniq -c");
	char *events = stock_perf__shell("perf script -F event -i recording 2>/dev/null | "
					 "tr -d ' ' | sed 's/:$//' | sort | uniq -c");
	struct command peat;

	ck_assert_str_ne(types, "");
	ck_assert_str_ne(events, "");
	replay(&peat, 0, REPLAY("--stats", "-j", file));
	stock_perf__check_counts(peat.out_text, "records", types);
	stock_perf__check_counts(peat.out_text, "samples", events);
	ck_assert_str_eq(json_lines__text(peat.out_text, "end"), "whole");
	ck_assert_int_gt(json_lines__number(peat.out_text, "last_ns"),
			 json_lines__number(peat.out_text, "first_ns"));
	command__free(&peat);
	free(types);
	free(events);
}

START_TEST(test_stats_of_a_file)
{
	need_perf();
	free(stock_perf__shell("perf record -q --no-bpf-event -o recording -e cpu-clock -e "
			       "page-faults -a -- ls / >/dev/null"));
	check_stats("recording");
}
END_TEST

START_TEST(test_stats_of_a_compressed_file)
{
	need_perf();
	free(stock_perf__shell(
		"perf record -q --no-bpf-event -z -o recording -e cpu-clock -e page-faults -- "
		"ls / >/dev/null"));
	check_stats("recording");
}
END_TEST

/* Through a pipe and as a file, the output of `perf record -o -` is read alike. */
START_TEST(test_stats_of_a_pipe)
{
	struct command peat;
	char *piped;

	need_perf();
	free(stock_perf__shell("perf record -q --no-bpf-event -o - -e cpu-clock -e page-faults -- "
			       "true >recording"));
	check_stats("recording");
	replay(&peat, 0, REPLAY("--stats", "-j", "recording"));
	setenv("PEAT", program, 1);
	piped = stock_perf__shell("cat recording | $PEAT replay --stats -j -");
	ck_assert_str_eq(piped, peat.out_text);
	free(piped);
	command__free(&peat);
}
END_TEST

START_TEST(test_stats_as_text)
{
	struct command peat;

	need_perf();
	free(stock_perf__shell(
		"perf record -q --no-bpf-event -o recording -e page-faults -c 1 -- true"));
	replay(&peat, 0, REPLAY("--stats", "recording"));
	ck_assert_ptr_nonnull(strstr(peat.out_text, "  SAMPLE\n"));
	ck_assert_ptr_nonnull(strstr(peat.out_text, "  page-faults\n"));
	ck_assert_ptr_nonnull(strstr(peat.out_text, " 0  lost\n"));
	command__free(&peat);
}
END_TEST

START_TEST(test_header_matches_perf)
{
	struct command peat;
	char *perfs, *save = NULL, host[256], wanted[300];
	unsigned lines = 0;

	need_perf();
	ck_assert_int_eq(gethostname(host, sizeof(host)), 0);
	free(stock_perf__shell(
		"perf record -q --no-bpf-event -o recording -e page-faults -- true"));
	replay(&peat, 0, REPLAY("--header", "-j", "recording"));
	snprintf(wanted, sizeof(wanted), "{\"feature\":\"HOSTNAME\",\"id\":3,\"hostname\":\"%s\"}",
		 host);
	ck_assert_ptr_nonnull(strstr(peat.out_text, wanted));
	ck_assert_int_eq(json_lines__kind(peat.out_text, "[0].feature"), JSON_STRING);
	command__free(&peat);
	replay(&peat, 0, REPLAY("--header", "recording"));
	perfs = stock_perf__shell("perf report --header-only -I -i recording | "
				  "grep -E '^# (host|os|perf|arch|nr|cpud|total|cmd|event)'");
	for (char *line = strtok_r(perfs, "\n", &save); line; line = strtok_r(NULL, "\n", &save)) {
		ck_assert_msg(stock_perf__has(peat.out_text, line), "no '%s' in: %s", line,
			      peat.out_text);
		lines++;
	}
	ck_assert_uint_ge(lines, 8);
	free(perfs);
	command__free(&peat);
}
END_TEST

/* Wherever the file is cut, the records before are read, and the message has the place. */
START_TEST(test_cut_recording_names_place)
{
	struct stat file;
	struct command peat;

	need_perf();
	free(stock_perf__shell(
		"perf record -q --no-bpf-event -o recording -e page-faults -c 1 -- ls / "
		">/dev/null"));
	ck_assert_int_eq(stat("recording", &file), 0);
	for (off_t size = (file.st_size - 1) / 4096 * 4096; size > 4096; size -= 4096) {
		ck_assert_int_eq(truncate("recording", size), 0);
		replay(&peat, 1, REPLAY("--stats", "-j", "recording"));
		ck_assert_ptr_nonnull(strstr(peat.err_text, "peat: recording is cut at byte "));
		ck_assert_ptr_eq(strchr(peat.err_text, '\n') + 1,
				 peat.err_text + strlen(peat.err_text));
		ck_assert_str_eq(json_lines__text(peat.out_text, "end"), "cut");
		ck_assert_int_gt(json_lines__number(peat.out_text, "end_offset"), 0);
		/* The first one; samples follow those of BPF programs, of which there may be many.
		 */
		ck_assert_int_gt(json_lines__number(peat.out_text, "records.MMAP"), 0);
		command__free(&peat);
	}
}
END_TEST

/* The header's sections follow the data, farther away than replay can read ahead in a pipe. */
START_TEST(test_header_out_of_reach)
{
	struct command peat;
	struct stat file;

	need_perf();
	free(stock_perf__shell(
		"perf record -q --no-bpf-event -o recording -e cpu-clock -F 5000 --call-graph "
		"dwarf,32768 -- sh -c 'i=0; while [ $i -lt 200000 ]; do "
		"i=$((i+1)); done' 2>/dev/null"));
	ck_assert_int_eq(stat("recording", &file), 0);
	ck_assert_int_gt(file.st_size, 20 << 20);
	setenv("PEAT", program, 1);
	command__run(&peat, ALL_CAPS,
		     ARGV("sh", "-c", "cat recording | $PEAT replay --stats -j -"));
	ck_assert_int_eq(peat.status, 0);
	ck_assert_ptr_nonnull(strstr(peat.err_text, "out of reach in a pipe"));
	ck_assert_str_eq(json_lines__text(peat.out_text, "end"), "whole");
	ck_assert_int_gt(json_lines__number(peat.out_text, "samples.cpu-clock"), 0);
	command__free(&peat);
	command__run(&peat, ALL_CAPS, ARGV("sh", "-c", "cat recording | $PEAT replay --header -"));
	ck_assert_int_eq(peat.status, 1);
	ck_assert_ptr_nonnull(strstr(peat.err_text, "out of reach in a pipe"));
	command__free(&peat);
}
END_TEST

static void refused(int status, const char *says, const char *const *argv)
{
	struct command peat;

	replay(&peat, status, argv);
	ck_assert_msg(strstr(peat.err_text, says), "no '%s' in: %s", says, peat.err_text);
	ck_assert_str_eq(peat.out_text, "");
	command__free(&peat);
}

START_TEST(test_unreadable_files)
{
	refused(1, "cannot read nothing: No such file or directory", REPLAY("--stats", "nothing"));
	refused(1, "cannot read /etc/passwd: it is no perf.data", REPLAY("--stats", "/etc/passwd"));
	refused(1, "cannot read /etc/passwd: it is no perf.data",
		REPLAY("--header", "/etc/passwd"));
	refused(64, "no recording, and no perf.data here: use peat replay", REPLAY("--stats"));
	refused(1, "cannot read recording: No such file", REPLAY("recording"));
	refused(64, "--stats cannot be used with --header",
		REPLAY("--stats", "--header", "recording"));
	refused(64, "print a whole recording", REPLAY("--stats", "one", "two"));
}
END_TEST

/* ---- recordings of other projects ------------------------------------------------------------ */

/* Samples per event, as stock perf 6.1 and 7.2 print them; the exit status of peat. */
static const struct {
	const char *file, *samples;
	int status;
} recordings[] = {
	{ "linux-perf-data__sleep.compressed.data", "8 cycles:P", 0 },
	{ "linux-perf-data__sleep.compressed2.pipe.data", "7 cycles:P", 0 },
	{ "linux-perf-data__sleep.data", "7 cycles:Pu", 0 },
	{ "quipper__perf.data.ctx_switch_namespaces-4.14", "2 cycles", 0 },
	{ "quipper__perf.data.lost_samples-4.4",
	  "97 cycles:pp\n80 instructions:pp\n14 branch-instructions:pp", 0 },
	{ "quipper__perf.data.group_desc-4.14", "7 cache-references\n6 branch-misses", 0 },
	{ "quipper__perf.data.intel_pt-4.14", "15 cycles", 0 },
	{ "quipper__perf.data.raw-3.4", "441 cycles", 0 },
	{ "quipper__perf.data.piped.corrupted.zero_size_sample-3.2", "", 1 },
	{ "quipper__perf.data.piped.header_features_aligned-6.12", "9 cycles:u", 0 },
	{ "quipper__perf.data.piped.no_attr_ids-4.14", "7 cycles", 0 },
	{ "quipper__perf.data.i686-3.4",
	  "155 instructions\n89 cache-misses\n95 branches\n101 branch-misses\n147 cycles\n"
	  "116 cache-references",
	  0 },
	{ "quipper__perf.data.hybrid_topology", "7 cpu_core/cycles:ppp/", 0 },
	{ "autofdo__ro_sample.perf", "13 cycles:u", 0 },
};

#define RECORDINGS (sizeof(recordings) / sizeof(*recordings))

/* The pipe is silent and stays open: a signal ends peat nevertheless. */
START_TEST(test_signal_before_the_header)
{
	char line[PATH_MAX + 200];

	snprintf(line, sizeof(line),
		 "mkfifo silent && exec 3<> silent || exit 1; %s replay - < silent & "
		 "sleep 1; kill -TERM $! && { wait $! && exit 1; [ $? = 143 ]; }",
		 program);
	free(stock_perf__shell(line));
}
END_TEST

START_TEST(test_recordings_of_others)
{
	if (!*corpus)
		skip("no recordings of others (PEAT_CORPUS)");
	ck_assert_int_eq(chdir(corpus), 0);
	for (size_t i = 0; i < RECORDINGS; i++) {
		char *samples = strdup(recordings[i].samples);
		struct command peat;

		replay(&peat, recordings[i].status, REPLAY("--stats", "-j", recordings[i].file));
		stock_perf__check_counts(peat.out_text, "samples", samples);
		command__free(&peat);
		replay(&peat, recordings[i].status, REPLAY("--header", recordings[i].file));
		command__free(&peat);
		free(samples);
	}
	printf("# %zu recordings of others\n", RECORDINGS);
}
END_TEST

/* Recordings of stock perf, as pipes have them: the events of both, one after the other. */
START_TEST(test_pipes_that_follow_each_other)
{
	char *differs;

	need_perf();
	differs = stock_perf__shellf(
		"for i in one two; do perf record -q --no-bpf-event -e page-faults -e cpu-clock "
		"-o - -- ls / 2>/dev/null | cat >$i; done; "
		"(%s replay -q -j one; %s replay -q -j two) >apart; "
		"cat one two | %s replay -q -j - >together; "
		"test -s apart && cmp apart together",
		program, program, program);
	ck_assert_str_eq(differs, "");
	free(differs);
}
END_TEST

static Suite *replay_suite(void)
{
	TCase *tests;
	Suite *suite = harness__suite("replay", 60, &tests);

	tcase_add_checked_fixture(tests, setup, stock_perf__teardown);
	tcase_add_test(tests, test_stats_of_a_file);
	tcase_add_test(tests, test_stats_of_a_compressed_file);
	tcase_add_test(tests, test_stats_of_a_pipe);
	tcase_add_test(tests, test_stats_as_text);
	tcase_add_test(tests, test_header_matches_perf);
	tcase_add_test(tests, test_cut_recording_names_place);
	tcase_add_test(tests, test_header_out_of_reach);
	tcase_add_test(tests, test_unreadable_files);
	tcase_add_test(tests, test_signal_before_the_header);
	tcase_add_test(tests, test_pipes_that_follow_each_other);
	tcase_add_test(tests, test_recordings_of_others);
	return suite;
}

int main(int argc, char **argv)
{
	static const suite_fn suites[] = { replay_suite };

	return harness__main(argc, argv, suites, 1);
}

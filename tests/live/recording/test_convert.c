// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* test_convert.c: recordings that peat convert makes, as stock perf reads them. */
#include <dirent.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include <peat/stacks.h>

#include "support/machine/command.h"
#include "support/machine/harness.h"
#include "support/machine/mounts.h"
#include "support/machine/process.h"
#include "support/perf/stock_perf.h"
#include "support/recording/pprof_file.h"

/* Uses a CPU for some time and starts some processes. */
#define WORK "sh -c 'i=0; while [ $i -lt 30000 ]; do i=$((i+1)); done; ls / >/dev/null; true'"

static char program[4096], corpus[4096];

static void setup(void)
{
	const char *directory = getenv("PEAT_CORPUS");

	ck_assert_msg(realpath(command__peat(), program), "no %s", command__peat());
	setenv("PEAT", program, 1);
	if (!realpath(directory ? directory : "../shared/corpus", corpus))
		*corpus = '\0';
	stock_perf__setup();
}

#define CONVERT(...) ARGV(program, "convert", ##__VA_ARGS__)

static void convert(struct command *peat, int status, const char *const *argv)
{
	command__run(peat, 0, argv);
	ck_assert_msg(peat->status == status, "status %d, not %d: %s", peat->status, status,
		      peat->err_text);
}

/* Nothing is printed for a whole recording. */
static void convert_quietly(const char *const *argv)
{
	struct command peat;

	convert(&peat, 0, argv);
	ck_assert_str_eq(peat.err_text, "");
	ck_assert_str_eq(peat.out_text, "");
	command__free(&peat);
}

#define do_shell(...) free(stock_perf__shellf(__VA_ARGS__))

/* ---- compared by perf and peat --------------------------------------------------------------- */

/* Records that depend on how the file is written, not on the recorded events. */
static bool is_of_shape(const char *type)
{
	return !strncmp(type, "COMPRESSED", strlen("COMPRESSED")) ||
	       !strcmp(type, "FINISHED_ROUND") || !strcmp(type, "ATTR") ||
	       !strcmp(type, "FEATURE") || !strcmp(type, "TRACING_DATA") ||
	       !strcmp(type, "EVENT_UPDATE") || !strcmp(type, "EVENT_TYPE");
}

/*
 * The lines of --stats, "   12  COMM", except those of is_of_shape(), and how the recording ends.
 */
static char *stats_of(const char *path)
{
	struct command peat;
	char *text, *save = NULL;
	FILE *kept;
	size_t bytes;

	command__run(&peat, 0, ARGV(program, "replay", "--stats", path));
	ck_assert_int_le(peat.status, 1);
	kept = open_memstream(&text, &bytes);
	for (char *line = strtok_r(peat.out_text, "\n", &save); line;
	     line = strtok_r(NULL, "\n", &save)) {
		char type[64];

		if ((sscanf(line, " %*u %63s", type) != 1 || !is_of_shape(type)) &&
		    strncmp(line, "end", 3) != 0)
			fprintf(kept, "%s\n", line);
	}
	fclose(kept);
	command__free(&peat);
	return text;
}

static void check_stats(const char *path, const char *made)
{
	char *theirs = stats_of(path), *ours = stats_of(made);

	ck_assert_str_eq(ours, theirs);
	free(theirs);
	free(ours);
}

/* Without names of functions: perf finds them by build ids, or not at all. */
#define SCRIPT "perf script -F comm,pid,tid,cpu,time,event,ip,trace -i"

/* perf script receives the fields of a pipe too late for -F to choose some. */
#define WHEN "sed -n 's/\\(\\] *[0-9.]*:\\).*/\\1/p'"

static void check_script(const char *path, const char *made)
{
	do_shell(SCRIPT " %s > theirs 2>/dev/null", path);
	do_shell(SCRIPT " %s > ours && test -s ours && cmp theirs ours", made);
}

static void check_bytes(const char *a, const char *b)
{
	do_shell("cmp %s %s", a, b);
}

/*
 * Converts to a plain file, a compressed file, once more, and through a pipe: all results are
 * equal.
 */
static void check_convert(const char *path)
{
	convert_quietly(CONVERT(path, "-o", "made"));
	check_stats(path, "made");
	convert_quietly(CONVERT("made", "-o", "again"));
	check_bytes("made", "again");
	convert_quietly(CONVERT(path, "-z", "-o", "packed"));
	check_stats(path, "packed");
	convert_quietly(CONVERT("packed", "-o", "again"));
	check_bytes("made", "again");
	do_shell("%s convert made -o - | cat > piped", program);
	check_stats(path, "piped");
	convert_quietly(CONVERT("piped", "-o", "again"));
	check_stats("made", "again");
}

static void check_recording(const char *options)
{
	do_shell("perf record -q --no-bpf-event %s -- " WORK, options);
	check_convert("recording");
	check_script("recording", "made");
	check_script("recording", "packed");
	check_script("recording", "again");
	do_shell("perf script -i recording | " WHEN " > theirs");
	do_shell("cat piped | perf script -i - | " WHEN
		 " > ours && test -s ours && cmp theirs ours");
}

START_TEST(test_converts_plain_recording)
{
	need_perf();
	check_recording("-e cpu-clock -a -g -o recording");
	do_shell("perf report --header-only -i recording | grep -v '^# \\(data \\|attr\\|feat\\|"
		 "captured\\|header\\|missing\\|event\\)' > theirs; "
		 "perf report --header-only -i made | grep -v '^# \\(data \\|attr\\|feat\\|"
		 "captured\\|header\\|missing\\|event\\)' > ours; cmp theirs ours");
	do_shell("perf buildid-list -i recording > theirs; perf buildid-list -i made > ours; "
		 "cmp theirs ours");
}
END_TEST

START_TEST(test_converts_compressed_recording)
{
	need_perf();
	check_recording("-z -e cpu-clock -a -g -o recording");
}
END_TEST

START_TEST(test_converts_pipe)
{
	need_perf();
	mounts__need_tracefs();
	do_shell("perf record -q --no-bpf-event -e sched:sched_switch,cpu-clock -a -o - -- " WORK
		 " > recording");
	check_convert("recording");
	check_script("recording", "made");
	do_shell("cat recording | %s convert - -o again", program);
	check_bytes("made", "again");
}
END_TEST

/* The kernel gives records that another program gets, too, a wrong size: see record/extent.h. */
START_TEST(test_two_recorders)
{
	need_perf();
	do_shell("load='%s trace -q open -d 0.1'; "
		 "perf record -q -F 10 -e cpu-clock -a -o other -- sleep 2 & sleep 0.2; "
		 "perf record -q -e cpu-clock -a -o recording -- sh -c \"$load; $load\" >opens; "
		 "wait",
		 program);
	convert_quietly(ARGV(program, "convert", "recording", "-o", "made"));
	do_shell("perf script -i made 2>&1 >lines | grep -c 'failed to process' | grep -x 0");
}
END_TEST

START_TEST(test_converts_directory)
{
	need_perf();
	check_recording("--threads -e cpu-clock -a -o recording");
}
END_TEST

START_TEST(test_converts_group)
{
	need_perf();
	check_recording("-e '{cpu-clock,task-clock,context-switches}:S' -a -o recording");
}
END_TEST

START_TEST(test_converts_tracepoints)
{
	need_perf();
	mounts__need_tracefs();
	check_recording("-e sched:sched_switch,sched:sched_wakeup -a -o recording");
}
END_TEST

/* ---- cut recordings -------------------------------------------------------------------------- */

/* Each sample that perf shows of the cut recording is one of the whole recording. */
static void check_cut(unsigned percent)
{
	struct command peat;

	do_shell("head -c $(($(stat -c %%s recording) * %u / 100)) recording > cut", percent);
	convert(&peat, 1, CONVERT("cut", "-o", "made"));
	ck_assert_msg(strstr(peat.err_text, "cut is cut at byte "), "%s", peat.err_text);
	command__free(&peat);
	check_stats("cut", "made");
	convert_quietly(CONVERT("made", "-o", "again"));
	check_bytes("made", "again");
	do_shell(
		"perf script -F cpu,time,event -i made | sort > ours; perf script -F "
		"cpu,time,event -i recording | sort > theirs; test -z \"$(comm -23 ours theirs)\"");
}

START_TEST(test_converts_cut_recordings)
{
	char *ours, *samples;

	need_perf();
	do_shell("perf record -q --no-bpf-event -e cpu-clock,task-clock -a -o recording -- " WORK);
	for (unsigned percent = 15; percent < 100; percent += 12)
		check_cut(percent);
	ours = stock_perf__shellf("wc -l < ours");
	samples = stock_perf__shellf(
		"%s replay --stats cut 2>/dev/null | awk '$2 == \"SAMPLE\" {print $1}'", program);
	ck_assert_str_eq(ours, samples);
	ck_assert_int_gt(atoi(ours), 0);
	free(ours);
	free(samples);
}
END_TEST

/* A perf.data has the formats at its end, and perf opens no recording without them. */
START_TEST(test_cut_tracepoints)
{
	struct command peat;
	char *count;

	need_perf();
	mounts__need_tracefs();
	do_shell("perf record -q --no-bpf-event -e sched:sched_switch -a -o recording -- " WORK);
	do_shell("printf '\\0\\0\\0\\0\\0\\0\\0\\0' | "
		 "dd of=recording bs=1 seek=48 conv=notrunc 2>/dev/null; "
		 "truncate -s -2000 recording");
	convert(&peat, 1, CONVERT("recording", "-o", "made"));
	ck_assert_msg(strstr(peat.err_text, "formats of its tracepoints are lost"), "%s",
		      peat.err_text);
	command__free(&peat);
	check_stats("recording", "made");
	count = stock_perf__shellf("perf script -i made 2>&1 | grep -c ': tracepoint '");
	ck_assert_int_gt(atoi(count), 0);
	free(count);
}
END_TEST

/* ---- recordings of other projects ------------------------------------------------------------ */

/* Old perfs refuse some recordings of newer ones; peat's copies of them they read. */
static bool perf_reads(const char *path)
{
	struct command perf;
	bool reads;

	command__run(&perf, ALL_CAPS, ARGV("perf", "script", "-i", path));
	reads = perf.status == 0;
	command__free(&perf);
	return reads;
}

/* Samples up to the address: its symbol depends on build ids, which perf may read later in a pipe.
 */
#define UP_TO_ADDRESS "sed -E 's/^(.*: +[0-9a-f]+) .*/\\1/'"

/* Lines of the header, without those about the file itself. */
#define HEADER_LINES                                                                               \
	"grep '^#' | grep -v '^# \\(data \\|attr\\|feat\\|captured\\|header\\|missing\\|=\\|"      \
	"contains AUX\\)' | sort"

/* Stock perf reads the same samples and features from a pipe as from the file `made`. */
static void check_piped(void)
{
	do_shell("%s convert made -o - | cat > piped", program);
	check_stats("made", "piped");
	do_shell("perf script -i made | " UP_TO_ADDRESS " > theirs");
	do_shell("cat piped | perf script -i - > samples; " UP_TO_ADDRESS
		 " < samples > ours; cmp theirs ours");
	do_shell("perf report -I --header-only -i made | " HEADER_LINES " > theirs");
	do_shell(
		"cat piped | perf report -I --header-only -i - > header; cat header | " HEADER_LINES
		" > ours; test -s ours; cmp theirs ours");
}

/* True if stock perf reads the recording, too: it shows the same of both. */
static bool check_recording_of_others(const char *path, int status)
{
	struct command peat;

	convert(&peat, status, CONVERT(path, "-o", "made"));
	command__free(&peat);
	check_stats(path, "made");
	convert_quietly(CONVERT("made", "-o", "again"));
	check_bytes("made", "again");
	do_shell("perf script -i made > ours");
	check_piped();
	if (!perf_reads(path))
		return false;
	do_shell("perf script -i made > ours; perf script -i %s > theirs; cmp theirs ours", path);
	return true;
}

START_TEST(test_converts_corpus)
{
	DIR *directory = *corpus ? opendir(corpus) : NULL;
	unsigned ran = 0, compared = 0;
	struct dirent *entry;
	char path[5000];

	if (!directory)
		skip("no recordings of others (PEAT_CORPUS)");
	need_perf();
	while ((entry = readdir(directory))) {
		if (entry->d_name[0] == '.' || strstr(entry->d_name, "README"))
			continue;
		snprintf(path, sizeof(path), "%s/%s", corpus, entry->d_name);
		compared += check_recording_of_others(path, !!strstr(entry->d_name, "corrupted"));
		ran++;
	}
	closedir(directory);
	ck_assert_uint_gt(compared, ran / 2);
	printf("# %u recordings of others, %u of them also read by stock perf\n", ran, compared);
}
END_TEST

/* ---- other formats --------------------------------------------------------------------------- */

START_TEST(test_converts_to_json)
{
	need_perf();
	do_shell("perf record -q --no-bpf-event -e cpu-clock -a -o recording -- " WORK);
	do_shell("%s convert recording --to json -o made 2>/dev/null; "
		 "%s replay -q -j recording @all > theirs; cmp theirs made; test -s made",
		 program, program);
	do_shell("%s convert recording --to json -o - 2>/dev/null | cmp - made", program);
	do_shell("grep -q '\"symbol\":' made && "
		 "%s convert recording --to json --no-symbols -o - 2>/dev/null > ours && "
		 "! grep -q '\"symbol\":' ours && "
		 "grep -o '\"address\":[^}]*' made > named && "
		 "grep -o '\"address\":[^}]*' ours | cmp - named",
		 program);
}
END_TEST

/* The counts add up to the number of samples, and functions that perf shows are in the stacks. */
START_TEST(test_converts_to_folded)
{
	char *ours, *theirs;

	need_perf();
	do_shell("perf record -q --no-bpf-event -e cpu-clock -a -g -o recording -- " WORK);
	do_shell("%s convert recording --to folded -o made", program);
	ours = stock_perf__shellf("awk '{n += $NF} END {print n}' made");
	theirs = stock_perf__shellf("perf script -F event -i recording | grep -c cpu-clock");
	ck_assert_str_eq(ours, theirs);
	do_shell("LC_ALL=C sort -c made; grep -q '^sh;' made; "
		 "! grep -v '^[^;]*\\(;[^;]*\\)* [0-9]*$' made");
	free(ours);
	free(theirs);
	/*
	 * The kernel's most frequent functions.  Of two names at one address, perf and peat may
	 * choose different ones.
	 */
	do_shell("perf script -F ip,sym -i recording | awk '$1 ~ /^ffff/ && $2 ~ /^[a-z_]/ "
		 "{print \";\" $2}' | sort | uniq -c | sort -n | tail -n 5 | awk '{print $2}' > "
		 "names; "
		 "test -s names && grep -qFf names made");
	convert_quietly(CONVERT("recording", "-o", "again"));
	do_shell("%s convert again --to folded -o ours", program);
	check_bytes("made", "ours");
	do_shell("%s convert recording --to folded --no-symbols -o ours && "
		 "! grep -qFf names ours && grep -q ';0xffff' ours && "
		 "grep -q '^sh;.*libc[^;]*]+0x' ours",
		 program);
}
END_TEST

static void refused(int status, const char *why, const char *const *argv)
{
	struct command peat;

	convert(&peat, status, argv);
	ck_assert_msg(strstr(peat.err_text, why), "no '%s' in: %s", why, peat.err_text);
	command__free(&peat);
}

static void check_sum_of_periods(const Profile__Profile *profile)
{
	char *periods = stock_perf__shellf("perf script -F period -i recording | "
					   "awk '{n += $1} END {printf \"%%d\", n}'");

	ck_assert_int_eq(pprof_file__sum(profile, 1), atoll(periods));
	free(periods);
}

/* A profile has all samples and periods, and a flame graph all samples. */
START_TEST(test_converts_to_pprof_and_flamegraph)
{
	Profile__Profile *profile;
	char *samples;

	need_perf();
	do_shell("perf record -q --no-bpf-event -k CLOCK_MONOTONIC -e cpu-clock -g -o recording "
		 "-- " WORK);
	do_shell("%s convert recording --to pprof -o made.pb.gz 2>/dev/null && "
		 "%s convert recording --to flamegraph -o made.svg 2>/dev/null",
		 program, program);
	samples = stock_perf__shellf("perf script -F event -i recording | grep -c cpu-clock");
	samples[strcspn(samples, "\n")] = 0;
	profile = pprof_file__read("made.pb.gz");
	ck_assert_int_eq(pprof_file__sum(profile, 0), atoll(samples));
	ck_assert_str_eq(profile->string_table[profile->sample_type[1]->type], "cpu");
	check_sum_of_periods(profile);
	ck_assert_int_gt(profile->time_nanos, 0);
	ck_assert_int_gt(profile->duration_nanos, 0);
	do_shell("grep -q '<g data-x=\"0\" data-w=\"%s\"><title>all$' made.svg && "
		 "grep -q '>[^<]*perf record .*</text>' made.svg && "
		 "grep -q '<title>sh$' made.svg",
		 samples);
	do_shell("%s convert recording --to folded --weight period -o made 2>/dev/null && "
		 "test \"$(awk '{n += $NF} END {printf \"%%d\", n}' made)\" = %lld",
		 program, (long long)pprof_file__sum(profile, 1));
	refused(1, "weight \"delay\": cpu-clock has no such field",
		CONVERT("recording", "--to", "pprof", "--weight", "delay", "-o", "made"));
	profile__profile__free_unpacked(profile, NULL);
	free(samples);
}
END_TEST

/* ---- usage ----------------------------------------------------------------------------------- */

/* ---- recordings of peat ---------------------------------------------------------------------- */

#define NAP_NS 20000000

/*
 * Tests are built without frame pointers, so its callers may be missing.  Not static, since names
 * of static functions may be missing in a stripped program.
 */
__attribute__((noinline)) void count_in_test(void);

static inline __attribute__((always_inline)) void count_inlined(void)
{
	for (volatile int i = 0; i < 100000; i++)
		;
}

void count_in_test(void)
{
	count_inlined();
}

__attribute__((noreturn)) static int count_and_nap(void *arg)
{
	const struct timespec nap = { .tv_nsec = NAP_NS };

	(void)arg;
	for (;;) {
		for (int i = 0; i < 50; i++)
			count_in_test();
		clock_nanosleep(CLOCK_MONOTONIC, 0, &nap, NULL);
	}
}

static void end_child(pid_t child)
{
	kill(child, SIGKILL);
	process__wait(child);
}

START_TEST(test_sampled_by_peat)
{
	pid_t child = process__start(count_and_nap, NULL);
	char *samples;

	do_shell("%s record -q -e cpu-clock -g -p %d -n 50 -o sampled", program, child);
	end_child(child);
	do_shell("%s convert sampled --to folded -o made 2>/dev/null && "
		 "%s convert sampled --to flamegraph -o made.svg 2>/dev/null",
		 program, program);
	samples = stock_perf__shellf("awk '{n += $NF} END {print n}' made");
	ck_assert_int_ge(atoi(samples), 50);
	do_shell("grep -q ';count_in_test' made && grep -q '<title>count_in_test$' made.svg");
	free(samples);
}
END_TEST

/* Not in virtual machines, for which debug information is removed. */
START_TEST(test_converts_with_lines)
{
	pid_t child;

	need_perf();
	child = process__start(count_and_nap, NULL);
	do_shell("perf record -q --no-bpf-event -e cpu-clock -g -p %d -o sampled -- sleep 0.3",
		 child);
	end_child(child);
	do_shell("%s convert sampled --to folded -o made 2>/dev/null && "
		 "grep -q ';count_in_test' made && ! grep -q count_inlined made",
		 program);
	do_shell("%s convert sampled --lines --to folded -o made 2>/dev/null && "
		 "grep -q ';count_in_test;count_inlined' made",
		 program);
	do_shell("%s convert sampled --lines --to flamegraph -o made.svg 2>/dev/null && "
		 "grep -A1 '<title>count_inlined$' made.svg | grep -q ', inlined$'",
		 program);
}
END_TEST

/* Naps last at least as long as they were asked for. */
START_TEST(test_converts_with_weight)
{
	pid_t child = process__start(count_and_nap, NULL);
	char *sum;

	do_shell("%s record -q offcpu -p %d --where 'duration > 15ms' -n 10 -o slept", program,
		 child);
	end_child(child);
	do_shell("%s convert slept --to folded --weight duration -o made 2>/dev/null && "
		 "%s convert slept --to flamegraph --weight duration -o made.svg 2>/dev/null && "
		 "%s convert slept --to pprof --weight duration -o made.pb.gz 2>/dev/null",
		 program, program, program);
	sum = stock_perf__shellf("grep nanosleep made | awk '{n += $NF} END {print n}'");
	ck_assert_int_ge(atoll(sum), 10LL * NAP_NS);
	do_shell("grep -q '>offcpu: [0-9]* samples, duration [0-9.]*m*s<' made.svg");
	free(sum);
}
END_TEST

START_TEST(test_usage_errors)
{
	refused(64, "no recording, and no perf.data here: use peat convert", CONVERT("-o", "out"));
	refused(64, "no output file: use -o OUT", CONVERT("file"));
	refused(64, "too many arguments: 'two'", CONVERT("one", "two", "-o", "out"));
	refused(64, "unknown format 'xml'", CONVERT("file", "--to", "xml", "-o", "out"));
	refused(64, "-z needs --to perf", CONVERT("file", "--to", "json", "-z", "-o", "out"));
	refused(64, "--no-symbols cannot be used with --to perf",
		CONVERT("file", "--no-symbols", "-o", "out"));
	refused(64, "--lines cannot be used with --to perf",
		CONVERT("file", "--lines", "-o", "out"));
	refused(64, "--weight needs --to folded",
		CONVERT("file", "--to", "json", "--weight", "period", "-o", "out"));
	refused(64, "'23' is not a compression level", CONVERT("file", "-z23", "-o", "out"));
	ck_assert_int_eq(access("out", F_OK), -1);
}
END_TEST

static void check_sum(const char *arguments, const char *events)
{
	char *ours, *theirs;

	do_shell("%s convert two %s --to folded -o made", program, arguments);
	ours = stock_perf__shellf("awk '{n += $NF} END {print n}' made");
	theirs = stock_perf__shellf("perf script -F event -i two | grep -cE '%s'", events);
	ck_assert_str_eq(ours, theirs);
	free(ours);
	free(theirs);
}

/* Samples of several events do not add up: one has to be chosen. */
START_TEST(test_folded_event)
{
	struct command peat;

	need_perf();
	do_shell("perf record -q --no-bpf-event -e cpu-clock,page-faults -a -g -o two -- " WORK);
	refused(1, "several events have stacks: cpu-clock, page-faults: choose one",
		CONVERT("two", "--to", "folded", "-o", "made"));
	do_shell("test ! -s made");
	check_sum("page-faults", "page-faults");
	check_sum("cpu-clock", "cpu-clock");
	check_sum("'*'", "cpu-clock|page-faults");
	command__run(&peat, ALL_CAPS, CONVERT("two", "cycles", "--to", "folded", "-o", "made"));
	ck_assert_int_eq(peat.status, 0);
	ck_assert_msg(strstr(peat.err_text, "no sample of the chosen events"), "%s", peat.err_text);
	command__free(&peat);
}
END_TEST

static void check_keeps_files(const char *words, const char *recording, const char *name,
			      const char *value)
{
	do_shell("echo kept > out");
	refused(1, words, ARGV(program, "replay", recording, name, value, "-o", "out"));
	refused(1, words, ARGV(program, "replay", "-j", recording, name, value, "-o", "out"));
	refused(1, words, ARGV(program, "replay", recording, name, value, "-o", "none"));
	do_shell("grep -q kept out && test ! -e none");
}

/* The output is opened when all options are known to be right, or there is no event. */
START_TEST(test_refused_runs_keep_files)
{
	static const char *const recordings[] = { "recording", "of_peat", "two_of_peat", "empty" };
	struct command peat;

	need_perf();
	do_shell("perf record -q --no-bpf-event -e page-faults -c 1 -g -o recording -- true; "
		 "$PEAT record -q exec -o of_peat -- true; "
		 "$PEAT record -q exec exit -o two_of_peat -- true; "
		 "$PEAT convert -q of_peat --where 'pid == 4000000000' -o empty");
	for (size_t i = 0; i < sizeof(recordings) / sizeof(*recordings); i++) {
		check_keeps_files("nonsense", recordings[i], "--fields", "nonsense");
		check_keeps_files("a name is missing", recordings[i], "--fields", "pid,");
		check_keeps_files("nonsense", recordings[i], "--where", "nonsense == 1");
	}
	command__run(
		&peat, ALL_CAPS,
		ARGV(program, "replay", "recording", "--where", "pid == 4000000000", "-o", "out"));
	ck_assert_int_eq(peat.status, 0);
	command__free(&peat);
	do_shell("test -e out -a ! -s out; echo kept > out");
	refused(1, "has no such field",
		CONVERT("recording", "--to", "folded", "--weight", "nonsense", "-o", "out"));
	do_shell("grep -q kept out");
}
END_TEST

static void check_refuses_itself(const char *format)
{
	refused(1, "it is the recording itself",
		CONVERT("recording", "--to", format, "-o", "recording"));
	refused(1, "cannot read nothing: No such file",
		CONVERT("nothing", "--to", format, "-o", "recording"));
}

START_TEST(test_itself_is_not_overwritten)
{
	const char *name;

	need_perf();
	do_shell("perf record -q --no-bpf-event -e cpu-clock -o recording -- true; cp recording "
		 "copy");
	check_refuses_itself("perf");
	check_refuses_itself("json");
	for (enum peat_stacks_format i = 0; (name = peat_stacks__name(i)); i++)
		check_refuses_itself(name);
	refused(1, "it is the recording itself",
		ARGV(program, "replay", "recording", "-o", "recording"));
	check_bytes("recording", "copy");
}
END_TEST

static Suite *convert_suite(void)
{
	TCase *tests;
	Suite *suite = harness__suite("convert", 120, &tests);

	tcase_add_checked_fixture(tests, setup, stock_perf__teardown);
	tcase_add_test(tests, test_converts_plain_recording);
	tcase_add_test(tests, test_converts_compressed_recording);
	tcase_add_test(tests, test_converts_pipe);
	tcase_add_test(tests, test_two_recorders);
	tcase_add_test(tests, test_converts_directory);
	tcase_add_test(tests, test_converts_group);
	tcase_add_test(tests, test_converts_tracepoints);
	tcase_add_test(tests, test_converts_cut_recordings);
	tcase_add_test(tests, test_cut_tracepoints);
	tcase_add_test(tests, test_converts_corpus);
	tcase_add_test(tests, test_converts_to_json);
	tcase_add_test(tests, test_converts_to_folded);
	tcase_add_test(tests, test_folded_event);
	tcase_add_test(tests, test_converts_to_pprof_and_flamegraph);
	tcase_add_test(tests, test_sampled_by_peat);
	tcase_add_test(tests, test_converts_with_lines);
	tcase_add_test(tests, test_converts_with_weight);
	tcase_add_test(tests, test_usage_errors);
	tcase_add_test(tests, test_refused_runs_keep_files);
	tcase_add_test(tests, test_itself_is_not_overwritten);
	return suite;
}

int main(int argc, char **argv)
{
	static const suite_fn suites[] = { convert_suite };

	return harness__main(argc, argv, suites, 1);
}

// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* test_convert.c: what peat convert makes of recordings, as stock perf reads it. */
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "command.h"
#include "harness.h"
#include "mounts.h"
#include "process.h"
#include "stock_perf.h"

/* Some time on a CPU, and some processes. */
#define WORK "sh -c 'i=0; while [ $i -lt 30000 ]; do i=$((i+1)); done; ls / >/dev/null; true'"

static char program[4096], corpus[4096];

static void setup(void)
{
	const char *directory = getenv("PEAT_CORPUS");

	ck_assert_msg(realpath(command__peat(), program), "no %s", command__peat());
	if (!directory || !realpath(directory, corpus))
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

/* Nothing is said of one that is whole. */
static void convert_quietly(const char *const *argv)
{
	struct command peat;

	convert(&peat, 0, argv);
	ck_assert_str_eq(peat.err_text, "");
	ck_assert_str_eq(peat.out_text, "");
	command__free(&peat);
}

#define do_shell(...) free(stock_perf__shellf(__VA_ARGS__))

/* ---- the same, to perf and to peat ----------------------------------------------------------- */

/* How the file is made is not in what was recorded. */
static bool is_of_shape(const char *type)
{
	return !strncmp(type, "COMPRESSED", strlen("COMPRESSED")) ||
	       !strcmp(type, "FINISHED_ROUND") || !strcmp(type, "ATTR") ||
	       !strcmp(type, "FEATURE") || !strcmp(type, "TRACING_DATA") ||
	       !strcmp(type, "EVENT_UPDATE") || !strcmp(type, "EVENT_TYPE");
}

/* "   12  COMM" a line; all of it but those, and how it ended. */
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

/* Without the names of functions: perf finds them by build ids, or not. */
#define SCRIPT "perf script -F comm,pid,tid,cpu,time,event,ip,trace -i"

/* Of a pipe it knows the fields too late to choose some. */
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

/* Plain, compressed, once more, and through a pipe: all are the same. */
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

START_TEST(test_plain)
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

START_TEST(test_compressed)
{
	need_perf();
	check_recording("-z -e cpu-clock -a -g -o recording");
}
END_TEST

START_TEST(test_pipe)
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

START_TEST(test_threads)
{
	need_perf();
	check_recording("--threads -e cpu-clock -a -o recording");
}
END_TEST

START_TEST(test_group)
{
	need_perf();
	check_recording("-e '{cpu-clock,task-clock,context-switches}:S' -a -o recording");
}
END_TEST

START_TEST(test_tracepoints)
{
	need_perf();
	mounts__need_tracefs();
	check_recording("-e sched:sched_switch,sched:sched_wakeup -a -o recording");
}
END_TEST

/* ---- not whole ------------------------------------------------------------------------------- */

/* Each sample that perf shows of what was cut is one of the whole. */
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

START_TEST(test_cut)
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

/* Formats stand at the end: without any perf would not open it. */
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

/* ---- of others ------------------------------------------------------------------------------- */

START_TEST(test_corpus)
{
	DIR *directory = *corpus ? opendir(corpus) : NULL;
	struct dirent *entry;
	char path[5000];
	unsigned ran = 0;

	if (!directory)
		skip("no recordings of others (PEAT_CORPUS)");
	need_perf();
	while ((entry = readdir(directory))) {
		bool damaged = strstr(entry->d_name, "corrupted");
		struct command peat;

		if (entry->d_name[0] == '.' || strstr(entry->d_name, "README"))
			continue;
		snprintf(path, sizeof(path), "%s/%s", corpus, entry->d_name);
		convert(&peat, damaged, CONVERT(path, "-o", "made"));
		command__free(&peat);
		check_stats(path, "made");
		convert_quietly(CONVERT("made", "-o", "again"));
		check_bytes("made", "again");
		do_shell("perf script -i made > ours");
		do_shell("perf script -i %s > theirs 2>/dev/null && cmp theirs ours || true", path);
		ran++;
	}
	closedir(directory);
	ck_assert_uint_gt(ran, 0);
}
END_TEST

/* ---- other formats --------------------------------------------------------------------------- */

START_TEST(test_json)
{
	need_perf();
	do_shell("perf record -q --no-bpf-event -e cpu-clock -a -o recording -- " WORK);
	do_shell("%s convert recording --to json -o made 2>/dev/null; "
		 "%s replay -q -j recording @all > theirs; cmp theirs made; test -s made",
		 program, program);
	do_shell("%s convert recording --to json -o - 2>/dev/null | cmp - made", program);
}
END_TEST

/* As many as there are samples; and what perf finds in one is in one of ours. */
START_TEST(test_folded)
{
	char *ours, *theirs;

	need_perf();
	do_shell("perf record -q --no-bpf-event -e cpu-clock -a -g -o recording -- " WORK);
	do_shell("%s convert recording --to folded -o made", program);
	ours = stock_perf__shellf("awk '{n += $NF} END {print n}' made");
	theirs = stock_perf__shellf("perf script -F event -i recording | grep -c cpu-clock");
	ck_assert_str_eq(ours, theirs);
	do_shell("LC_ALL=C sort -c made; grep -q '^sh;.*libc[^;]*]+0x' made; "
		 "! grep -v '^[^;]*\\(;[^;]*\\)* [0-9]*$' made");
	free(ours);
	free(theirs);
	/* Functions of the kernel that are in many of them: of two at one address either's name. */
	do_shell("perf script -F ip,sym -i recording | awk '$1 ~ /^ffff/ && $2 ~ /^[a-z_]/ "
		 "{print \";\" $2}' | sort | uniq -c | sort -n | tail -n 5 | awk '{print $2}' > "
		 "names; "
		 "test -s names && grep -qFf names made");
	convert_quietly(CONVERT("recording", "-o", "again"));
	do_shell("%s convert again --to folded -o ours", program);
	check_bytes("made", "ours");
}
END_TEST

/* ---- usage ----------------------------------------------------------------------------------- */

static void refused(int status, const char *why, const char *const *argv)
{
	struct command peat;

	convert(&peat, status, argv);
	ck_assert_msg(strstr(peat.err_text, why), "no '%s' in: %s", why, peat.err_text);
	command__free(&peat);
}

START_TEST(test_usage)
{
	refused(64, "which recording?", CONVERT("-o", "out"));
	refused(64, "where to?", CONVERT("file"));
	refused(64, "one recording at a time, not 'two'", CONVERT("one", "two", "-o", "out"));
	refused(64, "no format 'xml'", CONVERT("file", "--to", "xml", "-o", "out"));
	refused(64, "-z compresses", CONVERT("file", "--to", "json", "-z", "-o", "out"));
	refused(64, "'23' is no level", CONVERT("file", "-z23", "-o", "out"));
	ck_assert_int_eq(access("out", F_OK), -1);
}
END_TEST

START_TEST(test_itself)
{
	static const char *const formats[] = { "perf", "json", "folded" };

	need_perf();
	do_shell("perf record -q --no-bpf-event -e cpu-clock -o recording -- true; cp recording "
		 "copy");
	for (size_t i = 0; i < sizeof(formats) / sizeof(*formats); i++) {
		refused(1, "it is the recording itself",
			CONVERT("recording", "--to", formats[i], "-o", "recording"));
		refused(1, "cannot read nothing: No such file",
			CONVERT("nothing", "--to", formats[i], "-o", "recording"));
	}
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
	tcase_add_test(tests, test_plain);
	tcase_add_test(tests, test_compressed);
	tcase_add_test(tests, test_pipe);
	tcase_add_test(tests, test_threads);
	tcase_add_test(tests, test_group);
	tcase_add_test(tests, test_tracepoints);
	tcase_add_test(tests, test_cut);
	tcase_add_test(tests, test_cut_tracepoints);
	tcase_add_test(tests, test_corpus);
	tcase_add_test(tests, test_json);
	tcase_add_test(tests, test_folded);
	tcase_add_test(tests, test_usage);
	tcase_add_test(tests, test_itself);
	return suite;
}

int main(int argc, char **argv)
{
	static const suite_fn suites[] = { convert_suite };

	return harness__main(argc, argv, suites, 1);
}

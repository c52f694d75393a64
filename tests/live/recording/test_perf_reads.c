// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * test_perf_reads.c: recordings made by peat, read by the installed perf: each sample and its
 * fields are those of peat replay.
 *
 * Recordings are made in $PEAT_RECORDINGS, or in a temporary directory.  Recordings that exist
 * there already were made on another machine, where another perf read them: its output is in files
 * next to them.
 */
#include <errno.h>
#include <limits.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "support/load/flood_run.h"
#include "support/machine/harness.h"
#include "support/recording/json_lines.h"
#include "support/perf/perf_script.h"
#include "support/recording/recorded_run.h"
#include "support/load/renames.h"
#include "support/perf/stock_perf.h"
#include "support/machine/json_event.h"

EMBED_TWINS(flood)
EMBED_OBJECT(renames)
EMBED_OBJECT(stranger)

static void setup(void)
{
	const char *directory = getenv("PEAT_RECORDINGS");

	recorded_run__setup();
	if (!directory)
		return;
	stock_perf__teardown();
	ck_assert_msg(!chdir(directory), "no directory %s", directory);
}

static void teardown(void)
{
	if (!getenv("PEAT_RECORDINGS"))
		stock_perf__teardown();
}

/* ---- output of perf -------------------------------------------------------------------------- */

#define QUIET " 2>/dev/null"

/* The column of names is wider in some versions. */
#define SAMPLES PERF_SCRIPT " -i "
#define NARROW	QUIET " | sed -E 's/^ *//; s| +([0-9]+/[0-9]+) +\\[| \\1 [|'"

/* perf 6.1 prints neither names of types nor tips. */
#define EVENTS "sed 's/ (PERF_[A-Z_]*)//g; /^#/d'"

/* The rows of a table, sorted: perf prints rows of equal weight in any order. */
#define ROWS "sed 's/^ *//; s/ *$//; /^#/d; /^$/d' | tr -s ' ' | sort"

/*
 * In each line, the last %s is the file.  If there are two, the first is the key that reports are
 * sorted by.
 */
static const struct said {
	const char *suffix, *line;
	bool in_pipes; /* perf itself can read this output of a pipe that it wrote */
} said[] = {
	{ ".bytes", "perf script -i %1$s" QUIET " | sed 's/^ *//' | tr -s ' '", true },
	{ ".script", SAMPLES "%1$s" NARROW, true },
	{ ".injected", "perf inject -b -i %1$s -o injected && " SAMPLES "injected" NARROW, false },
	{ ".events", "perf evlist -v -i %1$s | " EVENTS, false },
	{ ".fields", "perf evlist --trace-fields -i %1$s", false },
	{ ".report", "perf report --stdio -s %2$s -i %1$s" QUIET " | " ROWS, true },
	{ ".tasks", "perf script --show-task-events -F comm,pid,tid -i %1$s" QUIET " | " ROWS,
	  true },
};

#define SAID (sizeof(said) / sizeof(*said))

static char *say(const struct said *what, const char *name, const char *keys)
{
	char line[600];

	snprintf(line, sizeof(line), what->line, name, keys);
	return stock_perf__shell(line);
}

static FILE *open_beside(const char *name, const char *suffix, const char *mode)
{
	char path[100];
	FILE *file;

	snprintf(path, sizeof(path), "%s%s", name, suffix);
	file = fopen(path, mode);
	ck_assert_msg(file, "no %s", path);
	return file;
}

static void keep(const char *name, const char *suffix, const char *text)
{
	FILE *file = open_beside(name, suffix, "we");

	ck_assert_int_ge(fputs(text, file), 0);
	ck_assert_int_eq(fclose(file), 0);
}

static void check_kept(const char *name, const char *suffix, const char *text)
{
	FILE *file = open_beside(name, suffix, "re");
	size_t bytes = strlen(text), got;
	char *kept = malloc(bytes + 2);

	ck_assert_ptr_nonnull(kept);
	got = fread(kept, 1, bytes + 1, file);
	kept[got] = '\0';
	for (size_t i = 0; i <= bytes; i++)
		ck_assert_msg(kept[i] == text[i], "%s%s: here it says: %.200s, there: %.200s", name,
			      suffix, text + i, kept + i);
	free(kept);
	fclose(file);
}

/* The other machine's perf printed the same as this one. */
static void check_said(const char *name, const char *keys, bool is_pipe, bool foreign)
{
	for (size_t i = 0; i < SAID; i++) {
		char *text;

		if (is_pipe && !said[i].in_pipes)
			continue;
		text = say(&said[i], name, keys);
		ck_assert_msg(*text, "%s%s is empty", name, said[i].suffix);
		if (foreign)
			check_kept(name, said[i].suffix, text);
		else
			keep(name, said[i].suffix, text);
		free(text);
	}
}

/* ---- output of peat -------------------------------------------------------------------------- */

/* perf's JSON has numbers and strings for these fields, whatever perf script prints. */
static const struct {
	const char *event, *fields[6], *names[3];
} described[] = {
	{ "exec", { "ppid", "uid", "args_bytes", "filename", "args" }, { 0 } },
	{ "open", { "path" }, { 0 } },
	{ "exit", { "code", "duration" }, { "signal", "core" } },
	{ "stranger", { "balance", "small", "large" }, { "color", "to.port" } },
	{ "flood", { "number", "check" }, { 0 } },
};

#define DESCRIBED (sizeof(described) / sizeof(*described))

static size_t describe(const char *type)
{
	size_t i = 0;

	while (i < DESCRIBED && strcmp(described[i].event, type) != 0)
		i++;
	return i;
}

static void check_fields(const struct perf_script *shown, const char *event)
{
	size_t i = describe(json_lines__text(event, "type"));

	if (i == DESCRIBED)
		return;
	for (size_t j = 0; described[i].fields[j]; j++)
		perf_script__check_field(shown, event, described[i].fields[j]);
	for (size_t j = 0; described[i].names[j]; j++)
		perf_script__check_field(shown, event, described[i].names[j]);
}

/* A recording whose writer was killed may be cut.  The caller frees the result. */
static char *replay(const char *name)
{
	struct command peat;
	char *text;

	command__run(&peat, 0, REPLAY("-j", "-q", name));
	ck_assert_msg(peat.status == 0 || strstr(peat.err_text, "is cut at byte"), "%s: %s", name,
		      peat.err_text);
	text = strdup(peat.out_text);
	command__free(&peat);
	return text;
}

static void check_script(const char *name, const struct json_lines *events)
{
	static const struct said script = { .line = PERF_SCRIPT " -i %1$s" QUIET };
	char *text = say(&script, name, ""), *rest = text, *line;
	size_t count = 0;

	while ((line = perf_script__next(&rest))) {
		struct perf_script shown;

		ck_assert_uint_lt(count, events->count);
		perf_script__parse(line, &shown);
		perf_script__check_head(&shown, events->lines[count]);
		check_fields(&shown, events->lines[count++]);
	}
	ck_assert_uint_eq(count, events->count);
	free(text);
}

/* ---- perf's JSON ----------------------------------------------------------------------------- */

/*
 * Prints the samples of perf's JSON, a line each.  perf 6.1 and 6.12 crash on pipes, perf 6.12 also
 * on samples with raw data that are not of tracepoints.  A crash is accepted if perf crashes on a
 * recording of its own of that kind, too: then the output is CRASH.
 */
#define OWN_PIPE "-o - -- true | cat >own"
#define OWN_FILE "-R -o own -- true"
#define CRASH	 "crash\n"
#define TO_JSON                                                                                    \
	"rm -f json; perf data convert --to-json json -i %s >/dev/null 2>&1 || { "                 \
	"perf record -q --no-bpf-event -e cpu-clock %s; rm -f json; "                              \
	"if perf data convert --to-json json -i own; then exit 1; fi; echo crash; exit 0; }; "     \
	"awk '/^\t\t\\{/ { line = \"\" } /^\t\t\\}/ { print line \"}\" } "                         \
	"{ sub(/^\t*/, \"\"); line = line $0 }' json"

/* perf 6.1 has no fields in its JSON; numbers may be in quotes. */
static void check_json_field(const char *sample, const char *event, const char *name)
{
	if (!json_event__has(sample, name))
		return;
	if (json_lines__kind(event, name) == JSON_NUMBER)
		json_event__check(sample, name, json_event__number(event, name));
	else if (json_lines__kind(event, name) == JSON_ARRAY) /* of strings; perf has one */
		return;
	else if (strncmp(json_event__text(sample, name), "ARRAY[", 6) != 0) /* not ASCII */
		ck_assert_str_eq(json_event__text(sample, name), json_event__text(event, name));
}

static void check_json_sample(const char *sample, const char *event)
{
	size_t i = describe(json_event__text(event, "type"));

	json_event__check(sample, "timestamp", json_event__number(event, "time_ns"));
	json_event__check(sample, "pid", json_event__number(event, "pid"));
	json_event__check(sample, "tid", json_event__number(event, "tid"));
	if (json_lines__kind(event, "comm") == JSON_STRING)
		ck_assert_str_eq(json_event__text(sample, "comm"), json_event__text(event, "comm"));
	for (size_t j = 0; i < DESCRIBED && described[i].fields[j]; j++)
		check_json_field(sample, event, described[i].fields[j]);
}

static void check_json(const char *name, bool is_pipe, const struct json_lines *events)
{
	struct json_lines samples;
	char *text = stock_perf__shellf(TO_JSON, name, is_pipe ? OWN_PIPE : OWN_FILE);

	if (!strcmp(text, CRASH)) {
		printf("# %s: perf crashes at the JSON of its own recordings, too\n", name);
		free(text);
		return;
	}
	samples = json_lines__split(text);
	ck_assert_uint_eq(samples.count, events->count);
	for (size_t i = 0; i < samples.count; i++)
		check_json_sample(samples.lines[i], events->lines[i]);
	json_lines__free(&samples);
	free(text);
}

/* ---- recordings ------------------------------------------------------------------------------ */

#define COMMAND                                                                                    \
	"--", "sh", "-c",                                                                          \
		"for i in 1 2 3 4 5; do cat /etc/hosts '/no such' >/dev/null 2>&1; "               \
		"sh -c \"exit $i\" 'two words'; done; sh -c 'kill -9 $$'; exit 0"

static void run(const char *const *argv)
{
	struct command peat;

	command__run(&peat, ALL_CAPS, argv);
	ck_assert_msg(peat.status == 0, "%s", peat.err_text);
	command__free(&peat);
}

static void record_probes(const char *name)
{
	run(RECORD("exec", "open", "exit", "@task", "-o", name, COMMAND));
}

static void record_compressed(const char *name)
{
	run(RECORD("exec", "exit", "-z", "-o", name, COMMAND));
}

static void record_pipe(const char *name)
{
	run(ARGV("sh", "-c",
		 "peat=$0 name=$1; shift; $peat record -q exec exit -o - \"$@\" | cat >$name",
		 recorded_run__peat(), name, COMMAND));
}

static void record_object(const char *name)
{
	char pid[32], number[32];
	struct command peat;

	recorded_run__put(&stranger_object);
	snprintf(pid, sizeof(pid), "only_pid=%d", (int)getpid());
	snprintf(number, sizeof(number), "getpgid_number=%d", (int)SYS_getpgid);
	recorded_run__start(&peat,
			    RECORD("stranger.bpf.o", "--set", pid, "--set", number, "-o", name));
	for (int i = 0; i < 10; i++)
		syscall(SYS_getpgid, 0);
	recorded_run__stop(&peat, 0);
	command__free(&peat);
}

/* Records an object that does not include peat.bpf.h. */
static void record_foreign(const char *name)
{
	struct command peat;

	recorded_run__put(&renames_object);
	recorded_run__start(&peat, RECORD("renames.bpf.o", "-o", name));
	renames__emit(0, 10);
	recorded_run__stop(&peat, 0);
	command__free(&peat);
}

/* Large enough that most records are samples, even after many records of tasks. */
#define UNFINISHED_BYTES 80000

static void record_unfinished(const char *name)
{
	struct stat status = { 0 };
	struct flood_run flood;
	struct command peat;

	recorded_run__put(&flood_object);
	flood_run__make(&flood, 0, 500, 1);
	flood_run__start(&flood);
	recorded_run__start(&peat, RECORD(FLOOD(&flood), "-o", name));
	while (command__is_running(&peat) && status.st_size < UNFINISHED_BYTES) {
		usleep(1000);
		/* the file may appear after "attached" */
		ck_assert(!stat(name, &status) || errno == ENOENT);
	}
	kill(peat.pid, SIGKILL);
	recorded_run__finish(&peat, 128 + SIGKILL);
	flood_run__kill(&flood);
	command__free(&peat);
}

/* Returns the number of samples. */
static size_t check(const char *name, void (*record)(const char *), const char *keys, bool is_pipe)
{
	bool foreign = !access(name, F_OK);
	struct json_lines events;
	size_t samples;
	char *text;

	if (!foreign)
		record(name);
	text = replay(name);
	events = json_lines__split(text);
	check_script(name, &events);
	check_json(name, is_pipe, &events);
	check_said(name, keys, is_pipe, foreign);
	samples = events.count;
	json_lines__free(&events);
	free(text);
	printf("# %s: %zu samples%s\n", name, samples, foreign ? ", of another machine" : "");
	return samples;
}

START_TEST(test_perf_reads_probes)
{
	need_perf();
	ck_assert_uint_ge(check("probes", record_probes, "comm,exec.filename", false), 30);
}
END_TEST

START_TEST(test_perf_reads_compressed_recording)
{
	need_perf();
	ck_assert_uint_ge(check("compressed", record_compressed, "comm,exit.code", false), 20);
}
END_TEST

START_TEST(test_perf_reads_pipe)
{
	need_perf();
	ck_assert_uint_ge(check("piped", record_pipe, "comm", true), 20);
}
END_TEST

START_TEST(test_perf_reads_object)
{
	need_perf();
	ck_assert_uint_eq(check("object", record_object, "comm,stranger.balance", false), 10);
}
END_TEST

START_TEST(test_perf_reads_foreign_object)
{
	need_perf();
	ck_assert_uint_eq(check("foreign", record_foreign, "comm", false), 10);
}
END_TEST

START_TEST(test_perf_reads_unfinished_recording)
{
	need_perf();
	ck_assert_uint_ge(check("unfinished", record_unfinished, "comm", true), 100);
}
END_TEST

static Suite *perf_reads_suite(void)
{
	TCase *tests;
	Suite *suite = harness__suite("perf_reads", 60, &tests);

	tcase_add_checked_fixture(tests, setup, teardown);
	tcase_add_test(tests, test_perf_reads_probes);
	tcase_add_test(tests, test_perf_reads_compressed_recording);
	tcase_add_test(tests, test_perf_reads_pipe);
	tcase_add_test(tests, test_perf_reads_object);
	tcase_add_test(tests, test_perf_reads_foreign_object);
	tcase_add_test(tests, test_perf_reads_unfinished_recording);
	return suite;
}

int main(int argc, char **argv)
{
	static const suite_fn suites[] = { perf_reads_suite };

	return harness__main(argc, argv, suites, 1);
}

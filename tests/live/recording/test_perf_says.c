// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * test_perf_says.c: recordings made by stock perf, read by peat: each sample as perf itself printed
 * it.
 *
 * Recordings are made in $PEAT_RECORDINGS, or in a temporary directory.  Recordings that exist
 * there already were made on another machine: perf's output there, and peat's, are in files next to
 * them.
 */
#include <ctype.h>
#include <inttypes.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "support/machine/amount.h"
#include "support/machine/command.h"
#include "support/machine/harness.h"
#include "support/recording/json_lines.h"
#include "support/machine/mounts.h"
#include "support/perf/dumped_samples.h"
#include "support/machine/process.h"
#include "support/perf/stock_perf.h"
#include "support/machine/json_event.h"

/* Uses a CPU for some time, starts a process, and sleeps. */
#define WORK "sh -c 'i=0; while [ $i -lt $TURNS ]; do i=$((i+1)); done; ls / >/dev/null; sleep 0.1'"

static char program[PATH_MAX];

static void setup(void)
{
	const char *directory = getenv("PEAT_RECORDINGS");
	char turns[16];

	ck_assert_msg(realpath(command__peat(), program), "no %s", command__peat());
	setenv("PEAT", program, 1);
	snprintf(turns, sizeof(turns), "%u", amount__at_most("PEAT_TEST_EVENTS", 3000));
	setenv("TURNS", turns, 1);
	if (directory)
		ck_assert_msg(!chdir(directory), "no directory %s", directory);
	else
		stock_perf__setup();
}

static void teardown(void)
{
	if (!getenv("PEAT_RECORDINGS"))
		stock_perf__teardown();
}

/* ---- a recording ----------------------------------------------------------------------------- */

/*
 * Without capabilities, so without kernel symbols unless every user may read them.  Most programs
 * of a distribution are stripped.
 */
static char *replay(const char *format, const char *name)
{
	struct command peat;
	char line[200], *text;

	strcpy(line, "exec \"$PEAT\" replay -q ");
	snprintf(line + strlen(line), sizeof(line) - strlen(line), format, name);
	command__run(&peat, 0, ARGV("sh", "-c", line));
	ck_assert_msg(peat.status == 0, "%s: status %d: %s", line, peat.status, peat.err_text);
	ck_assert_msg(!*peat.err_text || strstr(peat.err_text, "have no names"), "%s: %s", line,
		      peat.err_text);
	text = strdup(peat.out_text);
	command__free(&peat);
	return text;
}

static void shell(const char *format, const char *a, const char *b)
{
	char line[600];

	snprintf(line, sizeof(line), format, a, b);
	free(stock_perf__shell(line));
}

/* Everything that peat prints of a recording; another machine has to print the same. */
static char *print_everything(const char *name)
{
	static const char *const what[] = { "-j %s @all", "-j --stats %s", "-j --header %s" };
	char *all = strdup(""), *text;

	for (size_t i = 0; i < sizeof(what) / sizeof(*what); i++) {
		text = replay(what[i], name);
		all = realloc(all, strlen(all) + strlen(text) + 1);
		ck_assert_ptr_nonnull(all);
		strcat(all, text);
		free(text);
	}
	return all;
}

static void write_file(const char *name, const char *suffix, const char *text)
{
	char path[100];
	FILE *file;

	snprintf(path, sizeof(path), "%s%s", name, suffix);
	file = fopen(path, "w");
	ck_assert_ptr_nonnull(file);
	ck_assert_int_ge(fputs(text, file), 0);
	ck_assert_int_eq(fclose(file), 0);
}

/* Omits the records' bytes, which are not needed, and symbols, for which perf takes long. */
static void make(const char *name, const char *options)
{
	char *everything;

	shell("perf record -q -N %2$s %1$s -- " WORK, name, options);
	shell("perf script -D --ns -F -ip,-sym,-symoff,-dso --kallsyms /dev/null -i %1$s "
	      "2>/dev/null | grep -av '^\\.  ' > %1$s.dump; test -s %1$s.dump",
	      name, "");
	shell("perf report --header-only -I -i %1$s > %1$s.header", name, "");
	everything = print_everything(name);
	write_file(name, ".json", everything);
	free(everything);
}

/* ---- a sample -------------------------------------------------------------------------------- */

static void check_number(const char *event, const char *path, uint64_t wanted)
{
	ck_assert_msg(json_lines__kind(event, path) == JSON_NUMBER &&
			      strtoull(json_lines__raw(event, path), NULL, 10) == wanted,
		      "%s is not %" PRIu64 ": %.1500s", path, wanted, event);
}

/* UINT32_MAX: the task has ended, so it has no id. */
static void check_id(const char *event, const char *path, uint32_t wanted)
{
	if (wanted != UINT32_MAX)
		check_number(event, path, wanted);
	else
		ck_assert_msg(json_lines__kind(event, path) == JSON_NULL, "%s: %.1500s", path,
			      event);
}

static void check_hex(const char *event, const char *path, uint64_t wanted)
{
	const char *text = json_lines__text(event, path);
	char *end = NULL;

	ck_assert_msg(text && !strncmp(text, "0x", 2) && strtoull(text, &end, 16) == wanted &&
			      !*end,
		      "%s is not 0x%" PRIx64 ": %.1500s", path, wanted, event);
}

/* Another machine's address has no symbol. */
static void check_code(const char *event, const char *path, uint64_t wanted, bool foreign)
{
	char member[80];

	snprintf(member, sizeof(member), "%s.address", path);
	check_hex(event, member, wanted);
	snprintf(member, sizeof(member), "%s.symbol", path);
	ck_assert_msg(!foreign || json_lines__kind(event, member) == JSON_NOTHING,
		      "%s of another machine: %.1500s", member, event);
}

static void check_text(const char *event, const char *path, const char *wanted)
{
	const char *text = json_lines__text(event, path);

	ck_assert_msg(text && !strcmp(text, wanted), "%s is not %s: %.1500s", path, wanted, event);
}

/* The kernel names idle tasks by their CPU, perf has one name for all. */
static void check_comm(const char *event, const struct dumped_sample *wanted)
{
	const char *text = json_lines__text(event, "comm");

	if (wanted->tid == UINT32_MAX)
		return; /* perf prints ":-1" for a thread that has ended */
	if (!wanted->tid && text && !strncmp(text, "swapper/", 8))
		text = "swapper";
	if (wanted->is_after_exit && text && *text)
		return; /* perf 6.12 forgets a task at its EXIT, before its last samples */
	ck_assert_msg(text && !strcmp(text, wanted->comm), "comm is not %s: %.1500s", wanted->comm,
		      event);
}

static void check_head(const char *event, const struct dumped_sample *wanted, bool foreign)
{
	check_text(event, "type", wanted->event);
	check_number(event, "time_ns", wanted->time_ns);
	check_id(event, "pid", (uint32_t)wanted->pid);
	check_id(event, "tid", (uint32_t)wanted->tid);
	check_comm(event, wanted);
	check_code(event, "ip", wanted->ip, foreign);
	check_number(event, "period", wanted->period);
	if (wanted->has_cpu)
		check_number(event, "cpu", wanted->cpu);
	else
		ck_assert_int_eq(json_lines__kind(event, "cpu"), JSON_NULL);
	if (json_lines__kind(event, "addr") != JSON_NOTHING)
		check_hex(event, "addr.address", wanted->addr);
}

static void check_callchain(const char *event, const struct dumped_sample *wanted, bool foreign)
{
	char path[64];

	for (size_t i = 0; i < wanted->chain_count; i++) {
		snprintf(path, sizeof(path), "stack[%zu]", i);
		check_code(event, path, wanted->chain[i], foreign);
	}
	snprintf(path, sizeof(path), "stack[%zu]", wanted->chain_count);
	ck_assert_int_eq(json_lines__kind(event, path), JSON_NOTHING);
}

static void check_read(const char *event, const struct dumped_sample *wanted)
{
	char path[64];

	for (size_t i = 0; i < wanted->read_count; i++) {
		snprintf(path, sizeof(path), "read.values[%zu].id", i);
		check_number(event, path, wanted->reads[i].id);
		snprintf(path, sizeof(path), "read.values[%zu].value", i);
		check_number(event, path, wanted->reads[i].value);
		snprintf(path, sizeof(path), "read.values[%zu].lost", i);
		check_number(event, path, wanted->reads[i].lost);
	}
}

static void check_user(const char *event, const struct dumped_sample *wanted)
{
	const char *stack;
	char path[64];

	for (size_t i = 0; i < wanted->reg_count; i++) {
		snprintf(path, sizeof(path), "regs_user.%s", wanted->regs[i].name);
		check_hex(event, path, wanted->regs[i].value);
	}
	stack = json_lines__text(event, "stack_user");
	ck_assert_uint_eq(stack ? strlen(stack) / 2 : 0, wanted->stack_bytes);
}

/* The place where `word` begins a word of the text; NULL: nowhere. */
static const char *find_word(const char *text, const char *word)
{
	const char *at = text;

	while ((at = strstr(at, word)) && at > text && at[-1] != ' ')
		at++;
	return at;
}

/* perf prints these fields as "NAME=VALUE". */
static void check_field(const char *event, const char *name, const char *trace)
{
	const char *at, *value = json_lines__text(event, name);
	char printed[300];

	snprintf(printed, sizeof(printed), "%s=", name);
	if (!find_word(trace, printed))
		return;
	snprintf(printed, sizeof(printed), "%s=%s", name, value ?: json_lines__raw(event, name));
	at = find_word(trace, printed);
	ck_assert_msg(at && (!at[strlen(printed)] || at[strlen(printed)] == ' '), "no '%s' in '%s'",
		      printed, trace);
}

static void check_trace(const char *event, const struct dumped_sample *wanted)
{
	static const char *const names[] = { "prev_comm", "prev_pid", "prev_prio",
					     "next_comm", "next_pid", "next_prio",
					     "filename",  "old_pid",  "prio" };

	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++)
		check_field(event, names[i], wanted->trace);
}

static long long argument(const char *event, unsigned i)
{
	char path[16];

	snprintf(path, sizeof(path), "args[%u]", i);
	return (long long)strtoull(json_lines__raw(event, path), NULL, 10);
}

/* perf prints the arguments in parentheses: "NR 4 (1, 3fffe, a, 0, 0, 0)". */
static void check_system_call(const char *event, const struct dumped_sample *wanted)
{
	char printed[200];

	if (strncmp(wanted->trace, "NR ", 3))
		return;
	snprintf(printed, sizeof(printed), "NR %lld (%llx, %llx, %llx, %llx, %llx, %llx)",
		 json_lines__number(event, "id"), argument(event, 0), argument(event, 1),
		 argument(event, 2), argument(event, 3), argument(event, 4), argument(event, 5));
	ck_assert_str_eq(printed, wanted->trace);
}

static void check_sample(const char *event, const struct dumped_sample *wanted, bool foreign)
{
	check_head(event, wanted, foreign);
	check_callchain(event, wanted, foreign);
	check_read(event, wanted);
	check_user(event, wanted);
	check_trace(event, wanted);
	check_system_call(event, wanted);
}

/* ---- whole recordings ------------------------------------------------------------------------ */

static char *text_of(const char *name, const char *suffix)
{
	char line[100];

	snprintf(line, sizeof(line), "cat %s%s", name, suffix);
	return stock_perf__shell(line);
}

/* The next sample; LOST events before it, which a busy machine may have, are skipped. */
static const char *next_sample(const struct json_lines *lines, size_t *at)
{
	while (*at < lines->count && !strcmp(json_event__text(lines->lines[*at], "type"), "lost"))
		++*at;
	return *at < lines->count ? lines->lines[(*at)++] : NULL;
}

static size_t check_samples(const char *name, bool foreign)
{
	static struct dumped_sample wanted;
	/* Registers and stack memory are printed unless the stack is unwound from them. */
	bool is_unwound = !strcmp(name, "user");
	char *events = replay(is_unwound ? "-j --no-symbols %s" : "-j %s", name),
	     *perfs = text_of(name, ".dump");
	struct json_lines lines = json_lines__split(events);
	struct dumped_samples dump;
	size_t count = 0, at = 0;

	dumped_samples__begin(&dump, perfs);
	for (; dumped_samples__next(&dump, &wanted); count++) {
		const char *event = next_sample(&lines, &at);

		ck_assert_msg(event, "no sample %zu", count);
		check_sample(event, &wanted, foreign);
	}
	ck_assert_ptr_null(next_sample(&lines, &at));
	ck_assert_uint_gt(count, 0);
	json_lines__free(&lines);
	free(events);
	free(perfs);
	return count;
}

/* Both count the same number of records of each type. */
static void check_stats(const char *name)
{
	char line[200], *types, *stats;

	snprintf(line, sizeof(line),
		 "grep -a -o 'PERF_RECORD_[A-Z0-9_]*' %s.dump | sed s/PERF_RECORD_// | sort | "
		 "uniq -c",
		 name);
	types = stock_perf__shell(line);
	stats = replay("-j --stats %s", name);
	stock_perf__check_counts(stats, "records", types);
	ck_assert_str_eq(json_lines__text(stats, "end"), "whole");
	free(types);
	free(stats);
}

/*
 * Lines about the file rather than its contents, or about the topology of CPUs and memory, domains
 * and BPF programs, of which peat has the sizes.
 */
static bool is_perfs_own(const char *line)
{
	static const char *const starts[] = {
		"# =",
		"# captured on",
		"# header version",
		"# data ",
		"# feat offset ",
		"# missing features",
		"# \tsub_prog",
		"# sibling ",
		"# Core ID and ",
		"# memory nodes ",
		"# bpf_prog_info ",
	};

	for (size_t i = 0; i < sizeof(starts) / sizeof(*starts); i++)
		if (!strncmp(line, starts[i], strlen(starts[i])))
			return true;
	return !strcmp(line, "#") || isdigit(line[2]) ||
	       (!strncmp(line, "# CPU ", 6) && isdigit(line[6]));
}

static bool has_line(const char *text, const char *line)
{
	size_t bytes = strlen(line);

	for (const char *at = text; at; at = strchr(at, '\n')) {
		at += *at == '\n';
		if (!strncmp(at, line, bytes) && (at[bytes] == '\n' || !at[bytes]))
			return true;
	}
	return false;
}

static void check_header(const char *name)
{
	char *perfs = text_of(name, ".header"), *ours = replay("--header %s", name), *save = NULL;
	size_t count = 0;

	stock_perf__unify(perfs);
	stock_perf__unify(ours);
	for (char *at = strtok_r(perfs, "\n", &save); at; at = strtok_r(NULL, "\n", &save)) {
		if (is_perfs_own(at))
			continue;
		ck_assert_msg(has_line(ours, at), "no '%s' in: %.3000s", at, ours);
		count++;
	}
	ck_assert_uint_ge(count, 12);
	free(ours);
	free(perfs);
}

static size_t start_of_string(const char *text, size_t at)
{
	while (at && text[at - 1] != '"')
		at--;
	return at;
}

/*
 * Whether both texts are equal, except that kernel symbols of one are numbers in the other.  Moves
 * both past the equal part.
 */
static bool agree(const char **here, const char **there)
{
	for (size_t same = 0; (*here)[same] || (*there)[same]; same++) {
		if ((*here)[same] == (*there)[same])
			continue;
		same = start_of_string(*here, same);
		*here += same;
		*there += same;
		if (strncmp(*here, "0x", 2) || !strncmp(*there, "0x", 2))
			return false;
		*here += strcspn(*here, "\"");
		*there += strcspn(*there, "\"");
		same = 0;
	}
	return true;
}

/* peat prints exactly what it printed on the machine that made the recording. */
static void check_everything(const char *name)
{
	char *all_here = print_everything(name), *all_there = text_of(name, ".json");
	const char *here = all_here, *there = all_there;

	ck_assert_msg(agree(&here, &there), "%s: here %.200s, there %.200s", name, here, there);
	free(all_here);
	free(all_there);
}

static size_t check(const char *name, const char *options)
{
	bool foreign = !access(name, F_OK);
	size_t samples;

	if (!foreign)
		make(name, options);
	samples = check_samples(name, foreign);
	check_stats(name);
	check_header(name);
	if (foreign)
		check_everything(name);
	printf("# %s: %zu samples%s\n", name, samples, foreign ? ", of another machine" : "");
	return samples;
}

#define need(name)                                                                                 \
	do {                                                                                       \
		if (access(name, F_OK))                                                            \
			need_perf();                                                               \
	} while (0)

START_TEST(test_callchains_match_perf)
{
	need("callchains");
	check("callchains", "-a -g -F 100 -e cpu-clock -e page-faults -o");
}
END_TEST

START_TEST(test_compressed_recording_matches_perf)
{
	need("compressed");
	check("compressed", "-B -z -g -F 2000 -e task-clock -o");
}
END_TEST

START_TEST(test_group_matches_perf)
{
	need("group");
	check("group", "-B -a -F 100 -e '{cpu-clock,task-clock,context-switches}:S' -o");
}
END_TEST

START_TEST(test_user_stacks_match_perf)
{
	need("user");
	check("user", "-B -F 1000 --call-graph dwarf,256 -e task-clock -o");
}
END_TEST

START_TEST(test_tracepoints_match_perf)
{
	need("tracepoints");
	mounts__need_tracefs();
	check("tracepoints", "-B -e sched:sched_process_exec -e raw_syscalls:sys_enter -o");
}
END_TEST

START_TEST(test_switches_match_perf)
{
	need("switches");
	mounts__need_tracefs();
	check("switches", "-B -a -g --switch-events -e sched:sched_switch -o");
}
END_TEST

START_TEST(test_pipe_matches_perf)
{
	need("pipe");
	mounts__need_tracefs();
	check("pipe", "-B -a -F 100 -e sched:sched_switch -e cpu-clock -o - >");
}
END_TEST

START_TEST(test_directory_matches_perf)
{
	need("threads");
	mounts__need_tracefs();
	check("threads", "-B -a -F 100 --threads -e sched:sched_wakeup -e cpu-clock -o");
}
END_TEST

static Suite *perf_says_suite(void)
{
	TCase *tests;
	Suite *suite = harness__suite("perf_says", 60, &tests);

	tcase_add_checked_fixture(tests, setup, teardown);
	tcase_add_test(tests, test_callchains_match_perf);
	tcase_add_test(tests, test_compressed_recording_matches_perf);
	tcase_add_test(tests, test_group_matches_perf);
	tcase_add_test(tests, test_user_stacks_match_perf);
	tcase_add_test(tests, test_tracepoints_match_perf);
	tcase_add_test(tests, test_switches_match_perf);
	tcase_add_test(tests, test_pipe_matches_perf);
	tcase_add_test(tests, test_directory_matches_perf);
	return suite;
}

int main(int argc, char **argv)
{
	static const suite_fn suites[] = { perf_says_suite };

	return harness__main(argc, argv, suites, 1);
}

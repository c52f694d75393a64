// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * test_replay_damage.c: peat replay of recordings that are cut or damaged, or from other projects.
 */
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include <peat/record.h>

#include "support/machine/amount.h"
#include "support/machine/command.h"
#include "support/machine/harness.h"
#include "support/machine/process.h"
#include "support/recording/sections.h"
#include "support/perf/stock_perf.h"
#include "support/machine/json_event.h"

static char program[PATH_MAX];

/* Resolves both paths before the directory changes: they may be relative. */
static void setup(void)
{
	const char *named = getenv("PEAT_CORPUS");
	char corpus[PATH_MAX];

	ck_assert_msg(realpath(command__peat(), program), "no %s", command__peat());
	ck_assert_int_eq(setenv("PEAT", program, 1), 0);
	if (realpath(named ? named : "../shared/corpus", corpus))
		ck_assert_int_eq(setenv("PEAT_CORPUS", corpus, 1), 0);
	stock_perf__setup();
}

#define REPLAY(...) ARGV(program, "replay", "-q", "-j", "--no-symbols", ##__VA_ARGS__)

static void write_bytes(const char *path, const uint8_t *bytes, size_t count)
{
	FILE *file = fopen(path, "we");

	ck_assert_ptr_nonnull(file);
	ck_assert_uint_eq(fwrite(bytes, 1, count, file), count);
	ck_assert_int_eq(fclose(file), 0);
}

/* ---- cut ------------------------------------------------------------------------------------- */

/* The part of a file before `size`. */
struct before {
	const uint8_t *begin;
	size_t size, samples;
	bool between; /* the part ends between two records */
};

static void look_at_record(const uint8_t *at, size_t bytes, void *arg)
{
	struct before *before = arg;
	size_t end = (size_t)(at - before->begin) + bytes;
	uint32_t type;

	memcpy(&type, at, sizeof(type));
	before->samples += type == PEAT_RECORD_SAMPLE && end <= before->size;
	before->between |= end == before->size;
}

static struct before look_before(const struct sections *file, size_t size)
{
	struct before before = { .begin = file->bytes, .size = size };

	sections__each_record(file, look_at_record, &before);
	return before;
}

/*
 * The kernel's version follows the data, so addresses may have no symbols in a cut file: the lines
 * are compared up to the first address.
 */
static void check_prefix(const struct json_lines *part, const struct json_lines *whole)
{
	ck_assert_uint_le(part->count, whole->count);
	for (size_t i = 0; i < part->count; i++) {
		const char *ip = strstr(whole->lines[i], ",\"ip\":");

		ck_assert_ptr_nonnull(ip);
		ck_assert_msg(
			!strncmp(part->lines[i], whole->lines[i], (size_t)(ip - whole->lines[i])),
			"not %s but %s", whole->lines[i], part->lines[i]);
	}
}

/* Checks that a single line is logged: the file, how it ends, and where. */
static void check_end(const struct command *peat, const char *says)
{
	const char *end = strchr(peat->err_text, '\n');

	ck_assert_int_eq(peat->status, 1);
	ck_assert_msg(!strncmp(peat->err_text, says, strlen(says)), "'%s', not '%s'",
		      peat->err_text, says);
	ck_assert_msg(end && !end[1], "more than a line: %s", peat->err_text);
}

/*
 * Cuts the file at `size`: all samples that are whole before are printed.  A pipe that ends between
 * two records is not reported: it may be complete.
 */
static void check_cut(const struct sections *file, size_t size, const struct json_lines *whole)
{
	struct before before = look_before(file, size);
	struct command peat;
	struct json_lines part;

	write_bytes("cut", file->bytes, size);
	command__run(&peat, ALL_CAPS, REPLAY("--unordered", "cut"));
	if (file->pipe && before.between)
		ck_assert_msg(peat.status == 0 && !*peat.err_text, "%s", peat.err_text);
	else
		check_end(&peat, "peat: cut is cut at byte ");
	part = json_lines__split(peat.out_text);
	ck_assert_uint_eq(part.count, before.samples);
	check_prefix(&part, whole);
	json_lines__free(&part);
	command__free(&peat);
}

static uint64_t number_at(const struct sections *file, size_t offset)
{
	uint64_t number;

	memcpy(&number, file->bytes + offset, sizeof(number));
	return number;
}

/* struct perf_file_header */
#define DATA_OFFSET 40
#define DATA_SIZE   48

static void check_cuts(size_t from)
{
	struct sections file;
	struct command peat;
	struct json_lines whole;
	size_t cuts = 0;

	sections__read(&file, "recording");
	command__run(&peat, ALL_CAPS, REPLAY("--unordered", "recording"));
	ck_assert_int_eq(peat.status, 0);
	whole = json_lines__split(peat.out_text);
	ck_assert_uint_eq(whole.count, look_before(&file, file.count).samples);
	for (size_t size = 4096; size < file.count; size += 4096)
		check_cut(&file, size, &whole), cuts++;
	for (size_t size = from; size < file.count; size += file.count / 50 | 1)
		check_cut(&file, size, &whole), cuts++;
	ck_assert_uint_gt(cuts, 50);
	json_lines__free(&whole);
	command__free(&peat);
	sections__free(&file);
}

START_TEST(test_cut_anywhere)
{
	need_perf();
	free(stock_perf__shell(
		"perf record -q --no-bpf-event -e cpu-clock,page-faults -g -o recording -- sh -c "
		"'i=0; while [ $i -lt 50000 ]; do i=$((i+1)); done; ls / >list'"));
	check_cuts(1024);
}
END_TEST

START_TEST(test_cut_pipe)
{
	need_perf();
	free(stock_perf__shell("perf record -q --no-bpf-event -e cpu-clock,page-faults -g -o - -- "
			       "ls / >recording"));
	check_cuts(17);
}
END_TEST

/* Without the size of the data, as in the file of a killed writer. */
START_TEST(test_crashed_writer)
{
	struct sections file;
	struct command all, peat;
	struct json_lines whole, part;
	size_t end;

	need_perf();
	free(stock_perf__shell(
		"perf record -q --no-bpf-event -e cpu-clock,page-faults -g -o recording -- ls / "
		">list"));
	sections__read(&file, "recording");
	end = number_at(&file, DATA_OFFSET) + number_at(&file, DATA_SIZE);
	command__run(&all, ALL_CAPS, REPLAY("--unordered", "recording"));
	whole = json_lines__split(all.out_text);
	memset(file.bytes + DATA_SIZE, 0, 8);
	write_bytes("crashed", file.bytes, end);
	command__run(&peat, ALL_CAPS, REPLAY("--unordered", "crashed"));
	check_end(&peat, "peat: crashed is cut at byte ");
	part = json_lines__split(peat.out_text);
	ck_assert_uint_eq(part.count, whole.count);
	check_prefix(&part, &whole);
	json_lines__free(&whole);
	json_lines__free(&part);
	command__free(&all);
	command__free(&peat);
	sections__free(&file);
}
END_TEST

/* ---- damaged --------------------------------------------------------------------------------- */

/* Each is a process.  Fuzzers flip more. */
#define FLIPS 60

/* AddressSanitizer maps more memory than any limit allows. */
#ifdef __SANITIZE_ADDRESS__
#define MEMORY ""
#else
#define MEMORY "ulimit -v 400000; "
#endif

/*
 * Whatever the flipped bit changes, peat ends in time, by itself, with valid JSON, in bounded
 * memory.
 */
static void check_flip(const char *what, size_t byte, unsigned bit)
{
	struct command peat;
	struct json_lines lines;
	char line[200];

	snprintf(line, sizeof(line), MEMORY "exec timeout 10 $PEAT replay -q -j %s flipped @all",
		 bit & 1 ? "--unordered" : "");
	command__run(&peat, ALL_CAPS, ARGV("sh", "-c", line));
	ck_assert_msg(peat.status == 0 || (peat.status == 1 && *peat.err_text),
		      "status %d with bit %u of byte %zu of %s: %s", peat.status, bit, byte, what,
		      peat.err_text);
	lines = json_lines__split(peat.out_text);
	json_lines__free(&lines);
	command__free(&peat);
}

/* Half of the bits are flipped in the first `head` bytes, which have most of the structure. */
static void check_flips(const char *what, unsigned head)
{
	unsigned flips = amount__at_most("PEAT_TEST_PROCESSES", FLIPS);
	struct sections file;
	unsigned state = (unsigned)amount__of("PEAT_TEST_SEED", (unsigned)time(NULL));

	printf("# PEAT_TEST_SEED=%u: %s\n", state, what);
	fflush(stdout);
	sections__read(&file, "recording");
	for (unsigned i = 0; i < flips; i++) {
		unsigned bit = (unsigned)rand_r(&state) % 8;
		size_t byte = (size_t)rand_r(&state) % (i & 1 ? head : file.count);

		file.bytes[byte] ^= (uint8_t)(1 << bit);
		write_bytes("flipped", file.bytes, file.count);
		check_flip(what, byte, bit);
		file.bytes[byte] ^= (uint8_t)(1 << bit);
	}
	sections__free(&file);
}

START_TEST(test_flipped_bytes_do_no_harm)
{
	need_perf();
	free(stock_perf__shell(
		"perf record -q --no-bpf-event -e cpu-clock,page-faults -g -d -o recording -- ls / "
		">list"));
	check_flips("a file", 1024);
}
END_TEST

START_TEST(test_flipped_pipe)
{
	need_perf();
	free(stock_perf__shell(
		"perf record -q --no-bpf-event -e '{cpu-clock,page-faults}:S' -z --call-graph "
		"dwarf,256 -o - -- ls / >recording"));
	check_flips("a compressed pipe", 4096);
}
END_TEST

/* ---- recordings of other projects ------------------------------------------------------------ */

/* The number of samples of each event is that of --stats. */
static void check_samples(const char *name, const struct json_lines *events, const char *stats)
{
	long long all = 0;

	for (size_t i = 0; i < events->count; i++) {
		const char *type = json_event__text(events->lines[i], "type");
		char event[600], path[620];
		long long count = 0;

		if (*type == '@' || !strcmp(type, "lost"))
			continue;
		all++;
		snprintf(event, sizeof(event), "%s", type);
		if (i && !strcmp(json_event__text(events->lines[i - 1], "type"), event))
			continue;
		for (size_t j = 0; j < events->count; j++)
			count += !strcmp(json_event__text(events->lines[j], "type"), event);
		snprintf(path, sizeof(path), "samples.%s", event);
		ck_assert_msg(json_lines__number(stats, path) == count, "%s: %lld of %s in %s",
			      name, count, event, stats);
	}
	if (json_event__has(stats, "records.SAMPLE"))
		ck_assert_msg(json_lines__number(stats, "records.SAMPLE") == all,
			      "%s: %lld samples, but %s", name, all, stats);
	else
		ck_assert_int_eq(all, 0);
}

static void check_others(const char *name)
{
	const char *path = sections__corpus(name);
	struct command stats, peat;
	struct json_lines events;

	command__run(&stats, ALL_CAPS, ARGV(program, "replay", "--stats", "-j", path));
	command__run(&peat, ALL_CAPS, REPLAY(path, "@all"));
	ck_assert_msg(peat.status == stats.status, "%s: status %d, not %d", name, peat.status,
		      stats.status);
	ck_assert_str_eq(peat.err_text, stats.err_text);
	events = json_lines__split(peat.out_text);
	if (*stats.out_text)
		check_samples(name, &events, stats.out_text);
	else
		ck_assert_uint_eq(events.count, 0);
	json_lines__free(&events);
	command__free(&stats);
	command__free(&peat);
}

START_TEST(test_recordings_of_others)
{
	const char *const *names = sections__corpus_names();
	size_t count = 0;

	if (!names)
		skip("no recordings of others (PEAT_CORPUS)");
	for (; names[count]; count++)
		check_others(names[count]);
	ck_assert_uint_gt(count, 0);
	printf("# %zu recordings of others\n", count);
}
END_TEST

static Suite *damage_suite(void)
{
	TCase *tests;
	Suite *suite = harness__suite("replay_damage", 120, &tests);

	tcase_add_checked_fixture(tests, setup, stock_perf__teardown);
	tcase_add_test(tests, test_cut_anywhere);
	tcase_add_test(tests, test_cut_pipe);
	tcase_add_test(tests, test_crashed_writer);
	tcase_add_test(tests, test_flipped_bytes_do_no_harm);
	tcase_add_test(tests, test_flipped_pipe);
	tcase_add_test(tests, test_recordings_of_others);
	return suite;
}

int main(int argc, char **argv)
{
	static const suite_fn suites[] = { damage_suite };

	return harness__main(argc, argv, suites, 1);
}

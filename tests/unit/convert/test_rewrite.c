// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* test_rewrite.c: rewrites recordings of each layout: the same records, one file. */
#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <peat/log.h>
#include <peat/recording.h>

#include "base/cursor.h"
#include "perf_data/describe/features.h"
#include "unit/perf_data/read/perf_tally.h"
#include "convert/rounds.h"
#include "support/perf/stock_perf.h"
#include "unit/replay/replay_maker.h"
#include "unit/suite.h"

/* ---- files ----------------------------------------------------------------------------------- */

static void save_bytes(const char *path, const void *bytes, size_t count)
{
	FILE *file = fopen(path, "we");

	ck_assert_ptr_nonnull(file);
	ck_assert_uint_eq(fwrite(bytes, 1, count, file), count);
	ck_assert_int_eq(fclose(file), 0);
}

static void save(const char *path, struct maker *m)
{
	save_bytes(path, m->at, m->len);
	free(m->at);
}

static char *load(const char *path, size_t *count)
{
	FILE *file = fopen(path, "re");
	struct stat status;
	char *bytes;

	ck_assert_ptr_nonnull(file);
	ck_assert_int_eq(fstat(fileno(file), &status), 0);
	*count = (size_t)status.st_size;
	bytes = malloc(*count + 1);
	ck_assert_uint_eq(fread(bytes, 1, *count, file), *count);
	fclose(file);
	return bytes;
}

static void check_same_bytes(const char *a, const char *b)
{
	size_t a_count, b_count;
	char *a_bytes = load(a, &a_count), *b_bytes = load(b, &b_count);

	ck_assert_uint_eq(a_count, b_count);
	ck_assert(!memcmp(a_bytes, b_bytes, a_count));
	free(a_bytes);
	free(b_bytes);
}

static struct perf_file *open_file(const char *path)
{
	struct perf_file *file;
	const char *why;

	ck_assert_msg(!perf_file__open(&file, path, &why), "%s: %s", path, why ?: "");
	return file;
}

static int rewrite(const char *path, const char *to, int level)
{
	const struct peat_rewrite_opts opts = { .sz = sizeof(opts), .level = level };

	return peat_recording__rewrite(path, to, &opts);
}

/* ---- the same records ------------------------------------------------------------------------ */

/* Records that describe the file, and differ in the rewritten one. */
static bool is_of_shape(const struct perf_entry *entry)
{
	switch (entry->type) {
	case TOOL_COMPRESSED:
	case TOOL_COMPRESSED2:
	case TOOL_HEADER_ATTR:
	case TOOL_EVENT_TYPE:
	case TOOL_EVENT_UPDATE:
	case TOOL_TRACING_DATA:
	case TOOL_FEATURE:
	case TOOL_FINISHED_ROUND:
		return true;
	default:
		return false;
	}
}

static bool next_record(struct perf_file *file, struct perf_entry *entry)
{
	int ret;

	do
		ret = perf_file__next(file, entry);
	while (ret > 0 && is_of_shape(entry));
	ck_assert_int_ge(ret, 0);
	return ret > 0;
}

/* The result has the same records in order, byte by byte; returns their number. */
static unsigned check_same_records(const char *path, const char *to)
{
	struct perf_file *theirs = open_file(path), *ours = open_file(to);
	struct perf_entry a, b;
	unsigned count = 0;

	perf_file__keep_payloads(theirs);
	perf_file__keep_payloads(ours);
	while (next_record(theirs, &a)) {
		ck_assert(next_record(ours, &b));
		ck_assert_uint_eq(a.size, b.size);
		ck_assert(!memcmp(a.bytes, b.bytes, a.size));
		ck_assert(!a.attr == !b.attr && (!a.attr || a.attr->index == b.attr->index));
		ck_assert_uint_eq(a.payload_bytes, b.payload_bytes);
		ck_assert(!a.payload || !memcmp(a.payload, b.payload, a.payload_bytes));
		count++;
	}
	ck_assert(!next_record(ours, &b));
	ck_assert_int_eq(perf_file__end(ours)->how, PERF_END_WHOLE);
	ck_assert_int_eq(perf_file__info(ours)->mode, PERF_FILE_SECTIONS);
	ck_assert(!perf_file__info(ours)->crashed);
	ck_assert_int_eq(perf_file__info(ours)->swapped, perf_file__info(theirs)->swapped);
	ck_assert_uint_eq(perf_file__attrs(ours)->count, perf_file__attrs(theirs)->count);
	perf_file__close(theirs);
	perf_file__close(ours);
	return count;
}

/* Plain and compressed; rewriting the result makes no difference. */
static unsigned check_rewrite(const char *path, int wanted)
{
	unsigned count;

	ck_assert_int_eq(rewrite(path, "made", 0), wanted);
	count = check_same_records(path, "made");
	ck_assert_int_eq(rewrite("made", "again", 0), 0);
	check_same_bytes("made", "again");
	ck_assert_int_eq(rewrite(path, "packed", 3), wanted);
	ck_assert_uint_eq(check_same_records(path, "packed"), count);
	ck_assert_int_eq(rewrite("packed", "again", 0), 0);
	check_same_bytes("made", "again");
	return count;
}

START_TEST(test_sections_are_kept)
{
	for (int swapped = 0; swapped < 2; swapped++) {
		struct maker m = { .swapped = swapped };

		make_usual(&m);
		save("file", &m);
		ck_assert_uint_eq(check_rewrite("file", 0), 7);
	}
}
END_TEST

START_TEST(test_compressed_data_is_inflated)
{
	for (int swapped = 0; swapped < 2; swapped++)
		for (uint32_t type = TOOL_COMPRESSED; type <= TOOL_COMPRESSED2; type += 2) {
			struct maker m = { .swapped = swapped };

			make_compressed(&m, type);
			save("file", &m);
			ck_assert_uint_eq(check_rewrite("file", 0), 51);
		}
}
END_TEST

/* Header records of a pipe become sections. */
static void check_sections_of_pipe(void)
{
	struct perf_feature feature = { 0 };
	struct perf_file *file = open_file("made");
	unsigned bits = 0;

	ck_assert_int_eq(perf_file__attrs(file)->at[1]->ids[0], 200);
	while (perf_file__next_feature(file, &feature) > 0) {
		bits |= 1U << feature.bit;
		ck_assert_ptr_nonnull(feature.bytes);
		if (feature.bit == FEATURE_TRACING_DATA)
			ck_assert(!memcmp(feature.bytes, "sixteen of these", 16));
		if (feature.bit == FEATURE_HOSTNAME)
			ck_assert(!memcmp(feature.bytes, "abc", 3));
	}
	ck_assert_uint_eq(bits, 1U << FEATURE_TRACING_DATA | 1U << FEATURE_HOSTNAME |
					1U << FEATURE_EVENT_DESC | 1U << FEATURE_AUXTRACE);
	perf_file__close(file);
}

/* The index of AUXTRACE records, as perf reads it. */
static void check_places(bool swapped)
{
	struct perf_file *file = open_file("made");
	struct perf_feature feature = { .bit = FEATURE_AUXTRACE - 1 };
	struct maker wanted = { .swapped = swapped };
	struct perf_entry entry;

	do
		ck_assert_int_eq(perf_file__next(file, &entry), 1);
	while (entry.type != TOOL_AUXTRACE);
	make(&wanted, 1, 8);
	make(&wanted, entry.offset, 8);
	make(&wanted, entry.size, 8);
	ck_assert_int_eq(perf_file__next_feature(file, &feature), 1);
	ck_assert_uint_eq(feature.bit, FEATURE_AUXTRACE);
	ck_assert_uint_eq(feature.bytes_count, wanted.len);
	ck_assert(!memcmp(feature.bytes, wanted.at, wanted.len));
	free(wanted.at);
	perf_file__close(file);
}

START_TEST(test_pipe_becomes_file)
{
	for (int swapped = 0; swapped < 2; swapped++) {
		struct maker m = { .swapped = swapped };

		make_pipe(&m);
		save("file", &m);
		ck_assert_uint_eq(check_rewrite("file", 0), 6);
		check_sections_of_pipe();
		check_places(swapped);
	}
}
END_TEST

/* Old pipes name no tracepoint: the result has the name of its format. */
START_TEST(test_name_of_format)
{
	for (int swapped = 0; swapped < 2; swapped++) {
		struct maker m = { .swapped = swapped };
		size_t count;
		char *bytes;

		begin_made_pipe(&m);
		make_event(&m, 100, (struct made_at){ 10, 0, 43 }, 1);
		save("file", &m);
		ck_assert_uint_eq(check_rewrite("file", 0), 1);
		bytes = load("made", &count);
		ck_assert_ptr_nonnull(memmem(bytes, count, "made:first", 11));
		ck_assert_ptr_nonnull(memmem(bytes, count, "made:second", 12));
		free(bytes);
	}
}
END_TEST

/* Files of version 1 (PERFFILE), in both byte orders. */
START_TEST(test_version_1)
{
	static const struct made_attr old = { 1, 64, 0, IDENTIFIED, ID_ALL };

	for (int swapped = 0; swapped < 2; swapped++) {
		struct maker m = { .swapped = swapped };
		struct perf_file *file;
		size_t data;

		make_file(&m, &old, 1);
		memcpy(m.at, "PERFFILE", 8);
		data = m.len;
		make_sample(&m, 100, 1);
		make_sample(&m, 101, 2);
		end_data(&m, data, 0);
		save("file", &m);
		ck_assert_uint_eq(check_rewrite("file", 0), 2);
		file = open_file("made");
		ck_assert_int_eq(perf_file__info(file)->version, 2);
		ck_assert_uint_eq(perf_file__attrs(file)->at[0]->bytes, 128);
		ck_assert_uint_eq(perf_file__attrs(file)->at[0]->flags, ID_ALL);
		ck_assert_uint_eq(perf_file__attrs(file)->at[0]->period, 4000);
		perf_file__close(file);
	}
}
END_TEST

/* Stock perf looks for the id of a record at its end. */
START_TEST(test_excess_bytes_are_dropped)
{
	for (int swapped = 0; swapped < 2; swapped++) {
		struct maker m = { .swapped = swapped };
		struct perf_file *file;
		struct perf_entry entry;
		size_t data;

		make_file(&m, two, 2);
		data = m.len;
		make_header(&m, PEAT_RECORD_BPF_EVENT, 0, 64);
		make_zeroes(&m, 32);
		make(&m, 101, 8);
		make(&m, 7, 8);
		make(&m, 8, 8);
		end_data(&m, data, 0);
		save("file", &m);
		ck_assert_int_eq(peat_recording__rewrite("file", "made", NULL), 0);
		file = open_file("made");
		do
			ck_assert_int_eq(perf_file__next(file, &entry), 1);
		while (entry.type != PEAT_RECORD_BPF_EVENT);
		ck_assert_uint_eq(entry.size, 48);
		ck_assert_uint_eq(load_u64(entry.bytes + 40, swapped), 101);
		perf_file__close(file);
	}
}
END_TEST

/* More ids than a record has room for. */
START_TEST(test_many_ids)
{
	struct maker m = { 0 };
	struct perf_file *file;
	size_t at;

	make_file_header(&m, "PERFILE2");
	for (unsigned i = 1; i <= 20000; i++)
		make(&m, i, 8);
	at = m.len;
	make_attr(&m, &two[0]);
	make(&m, 104, 8);
	make(&m, 160000, 8);
	make_over(&m, AT_ATTR_SIZE, two[0].size + 16, 8);
	make_section(&m, AT_ATTRS, at, m.len - at);
	at = m.len;
	make_sample(&m, 1, 1);
	make_sample(&m, 20000, 2);
	end_data(&m, at, 0);
	save("file", &m);
	ck_assert_uint_eq(check_rewrite("file", 0), 2);
	file = open_file("made");
	ck_assert_uint_eq(perf_file__attrs(file)->at[0]->ids_count, 20000);
	ck_assert_uint_eq(perf_file__attrs(file)->at[0]->ids[19999], 20000);
	perf_file__close(file);
}
END_TEST

/* ---- not whole ------------------------------------------------------------------------------- */

/* Cut in steps: everything that can be read is in the result. */
static void check_cuts(const struct maker *m, size_t from)
{
	unsigned before = 0, count;

	for (size_t len = from; len < m->len; len += 61) {
		struct perf_file *file;
		bool whole;

		save_bytes("file", m->at, len);
		file = open_file("file");
		while (perf_file__next(file, &(struct perf_entry){ 0 }) > 0)
			;
		whole = perf_file__end(file)->how == PERF_END_WHOLE &&
			perf_file__info(file)->mode == PERF_FILE_PIPE;
		perf_file__close(file);
		count = check_rewrite("file", whole ? 0 : -EBADMSG);
		ck_assert_uint_ge(count, before);
		before = count;
	}
	ck_assert_uint_gt(before, 0);
}

START_TEST(test_cut_files_are_repaired)
{
	struct maker usual = { 0 }, pipe = { .swapped = true }, compressed = { 0 };

	make_usual(&usual);
	check_cuts(&usual, data_of_usual(&usual));
	make_compressed(&compressed, TOOL_COMPRESSED);
	check_cuts(&compressed, data_of_usual(&compressed));
	make_pipe(&pipe);
	pipe.len = 1100; /* inside the payload of AUXTRACE */
	check_cuts(&pipe, 16);
	free(usual.at);
	free(pipe.at);
	free(compressed.at);
}
END_TEST

/* The writer crashed: the size of the data and the formats are missing. */
START_TEST(test_crashed_recording_is_repaired)
{
	static const struct made_attr point = { 2, 112, 314, IDENTIFIED, ID_ALL };
	struct perf_feature feature = { 0 };
	struct maker m = { 0 };
	struct perf_file *file;
	char *text;

	make_file(&m, &point, 1);
	make_sample(&m, 100, 1);
	make_sample(&m, 101, 2);
	save("file", &m);
	ck_assert_uint_eq(check_rewrite("file", -EBADMSG), 2);
	file = open_file("made");
	ck_assert_int_eq(perf_file__next_feature(file, &feature), 1);
	ck_assert_uint_eq(feature.bit, FEATURE_TRACING_DATA);
	text = memmem(feature.bytes, feature.bytes_count, "ID: 314\n", 8);
	ck_assert_ptr_nonnull(text);
	perf_file__close(file);
}
END_TEST

/* ---- what perf 6.1 does not know ------------------------------------------------------------- */

static char said[4000];

static void note(enum peat_log_level level, const char *text)
{
	size_t used = strlen(said);

	(void)level;
	snprintf(said + used, sizeof(said) - used, "%s\n", text);
}

START_TEST(test_left_out)
{
	struct maker m = { 0 };
	size_t data, start;

	make_file(&m, two, 2);
	data = m.len;
	make_sample(&m, 100, 1);
	make_header(&m, 84, 0, 16);
	make(&m, 0, 8);
	start = make_header(&m, TOOL_AUXTRACE, 0, 48);
	make(&m, PERF_PAYLOAD_MAX + 8, 8);
	make_zeroes(&m, 32);
	m.at = realloc(m.at, m.room = m.len + PERF_PAYLOAD_MAX + 4096);
	memset(m.at + m.len, 0, PERF_PAYLOAD_MAX + 8);
	m.len += PERF_PAYLOAD_MAX + 8;
	make_sample(&m, 101, 1);
	end_data(&m, data, 3);
	make_over(&m, AT_FEATURES, 1ULL << 33 | 1ULL << FEATURE_OSRELEASE | 2, 8);
	save("file", &m);
	ck_assert_uint_gt(start, 0);
	peat_set_print(note);
	ck_assert_int_eq(rewrite("file", "made", 0), 0);
	peat_set_print(NULL);
	ck_assert_ptr_nonnull(strstr(said, "feature 33 E_MACHINE left out"));
	ck_assert_ptr_nonnull(strstr(said, "AUXTRACE records left out: 1 with 33554440 bytes"));
	ck_assert_ptr_nonnull(strstr(said, "records left out: 1 of types"));
}
END_TEST

static void check_cpu_map(const char *path)
{
	struct perf_file *file = open_file(path);
	struct perf_entry entry;

	do
		ck_assert_int_eq(perf_file__next(file, &entry), 1);
	while (entry.type != TOOL_CPU_MAP);
	ck_assert_uint_eq(entry.size, 24);
	ck_assert_mem_eq(entry.bytes + 8, "fourteen bytes\0", 16);
	ck_assert_int_eq(perf_file__next(file, &entry), 1);
	ck_assert_uint_eq(entry.type, PEAT_RECORD_SAMPLE);
	perf_file__close(file);
}

/* perf 7.2 refuses a record whose size is no multiple of 8. */
START_TEST(test_unaligned_cpu_map)
{
	for (int swapped = 0; swapped < 2; swapped++) {
		struct maker m = { .swapped = swapped };
		size_t data;

		make_file(&m, two, 2);
		data = m.len;
		make_header(&m, TOOL_CPU_MAP, 0, 22);
		make_bytes(&m, "fourteen bytes", 14);
		make_sample(&m, 100, 1);
		end_data(&m, data, 0);
		save("file", &m);
		ck_assert_int_eq(rewrite("file", "made", 0), 0);
		check_cpu_map("made");
		ck_assert_int_eq(rewrite("file", "packed", 3), 0);
		check_cpu_map("packed");
		ck_assert_int_eq(rewrite("made", "again", 0), 0);
		check_same_bytes("made", "again");
	}
}
END_TEST

/* perf stops reading features at an empty one; BRANCH_STACK and STAT never have bytes. */
START_TEST(test_empty_features)
{
	static const unsigned bits[] = { FEATURE_HOSTNAME, FEATURE_CPUDESC, FEATURE_BRANCH_STACK,
					 FEATURE_STAT };
	struct perf_feature feature = { 0 };
	uint64_t wanted = 1ULL << FEATURE_EVENT_DESC | 1ULL << FEATURE_HOSTNAME |
			  1ULL << FEATURE_BRANCH_STACK | 1ULL << FEATURE_STAT;
	struct maker m = { 0 };
	struct perf_file *file;
	size_t data, table;

	make_file(&m, two, 2);
	data = m.len;
	make_sample(&m, 100, 1);
	make_section(&m, AT_DATA, data, m.len - data);
	table = m.len;
	make_zeroes(&m, 16 * sizeof(bits) / sizeof(*bits));
	for (size_t i = 0; i < sizeof(bits) / sizeof(*bits); i++)
		make_section(&m, table + 16 * i, m.len, i ? 0 : 8);
	make(&m, 4, 4);
	make_bytes(&m, "abc", 4);
	make_over(&m, AT_FEATURES,
		  1ULL << FEATURE_HOSTNAME | 1ULL << FEATURE_CPUDESC |
			  1ULL << FEATURE_BRANCH_STACK | 1ULL << FEATURE_STAT,
		  8);
	save("file", &m);
	ck_assert_uint_eq(check_rewrite("file", 0), 1);
	file = open_file("made");
	while (perf_file__next_feature(file, &feature) > 0) {
		ck_assert_msg(wanted >> feature.bit & 1, "feature %u", feature.bit);
		wanted &= ~(1ULL << feature.bit);
	}
	ck_assert_uint_eq(wanted, 0);
	perf_file__close(file);
}
END_TEST

/* ---- directories ----------------------------------------------------------------------------- */

#define PART_SAMPLES 20000

/* Sorted samples of one CPU, or of two CPUs, interleaved. */
static void save_part(const char *path, uint64_t first, bool in_turns)
{
	struct maker m = { 0 };

	for (unsigned i = 0; i < PART_SAMPLES; i++)
		make_sample(&m, 100, first + 3 * (in_turns ? i ^ 1023 : i));
	save(path, &m);
}

static void save_directory(void)
{
	struct maker m = { 0 };
	size_t data;

	make_file(&m, two, 2);
	data = m.len;
	make_sample(&m, 200, 0); /* without a time: perf prints it immediately */
	make_sample(&m, 200, 40000);
	end_data(&m, data, 3);
	ck_assert_int_eq(mkdir("directory", 0700), 0);
	save("directory/data", &m);
	save_part("directory/data.0", 10, false);
	save_part("directory/data.1", 11, true);
}

/* Records after a FINISHED_ROUND are not older than those before the previous one. */
static void check_rounds(const char *path, unsigned least)
{
	uint64_t newest = 0, at_mark = 0, until = 0;
	struct perf_file *file = open_file(path);
	struct perf_entry entry;
	struct peat_record rec = { .sz = sizeof(rec) };
	unsigned marks = 0;

	while (perf_file__next(file, &entry) > 0) {
		if (entry.type == TOOL_FINISHED_ROUND) {
			until = at_mark;
			at_mark = newest;
			marks++;
			continue;
		}
		if (!entry.layout)
			continue;
		ck_assert_int_eq(peat_record__decode(entry.layout, entry.bytes, entry.size, &rec),
				 1);
		ck_assert(!rec.time_ns || rec.time_ns >= until);
		newest = rec.time_ns > newest ? rec.time_ns : newest;
	}
	ck_assert_uint_ge(marks, least);
	perf_file__close(file);
}

START_TEST(test_directory_becomes_one_file)
{
	struct perf_file *file;
	struct tally tally;

	save_directory();
	ck_assert_int_eq(rewrite("directory", "made", 0), 0);
	check_rounds("made", 2 * PART_SAMPLES / ROUNDS_CHUNK_RECORDS - 2);
	file = open_file("made");
	tally = read_file(file);
	perf_file__close(file);
	ck_assert_uint_eq(tally.of[0], 2 * PART_SAMPLES);
	ck_assert_uint_eq(tally.of[1], 2);
	ck_assert_int_eq(rewrite("made", "again", 0), 0);
	check_same_bytes("made", "again");
	ck_assert_int_eq(rewrite("directory", "directory/data.1", 0), -EINVAL);
	ck_assert_int_eq(rewrite("directory", "again", 0), 0);
	check_same_bytes("made", "again");
}
END_TEST

/* ---- progress -------------------------------------------------------------------------------- */

struct seen_progress {
	uint64_t done, all;
	unsigned calls;
};

static void note_progress(void *arg, uint64_t done, uint64_t all)
{
	struct seen_progress *seen = arg;

	ck_assert_uint_ge(done, seen->done);
	ck_assert(!all || done <= all);
	ck_assert(!seen->calls || all == seen->all);
	*seen = (struct seen_progress){ done, all, seen->calls + 1 };
}

static uint64_t size_of_file(const char *path)
{
	struct stat status;

	ck_assert_int_eq(stat(path, &status), 0);
	return (uint64_t)status.st_size;
}

/* A directory is read twice: the second pass begins where the first has ended. */
START_TEST(test_progress_of_both_passes)
{
	struct seen_progress seen = { 0 };
	const struct peat_rewrite_opts opts = { .sz = sizeof(opts),
						.progress = note_progress,
						.progress_arg = &seen };
	uint64_t parts;

	save_directory();
	parts = size_of_file("directory/data.0") + size_of_file("directory/data.1");
	ck_assert_int_eq(peat_recording__rewrite("directory", "made", &opts), 0);
	ck_assert_uint_ge(seen.calls, 4);
	ck_assert_uint_gt(seen.all, 2 * parts);
	ck_assert_uint_gt(seen.done, parts + parts / 2);
	seen = (struct seen_progress){ 0 };
	ck_assert_int_eq(peat_recording__rewrite("made", "again", &opts), 0);
	ck_assert_uint_ge(seen.calls, 2);
	ck_assert_uint_le(seen.all, size_of_file("made"));
}
END_TEST

/* One file of the directory is cut. */
START_TEST(test_cut_directory)
{
	struct perf_file *file;
	struct tally tally;

	save_directory();
	ck_assert_int_eq(truncate("directory/data.0", 32 * 5000 + 5), 0);
	ck_assert_int_eq(rewrite("directory", "made", 0), -EBADMSG);
	check_rounds("made", 3);
	file = open_file("made");
	tally = read_file(file);
	perf_file__close(file);
	ck_assert_uint_eq(tally.of[0], PART_SAMPLES + 5000);
	ck_assert_uint_eq(tally.of[1], 2);
}
END_TEST

/* ---- where it goes, and whence --------------------------------------------------------------- */

START_TEST(test_output_is_input)
{
	struct maker m = { 0 };

	make_usual(&m);
	save_bytes("file", m.at, m.len);
	save("copy", &m);
	ck_assert_int_eq(link("file", "link"), 0);
	ck_assert_int_eq(symlink("file", "symlink"), 0);
	ck_assert_int_eq(rewrite("file", "file", 0), -EINVAL);
	ck_assert_int_eq(rewrite("file", "link", 0), -EINVAL);
	ck_assert_int_eq(rewrite("symlink", "file", 0), -EINVAL);
	ck_assert_int_eq(rewrite("nothing", "file", 0), -ENOENT);
	save_bytes("text", "no recording", 12);
	ck_assert_int_eq(rewrite("text", "file", 0), -EBADMSG);
	check_same_bytes("file", "copy");
	ck_assert_int_eq(rewrite("file", "nowhere/made", 0), -ENOENT);
	ck_assert_int_eq(rewrite("file", "made", 23), -EINVAL);
	ck_assert_int_eq(access("made", F_OK), -1);
}
END_TEST

START_TEST(test_full_disk_fails)
{
	struct maker m = { 0 };

	make_usual(&m);
	save("file", &m);
	ck_assert_int_eq(rewrite("file", "/dev/full", 0), -ENOSPC);
}
END_TEST

/* A longer file exists already. */
START_TEST(test_replaces_longer_file)
{
	struct maker m = { 0 };
	char bytes[8000] = { 0 };

	make_usual(&m);
	save("file", &m);
	save_bytes("made", bytes, sizeof(bytes));
	ck_assert_int_eq(rewrite("file", "made", 0), 0);
	ck_assert_int_eq(rewrite("file", "again", 0), 0);
	check_same_bytes("made", "again");
}
END_TEST

/* The child's standard input is a pipe with the file; its status is that of rewrite(). */
static int rewrite_piped(const char *path, const char *to)
{
	size_t count;
	char *bytes = load(path, &count);
	int ends[2], status;
	pid_t child;

	ck_assert_int_eq(pipe(ends), 0);
	child = fork();
	if (!child) {
		dup2(ends[0], STDIN_FILENO);
		close(ends[1]);
		_exit(-rewrite("-", to, 0));
	}
	close(ends[0]);
	ck_assert_int_eq(write(ends[1], bytes, count), (ssize_t)count);
	close(ends[1]);
	ck_assert_int_eq(waitpid(child, &status, 0), child);
	ck_assert(WIFEXITED(status));
	free(bytes);
	return -WEXITSTATUS(status);
}

/* A pipe is read once, with the same result. */
START_TEST(test_real_pipe)
{
	struct maker m = { 0 };

	make_pipe_header(&m);
	make_pipe_attr(&m, &two[0], 100);
	make_pipe_attr(&m, &two[1], 200);
	make_sample(&m, 200, 1);
	make_header(&m, TOOL_FINISHED_ROUND, 0, 8);
	make_header(&m, TOOL_FINISHED_ROUND, 0, 8);
	make_sample(&m, 100, 2);
	save("file", &m);
	ck_assert_int_eq(rewrite("file", "made", 0), 0);
	ck_assert_int_eq(rewrite_piped("file", "again"), 0);
	check_same_bytes("made", "again");
	ck_assert_int_eq(rewrite_piped("made", "again"), 0);
	check_same_bytes("made", "again");
}
END_TEST

START_TEST(test_late_tracepoint)
{
	static const struct made_attr point = { 2, 112, 314, IDENTIFIED, ID_ALL };
	struct maker m = { 0 };

	make_pipe_header(&m);
	make_pipe_attr(&m, &two[0], 100);
	make_sample(&m, 100, 1);
	make_pipe_attr(&m, &two[1], 200);
	make_sample(&m, 200, 2);
	save_bytes("file", m.at, m.len);
	ck_assert_int_eq(rewrite_piped("file", "made"), 0);
	check_same_records("file", "made");
	make_pipe_attr(&m, &point, 300);
	make_sample(&m, 300, 3);
	save("file", &m);
	ck_assert_int_eq(rewrite_piped("file", "made"), -ENOTSUP);
	ck_assert_uint_eq(check_rewrite("file", 0), 3);
}
END_TEST

/* ---- marks ----------------------------------------------------------------------------------- */

/* Times that go far back leave no place for a second FINISHED_ROUND. */
START_TEST(test_finished_rounds)
{
	struct rounds sorted = { 0 }, disorder = { 0 };
	unsigned count = 10 * ROUNDS_CHUNK_RECORDS, marks = 0, few = 0;

	for (unsigned i = 0; i < count; i++) {
		ck_assert_int_eq(rounds__add(&sorted, i), 0);
		ck_assert_int_eq(rounds__add(&disorder, count - i), 0);
	}
	rounds__choose(&sorted);
	rounds__choose(&disorder);
	for (unsigned i = 0; i < count + 10; i++) {
		marks += rounds__next(&sorted);
		few += rounds__next(&disorder);
	}
	ck_assert_uint_eq(marks, 9);
	ck_assert_uint_eq(few, 1);
	rounds__free(&sorted);
	rounds__free(&disorder);
}
END_TEST

SUITE(60)
{
	tcase_add_checked_fixture(tests, stock_perf__setup, stock_perf__teardown);
	tcase_add_test(tests, test_sections_are_kept);
	tcase_add_test(tests, test_compressed_data_is_inflated);
	tcase_add_test(tests, test_pipe_becomes_file);
	tcase_add_test(tests, test_name_of_format);
	tcase_add_test(tests, test_version_1);
	tcase_add_test(tests, test_excess_bytes_are_dropped);
	tcase_add_test(tests, test_many_ids);
	tcase_add_test(tests, test_cut_files_are_repaired);
	tcase_add_test(tests, test_crashed_recording_is_repaired);
	tcase_add_test(tests, test_left_out);
	tcase_add_test(tests, test_unaligned_cpu_map);
	tcase_add_test(tests, test_empty_features);
	tcase_add_test(tests, test_directory_becomes_one_file);
	tcase_add_test(tests, test_progress_of_both_passes);
	tcase_add_test(tests, test_cut_directory);
	tcase_add_test(tests, test_output_is_input);
	tcase_add_test(tests, test_full_disk_fails);
	tcase_add_test(tests, test_replaces_longer_file);
	tcase_add_test(tests, test_real_pipe);
	tcase_add_test(tests, test_late_tracepoint);
	tcase_add_test(tests, test_finished_rounds);
}

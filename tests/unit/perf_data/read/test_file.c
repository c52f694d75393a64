// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* test_file.c: perf.data of each layout, whole, and whose its records are. */
#include <fcntl.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#include "perf_data/note.h"
#include "perf_tally.h"
#include "support/machine/process.h"
#include "unit/suite.h"

/* ---- layouts --------------------------------------------------------------------------------- */

static void check_sections(bool swapped)
{
	struct maker m = { .swapped = swapped };
	struct tally tally;

	make_usual(&m);
	tally = read_made(&m);
	check_usual(&tally);
	check_end(&tally, PERF_END_WHOLE, data_of_usual(&m) + USUAL_DATA_BYTES, NULL);
	tally = read_bytes(m.at, m.len, false);
	check_usual(&tally);
	check_end(&tally, PERF_END_WHOLE, data_of_usual(&m) + USUAL_DATA_BYTES, NULL);
	free(m.at);
}

START_TEST(test_reads_sections)
{
	check_sections(false);
	check_sections(true);
}
END_TEST

START_TEST(test_info_and_features)
{
	struct maker m = { .swapped = true };
	struct perf_feature feature = { 0 };
	struct perf_file *file;

	make_usual(&m);
	file = open_made(&m);
	ck_assert_int_eq(perf_file__info(file)->mode, PERF_FILE_SECTIONS);
	ck_assert_int_eq(perf_file__info(file)->version, 2);
	ck_assert(perf_file__info(file)->swapped && !perf_file__info(file)->crashed);
	ck_assert_uint_eq(perf_file__info(file)->data_bytes, USUAL_DATA_BYTES);
	ck_assert_uint_eq(perf_file__attrs(file)->count, 2);
	ck_assert_uint_eq(perf_file__attrs(file)->at[1]->ids_count, 2);
	ck_assert_uint_eq(perf_file__attrs(file)->at[1]->ids[1], 201);
	for (unsigned i = 1; i <= 3; i++) {
		ck_assert_int_eq(perf_file__next_feature(file, &feature), 1);
		ck_assert_uint_eq(feature.bit, i);
		ck_assert_uint_eq(feature.bytes_count, 7 + i);
		ck_assert_ptr_nonnull(feature.bytes);
		ck_assert_uint_eq(feature.bytes[MAKER_BIG_ENDIAN ? 0 : 7], i);
		ck_assert(!memcmp(feature.bytes, m.at + feature.offset, 7 + i));
	}
	ck_assert_int_eq(perf_file__next_feature(file, &feature), 0);
	perf_file__close(file);
	free(m.at);
}
END_TEST

/* The halves of a 32-bit big-endian writer's longs stand the other way round. */
START_TEST(test_features_of_32_bits)
{
	struct maker m = { .swapped = !MAKER_BIG_ENDIAN };
	struct perf_feature feature = { 0 };
	struct perf_file *file;

	make_usual(&m);
	make_over(&m, AT_FEATURES, 0xe, 4);
	make_over(&m, AT_FEATURES + 4, 0, 4);
	file = open_made(&m);
	for (unsigned i = 1; i <= 3; i++) {
		ck_assert_int_eq(perf_file__next_feature(file, &feature), 1);
		ck_assert_uint_eq(feature.bit, i);
	}
	ck_assert_int_eq(perf_file__next_feature(file, &feature), 0);
	perf_file__close(file);
	free(m.at);
}
END_TEST

static void check_pipe(bool swapped)
{
	struct maker m = { .swapped = swapped };
	struct tally tally;

	make_pipe(&m);
	for (int seekable = 0; seekable < 2; seekable++) {
		tally = read_bytes(m.at, m.len, seekable);
		ck_assert_uint_eq(tally.records, 11);
		ck_assert(tally.of[0] == 2 && tally.of[1] == 2);
		ck_assert_uint_eq(tally.payload_bytes, 16 + 100000);
		check_end(&tally, PERF_END_WHOLE, m.len, NULL);
	}
	free(m.at);
}

START_TEST(test_reads_pipe)
{
	check_pipe(false);
	check_pipe(true);
}
END_TEST

START_TEST(test_payloads_and_names)
{
	struct maker m = { 0 };
	struct perf_entry entry;
	struct perf_file *file;

	make_pipe(&m);
	file = open_made(&m);
	ck_assert_int_eq(perf_file__info(file)->mode, PERF_FILE_PIPE);
	while (perf_file__next(file, &entry) > 0) {
		if (entry.type == TOOL_TRACING_DATA)
			ck_assert(!memcmp(entry.payload, "sixteen of these", 16));
		if (entry.type == TOOL_AUXTRACE)
			ck_assert(!entry.payload && entry.payload_bytes == 100000);
		ck_assert(!entry.layout == (entry.type >= 64));
	}
	ck_assert_ptr_null(perf_file__attrs(file)->at[0]->name);
	ck_assert_str_eq(perf_file__attrs(file)->at[1]->name, "dummy:u");
	ck_assert_ptr_eq(perf_attrs__by_id(perf_file__attrs(file), 100),
			 perf_file__attrs(file)->at[0]);
	perf_file__close(file);
	free(m.at);
}
END_TEST

/* The magic is a text there, and the header's size tells the byte order. */
static void check_version_1(bool swapped)
{
	struct maker m = { .swapped = swapped };
	size_t types;
	struct perf_file *file;
	struct tally tally;

	make_usual(&m);
	memcpy(m.at, "PERFFILE", 8);
	types = m.len;
	make(&m, 9, 8);
	make_bytes(&m, "nine", 4);
	make_zeroes(&m, 60);
	make(&m, 0, 8);
	make_bytes(&m, "zero", 4);
	make_zeroes(&m, 60);
	make_section(&m, AT_EVENT_TYPES, types, m.len - types);
	tally = read_made(&m);
	check_usual(&tally);
	file = open_made(&m);
	ck_assert_int_eq(perf_file__info(file)->version, 1);
	ck_assert(perf_file__info(file)->swapped == swapped);
	ck_assert_str_eq(perf_file__attrs(file)->at[0]->name, "zero");
	ck_assert_str_eq(perf_file__attrs(file)->at[1]->name, "nine");
	perf_file__close(file);
	free(m.at);
}

START_TEST(test_version_1)
{
	check_version_1(false);
	check_version_1(true);
}
END_TEST

/* A file of a directory has records alone. */
static void write_in(const char *directory, const char *name, const struct maker *m)
{
	char path[256];
	FILE *file;

	snprintf(path, sizeof(path), "%s/%s", directory, name);
	file = fopen(path, "we");
	ck_assert_ptr_nonnull(file);
	ck_assert_uint_eq(fwrite(m->len ? (const char *)m->at : "", 1, m->len, file), m->len);
	ck_assert_int_eq(fclose(file), 0);
}

static void remove_all(const char *directory)
{
	process__run("/bin/rm", ARGV("rm", "-r", directory));
}

/* data.10 comes after data.2; what is no data is not read. */
static void write_directory(char *directory)
{
	struct maker head = { 0 }, none = { 0 }, some = { 0 }, cut = { 0 };

	ck_assert_ptr_nonnull(mkdtemp(directory));
	make_usual(&head);
	make_samples(&some, 30000); /* more than a window */
	make_samples(&cut, 3);
	cut.len -= 1;
	write_in(directory, "data", &head);
	write_in(directory, "data.0", &none);
	write_in(directory, "data.2", &some);
	write_in(directory, "data.10", &cut);
	write_in(directory, "data.old", &some);
	write_in(directory, "database", &some);
	free(head.at);
	free(some.at);
	free(cut.at);
}

/* The time of the last change; pipes have none. */
START_TEST(test_changed_time)
{
	char directory[] = "/tmp/peat-perf-XXXXXX", path[64];
	const struct timespec times[2] = { { 1, 0 }, { 1234567890, 5 } };
	struct perf_file *file;
	const char *why;

	write_directory(directory);
	snprintf(path, sizeof(path), "%s/data", directory);
	ck_assert_int_eq(utimensat(AT_FDCWD, path, times, 0), 0);
	for (int i = 0; i < 2; i++) {
		ck_assert_int_eq(perf_file__open(&file, i ? path : directory, &why), 0);
		ck_assert_int_eq(perf_file__info(file)->changed_ns, 1234567890000000005);
		perf_file__close(file);
	}
	remove_all(directory);
}
END_TEST

START_TEST(test_reads_directory)
{
	char directory[] = "/tmp/peat-perf-XXXXXX";
	struct perf_file *file;
	struct tally tally;
	const char *why;

	write_directory(directory);
	ck_assert_int_eq(perf_file__open(&file, directory, &why), 0);
	ck_assert_int_eq(perf_file__info(file)->mode, PERF_FILE_DIRECTORY);
	ck_assert_uint_eq(perf_file__streams(file), 4);
	ck_assert_str_eq(perf_file__stream_name(file, 0), "data");
	ck_assert_str_eq(perf_file__stream_name(file, 3), "data.10");
	tally = read_file(file);
	ck_assert_uint_eq(tally.records, 7 + 30000 + 2);
	ck_assert_uint_eq(tally.of[0], 3 + 15000 + 1);
	check_end(&tally, PERF_END_CUT, 64, "ends inside a record");
	ck_assert_uint_eq(tally.end.stream, 3);
	perf_file__close(file);
	remove_all(directory);
}
END_TEST

/* Reads to the end.  The position never goes back. */
static void check_position(struct perf_file *file, uint64_t expected_all, uint64_t expected_done)
{
	uint64_t done, all, before = 0;
	struct perf_entry entry;

	do {
		perf_file__position(file, &done, &all);
		ck_assert_uint_eq(all, expected_all);
		ck_assert_uint_ge(done, before);
		before = done;
	} while (perf_file__next(file, &entry) > 0);
	perf_file__position(file, &done, &all);
	ck_assert_uint_eq(done, expected_done);
	perf_file__close(file);
}

START_TEST(test_position_in_file)
{
	struct maker m = { 0 };
	struct perf_file *file;
	const char *why;
	uint64_t end;

	make_usual(&m);
	end = data_of_usual(&m) + USUAL_DATA_BYTES; /* features follow */
	ck_assert_uint_lt(end, m.len);
	ck_assert_int_eq(perf_file__open_memory(&file, m.at, m.len, true, &why), 0);
	check_position(file, end, end);
	ck_assert_int_eq(perf_file__open_memory(&file, m.at, m.len, false, &why), 0);
	check_position(file, 0, end);
	free(m.at);
}
END_TEST

static uint64_t size_of_file(const char *directory, const char *name)
{
	struct stat status;
	char path[64];

	snprintf(path, sizeof(path), "%s/%s", directory, name);
	ck_assert_int_eq(stat(path, &status), 0);
	return (uint64_t)status.st_size;
}

/* The last file is cut inside a record. */
START_TEST(test_position_in_directory)
{
	static const char *const names[] = { "data.0", "data.2", "data.10" };
	char directory[] = "/tmp/peat-perf-XXXXXX";
	uint64_t done, first, all, parts = 0;
	struct perf_entry entry;
	struct perf_file *file;
	const char *why;

	write_directory(directory);
	for (int i = 0; i < 3; i++)
		parts += size_of_file(directory, names[i]);
	ck_assert_int_eq(perf_file__open(&file, directory, &why), 0);
	perf_file__position(file, &first, &all);
	ck_assert_uint_gt(all, parts);
	ck_assert_uint_le(all, parts + size_of_file(directory, "data"));
	while (perf_file__next(file, &entry) > 0)
		;
	perf_file__position(file, &done, &all);
	ck_assert_uint_le(done, all);
	ck_assert_uint_gt(done + 64, all);
	perf_file__close(file);
	remove_all(directory);
}
END_TEST

/* A file of a directory that is none is refused, and not opened. */
START_TEST(test_directory_with_fifo)
{
	static const char *const names[] = { "data", "data.2" };
	char directory[] = "/tmp/peat-perf-XXXXXX", path[64];
	struct perf_file *file;
	const char *why;

	write_directory(directory);
	snprintf(path, sizeof(path), "%s/%s", directory, names[_i]);
	ck_assert_int_eq(unlink(path), 0);
	ck_assert_int_eq(mkfifo(path, 0600), 0);
	ck_assert_int_eq(perf_file__open(&file, directory, &why), -EBADMSG);
	ck_assert_str_eq(why, "a file of this directory is no regular file");
	remove_all(directory);
}
END_TEST

/* Side by side, in any order. */
START_TEST(test_reads_streams_in_turn)
{
	char directory[] = "/tmp/peat-perf-XXXXXX";
	unsigned long of[4] = { 0 };
	struct perf_entry entry;
	struct perf_file *file;
	const char *why;
	int open = 4;

	write_directory(directory);
	ck_assert_int_eq(perf_file__open(&file, directory, &why), 0);
	while (open) {
		open = 0;
		for (uint32_t i = 4; i--;) {
			if (perf_file__next_of(file, i, &entry) <= 0)
				continue;
			ck_assert_uint_eq(entry.stream, i);
			of[i]++;
			open++;
		}
	}
	ck_assert(of[0] == 7 && of[1] == 0 && of[2] == 30000 && of[3] == 2);
	ck_assert_int_eq(perf_file__end(file)->how, PERF_END_CUT);
	touch_features(file);
	perf_file__close(file);
	remove_all(directory);
}
END_TEST

/* ---- compressed ------------------------------------------------------------------------------ */

static void check_compressed(uint32_t type, bool swapped)
{
	struct maker m = { .swapped = swapped };
	struct tally tally;

	make_compressed(&m, type);
	tally = read_made(&m);
	ck_assert_uint_eq(tally.types[type], (50 * 32 + 36) / 37);
	ck_assert_uint_eq(tally.inflated, 50);
	ck_assert_uint_eq(tally.of[0], 25);
	ck_assert_uint_eq(tally.of[1], 25);
	ck_assert_uint_eq(tally.types[PEAT_RECORD_COMM], 1);
	ck_assert_int_eq(tally.end.how, PERF_END_WHOLE);
	free(m.at);
}

START_TEST(test_reads_compressed_records)
{
	check_compressed(TOOL_COMPRESSED, false);
	check_compressed(TOOL_COMPRESSED, true);
	check_compressed(TOOL_COMPRESSED2, false);
	check_compressed(TOOL_COMPRESSED2, true);
}
END_TEST

START_TEST(test_compressed_garbage)
{
	struct maker m = { 0 };
	struct tally tally;
	size_t data;

	make_file(&m, two, 2);
	data = m.len;
	make_sample(&m, 100, 1);
	make_header(&m, TOOL_COMPRESSED, 0, 40);
	make_bytes(&m, "this was never compressed by zstd.", 32);
	make_sample(&m, 100, 1);
	end_data(&m, data, 1);
	tally = read_made(&m);
	ck_assert_uint_eq(tally.records, 2);
	check_end(&tally, PERF_END_DAMAGED, data + 32, "not zstd");
	free(m.at);
}
END_TEST

/* ---- whose a record is ----------------------------------------------------------------------- */

/* Without IDENTIFIER the ids stand elsewhere in samples and in trailers, and differ by event. */
START_TEST(test_ids_in_other_places)
{
	static const struct made_attr mixed[] = {
		{ 1, 112, 0, PEAT_SAMPLE_IP | PEAT_SAMPLE_TID | PEAT_SAMPLE_ID, ID_ALL },
		{ 1, 112, 1, PEAT_SAMPLE_ID | PEAT_SAMPLE_CPU, ID_ALL },
		{ 1, 112, 2, IDENTIFIED, 0 },
	};
	struct maker m = { 0 };
	struct tally tally;
	struct perf_entry entry;
	struct perf_file *file;
	size_t data;

	make_file(&m, mixed, 3);
	data = m.len;
	make_header(&m, 9, 0, 32);
	make(&m, 0xffffffff81000000, 8);
	make(&m, 0, 8);
	make(&m, 101, 8);
	make_header(&m, 9, 0, 24);
	make(&m, 200, 8);
	make(&m, 1, 8);
	make_sample(&m, 301, 1);
	make_sample(&m, 999, 201); /* nobody's: its time is no id */
	make_header(&m, 4, 0, 48); /* EXIT with a trailer: ID, CPU */
	make_zeroes(&m, 24);
	make(&m, 201, 8);
	make(&m, 1, 8);
	end_data(&m, data, 1);
	tally = read_made(&m);
	ck_assert(tally.of[0] == 1 && tally.of[1] == 1 && tally.of[2] == 1 && tally.nobodys == 1);
	file = open_made(&m);
	while (perf_file__next(file, &entry) > 0)
		if (entry.type == PEAT_RECORD_EXIT)
			ck_assert_ptr_eq(entry.attr, perf_file__attrs(file)->at[1]);
		else
			ck_assert(!entry.attr == !entry.layout);
	perf_file__close(file);
	free(m.at);
}
END_TEST

/* The bytes after a trailer look like one of another event. */
START_TEST(test_ids_before_excess)
{
	static const struct made_attr two[] = {
		{ 1, 112, 0, PEAT_SAMPLE_TIME | PEAT_SAMPLE_IDENTIFIER, ID_ALL },
		{ 1, 112, 1, PEAT_SAMPLE_IDENTIFIER, ID_ALL },
	};
	struct maker m = { 0 };
	struct perf_entry entry;
	struct perf_file *file;
	unsigned count = 0;
	size_t data;

	make_file(&m, two, 2);
	data = m.len;
	for (unsigned excess = 0; excess < 3; excess++) {
		make_header(&m, PEAT_RECORD_BPF_EVENT, 0, (uint16_t)(40 + 16 * excess));
		make_zeroes(&m, 16);
		make(&m, 12345, 8);
		make(&m, 101, 8);
		for (unsigned i = 0; i < excess; i++) {
			make(&m, 12345, 8);
			make(&m, 201, 8);
		}
	}
	end_data(&m, data, 1);
	file = open_made(&m);
	while (perf_file__next(file, &entry) > 0) {
		ck_assert_ptr_eq(entry.attr, perf_file__attrs(file)->at[0]);
		count++;
	}
	ck_assert_uint_eq(count, 3);
	perf_file__close(file);
	free(m.at);
}
END_TEST

/* Of one event all is, whatever ids say; of several of one layout, what can be decoded is. */
START_TEST(test_no_ids)
{
	struct maker m = { 0 };
	struct perf_entry entry;
	struct perf_file *file;
	struct tally tally;
	size_t data;

	make_file(&m, two, 1);
	data = m.len;
	make_sample(&m, 999, 1);
	end_data(&m, data, 1);
	tally = read_made(&m);
	ck_assert_uint_eq(tally.of[0], 1);
	m.len = 0;
	make_file(&m, two, 2);
	data = m.len;
	make_sample(&m, 999, 1);
	make_sample(&m, 0, 1);
	end_data(&m, data, 1);
	file = open_made(&m);
	ck_assert_int_eq(perf_file__next(file, &entry), 1);
	ck_assert(!entry.attr && entry.layout);
	ck_assert_int_eq(perf_file__next(file, &entry), 1);
	ck_assert_ptr_eq(entry.attr, perf_file__attrs(file)->at[0]);
	perf_file__close(file);
	free(m.at);
}
END_TEST

/* From elsewhere, as from EVENT_DESC. */
START_TEST(test_added_ids)
{
	struct maker m = { 0 };
	struct perf_entry entry;
	struct perf_attrs *attrs;
	struct perf_file *file;

	make_pipe_header(&m);
	make_pipe_attr(&m, &two[0], 0);
	make_pipe_attr(&m, &two[1], 0);
	make_sample(&m, 77, 1);
	file = open_made(&m);
	perf_file__next(file, &entry);
	perf_file__next(file, &entry);
	attrs = perf_file__attrs(file);
	for (uint64_t id = 1; id < 10000; id++)
		ck_assert_int_eq(perf_attrs__add_id(attrs, attrs->at[1], id), 0);
	ck_assert_int_eq(perf_attrs__add_id(attrs, attrs->at[0], 77), 0); /* too late */
	ck_assert_int_eq(perf_file__next(file, &entry), 1);
	ck_assert_ptr_eq(entry.attr, attrs->at[1]);
	for (uint64_t id = 1; id < 10000; id++)
		ck_assert_ptr_eq(perf_attrs__by_id(attrs, id), attrs->at[1]);
	ck_assert_ptr_null(perf_attrs__by_id(attrs, 10000));
	perf_file__close(file);
	free(m.at);
}
END_TEST

static void make_event_type(struct maker *m, uint64_t config, const char *name)
{
	size_t start = make_header(m, TOOL_EVENT_TYPE, 0, 0);

	make(m, config, 8);
	make_bytes(m, name, strlen(name) + 1);
	make_zeroes(m, -(m->len - start) & 7);
	end_made(m, start);
}

/* Event types stand in the order of the events, of whom one may be like another; notes do not. */
START_TEST(test_notes_name_nothing)
{
	static const struct made_attr same = { 1, 112, 0, IDENTIFIED, ID_ALL };
	struct maker m = { .swapped = _i };
	struct perf_entry entry;
	struct perf_attrs *attrs;
	struct perf_file *file;

	make_pipe_header(&m);
	make_pipe_attr(&m, &same, 1);
	make_pipe_attr(&m, &same, 2);
	make_event_type(&m, NOTE_MAGIC, "\1");
	make_event_type(&m, 0, "first");
	make_event_type(&m, 0, "second");
	file = open_made(&m);
	for (int i = 0; i < 5; i++)
		ck_assert_int_eq(perf_file__next(file, &entry), 1);
	attrs = perf_file__attrs(file);
	ck_assert_str_eq(attrs->at[0]->name, "first");
	ck_assert_str_eq(attrs->at[1]->name, "second");
	perf_file__close(file);
	free(m.at);
}
END_TEST

SUITE(120)
{
	tcase_add_test(tests, test_reads_sections);
	tcase_add_test(tests, test_info_and_features);
	tcase_add_test(tests, test_features_of_32_bits);
	tcase_add_test(tests, test_reads_pipe);
	tcase_add_test(tests, test_payloads_and_names);
	tcase_add_test(tests, test_version_1);
	tcase_add_test(tests, test_changed_time);
	tcase_add_test(tests, test_reads_directory);
	tcase_add_test(tests, test_position_in_file);
	tcase_add_test(tests, test_position_in_directory);
	tcase_add_loop_test(tests, test_directory_with_fifo, 0, 2);
	tcase_add_test(tests, test_reads_streams_in_turn);
	tcase_add_test(tests, test_reads_compressed_records);
	tcase_add_test(tests, test_compressed_garbage);
	tcase_add_test(tests, test_ids_in_other_places);
	tcase_add_test(tests, test_ids_before_excess);
	tcase_add_test(tests, test_no_ids);
	tcase_add_test(tests, test_added_ids);
	tcase_add_loop_test(tests, test_notes_name_nothing, 0, 2);
}

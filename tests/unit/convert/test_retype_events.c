// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* test_retype_events.c: events become tracepoints, beside formats of all kinds. */
#include <bpf/btf.h>

#include <peat/recording.h>

#include "perf_data/read/file.h"
#include "unit/replay/replay_run.h"
#include "support/perf/stock_perf.h"
#include "unit/suite.h"

/* "made:first" with id 301, plain bytes, a tracepoint with the first of our ids, no raw bytes. */
static const struct made_attr attrs[] = { { 2, 112, 301, MADE_TIMED, MADE_ID_ALL },
					  { 1, 112, 10, MADE_TIMED, MADE_ID_ALL },
					  { 2, 112, 40000, MADE_TIMED, MADE_ID_ALL },
					  { 1, 112, 0, MADE_TIMED & ~PEAT_SAMPLE_RAW,
					    MADE_ID_ALL } };

static struct maker made;

static void save(const char *path, const void *bytes, size_t count)
{
	FILE *file = fopen(path, "we");

	ck_assert_ptr_nonnull(file);
	ck_assert_uint_eq(fwrite(bytes, 1, count, file), count);
	ck_assert_int_eq(fclose(file), 0);
}

/* struct numbered { u32 number; u32 other; }, struct number without the second, and no struct. */
static void save_types(void)
{
	struct btf *btf = btf__new_empty();
	const void *bytes;
	uint32_t count;
	int u32;

	ck_assert_ptr_nonnull(btf);
	u32 = btf__add_int(btf, "unsigned int", 4, 0);
	ck_assert_int_gt(btf__add_struct(btf, "numbered", 8), 0);
	btf__add_field(btf, "number", u32, 0, 0);
	btf__add_field(btf, "other", u32, 32, 0);
	ck_assert_int_gt(btf__add_struct(btf, "number", 4), 0);
	btf__add_field(btf, "number", u32, 0, 0);
	ck_assert_int_gt(btf__add_typedef(btf, "u32", u32), 0);
	bytes = btf__raw_data(btf, &count);
	save("types", bytes, count);
	btf__free(btf);
}

static void setup(void)
{
	stock_perf__setup();
	begin_replays();
	save_types();
	made = (struct maker){ 0 };
}

static void teardown(void)
{
	free(made.at);
	stock_perf__teardown();
}

/* A file of those events; each sample has a number, the second's is 7. */
static void make_recording(const void *formats, size_t count)
{
	size_t data, table;

	made.len = 0;
	make_file(&made, attrs, 4);
	data = made.len;
	make_event(&made, 100, (struct made_at){ 10, 0, 43 }, 5);
	make_event(&made, 200, (struct made_at){ 20, 0, 43 }, 7);
	make_event(&made, 300, (struct made_at){ 30, 0, 43 }, 9);
	table = made.len;
	make_section(&made, AT_DATA, data, made.len - data);
	if (!formats)
		return;
	make_over(&made, AT_FEATURES, 1 << 1, 8);
	make_zeroes(&made, 16);
	make_section(&made, table, made.len, count);
	make_bytes(&made, formats, count);
}

static int rewrite_as(const char *first, const char *second)
{
	const char *const as[] = { first, second, NULL };
	const struct peat_rewrite_opts opts = { .sz = sizeof(opts), .as = as, .btf = "types" };

	save("file", made.at, made.len);
	*replay_log = '\0';
	return peat_recording__rewrite("file", "made", &opts);
}

/* The event of the result, and its sample's payload. */
static void check_event(uint32_t index, uint64_t id, uint32_t number)
{
	struct perf_file *file;
	struct perf_entry entry;
	struct peat_record rec = { .sz = sizeof(rec) };
	const struct perf_attr *attr;
	const char *why;
	uint32_t found[3];

	ck_assert_int_eq(perf_file__open(&file, "made", &why), 0);
	attr = perf_file__attrs(file)->at[index];
	ck_assert_uint_eq(attr->type, 2);
	ck_assert_uint_eq(attr->config, id);
	do
		ck_assert_int_eq(perf_file__next(file, &entry), 1);
	while (entry.type != PEAT_RECORD_SAMPLE || entry.attr->index != index);
	ck_assert_int_eq(peat_record__decode(entry.layout, entry.bytes, entry.size, &rec), 1);
	memcpy(found, rec.sample.raw, sizeof(found));
	ck_assert_uint_eq(found[0], id);
	ck_assert_uint_eq(found[1], 43);
	ck_assert_uint_eq(found[2], number);
	perf_file__close(file);
}

/* A replay parses the formats of all events. */
static void check_names(const char *first, const char *second, const char *third)
{
	const char *const wanted[] = { first, second, third };
	struct peat_reader *reader = peat_reader__open("made", &replay_opts);

	ck_assert_msg(reader, "%s", replay_log);
	see_all(reader);
	ck_assert_int_eq(replayed.end, -ENODATA);
	for (uint32_t i = 0; i < 3; i++)
		ck_assert_msg(!strcmp(replayed.at[i].name, wanted[i]), "%s, not %s",
			      replayed.at[i].name, wanted[i]);
	peat_reader__free(reader);
}

START_TEST(test_beside_formats)
{
	struct bytes formats;

	put_made_formats(&formats, false);
	make_recording(formats.at, formats.len);
	ck_assert_int_eq(rewrite_as("bpf-output=numbered", "tracepoint 40000=number"), 0);
	ck_assert_str_eq(replay_log, "");
	check_event(1, 40001, 7);
	check_event(2, 40002, 9);
	check_names("made:first", "bpf_output", "tracepoint_40000");
}
END_TEST

/* Ids of formats are not used again, even if no event has them. */
START_TEST(test_used_ids)
{
	struct bytes formats;

	begin_tracing(&formats, "0.6", 8, false);
	put_u32(&formats, 1);
	put_text(&formats, "name: ours\nID: 40002\nformat:\n", 8);
	put_u32(&formats, 1);
	begin_system(&formats, "peat", 3);
	put_format(&formats, "bpf_output", 40001, MADE_FIELD);
	put_format(&formats, "first", 301, MADE_FIELD);
	put_format(&formats, "third", 40000, MADE_FIELD);
	end_tracing(&formats);
	make_recording(formats.at, formats.len);
	ck_assert_int_eq(rewrite_as("numbered", NULL), 0);
	check_event(1, 40003, 7);
	check_names("first", "bpf_output", "third");
}
END_TEST

/* All formats are lost: tracepoints without a type get empty ones. */
START_TEST(test_without_formats)
{
	make_recording(NULL, 0);
	ck_assert_int_eq(rewrite_as("bpf-output=numbered", "tracepoint 40000=number"), 0);
	ck_assert_ptr_nonnull(strstr(replay_log, "wrote 1 without fields"));
	check_event(1, 40001, 7);
	check_event(2, 40002, 9);
	check_names("unknown:tracepoint_301", "bpf_output", "tracepoint_40000");
}
END_TEST

START_TEST(test_damaged_formats)
{
	struct bytes formats;
	size_t whole;

	put_made_formats(&formats, false);
	whole = formats.len;
	for (formats.len = 0; formats.len < whole; formats.len++) {
		make_recording(formats.at, formats.len);
		ck_assert_int_eq(rewrite_as("bpf-output=numbered", NULL), 0);
		ck_assert_ptr_nonnull(strstr(replay_log, "are damaged: "));
		check_event(1, 40001, 7);
	}
}
END_TEST

static void make_event_name(uint64_t id, const char *name)
{
	size_t start = make_header(&made, 78, 0, 0);
	char padded[32] = { 0 };

	strncpy(padded, name, sizeof(padded) - 1);
	make(&made, 2, 8);
	make(&made, id, 8);
	make_bytes(&made, padded, sizeof(padded));
	end_made(&made, start);
}

/* Names are unique, whatever they are in the recording. */
START_TEST(test_used_names)
{
	static const char *const names[] = { "a-b", "a+b", "peat:a_b_2" };

	make_pipe_header(&made);
	for (uint64_t i = 0; i < 3; i++) {
		make_pipe_attr(&made, &attrs[1], 100 * (i + 1));
		make_event_name(100 * (i + 1), names[i]);
	}
	make_event(&made, 100, (struct made_at){ 10, 0, 43 }, 5);
	make_event(&made, 200, (struct made_at){ 20, 0, 43 }, 7);
	make_event(&made, 300, (struct made_at){ 30, 0, 43 }, 9);
	ck_assert_int_eq(rewrite_as("a-b=number", "a+b=number"), 0);
	check_names("a_b", "a_b_3", "a_b_2");
	ck_assert_int_eq(rewrite_as("a_b_2=number", NULL), 0);
	check_names("a-b", "a+b", "a_b_2");
	ck_assert_int_eq(rewrite_as("number", NULL), -EINVAL);
	ck_assert_ptr_nonnull(strstr(replay_log, "choose one, EVENT=number: a-b, a+b, peat:a_b_2"));
}
END_TEST

/* Two events with the same name. */
START_TEST(test_same_names)
{
	make_pipe_header(&made);
	make_pipe_attr(&made, &attrs[1], 100);
	make_pipe_attr(&made, &attrs[1], 200);
	ck_assert_int_eq(rewrite_as("bpf-output=number", NULL), -EINVAL);
	ck_assert_ptr_nonnull(strstr(replay_log, "several events are called 'bpf-output'"));
}
END_TEST

/* ---- what cannot be -------------------------------------------------------------------------- */

static const struct {
	const char *first, *second;
	int err;
	const char *why;
} wrong[] = {
	{ "made:second=number", NULL, -ENOENT,
	  "no event 'made:second': the recording has tracepoint 301" },
	{ "tracepoint 301=number", NULL, -EINVAL, "already has the format" },
	{ "cycles=number", NULL, -ENOENT, "no event 'cycles'" },
	{ "cpu-clock=number", NULL, -EINVAL, "have no raw bytes" },
	{ "bpf-output=nothing", NULL, -ENOENT, "no struct 'nothing' in types or in the recording" },
	{ "bpf-output=u32", NULL, -ENOENT, "the programs have number, numbered" },
	{ "bpf-output=number", "bpf-output=numbered", -EINVAL,
	  "already has the type of bpf-output=number" },
	{ "number", "bpf-output=numbered", -EINVAL, "several events have plain bytes" },
	{ "", NULL, -EINVAL, "invalid type of events ''" },
	{ "struct ", NULL, -EINVAL, "invalid type of events" },
	{ "=", NULL, -EINVAL, "invalid type of events" },
};

START_TEST(test_wrong_types)
{
	struct bytes formats;

	put_made_formats(&formats, false);
	make_recording(formats.at, formats.len);
	for (size_t i = 0; i < sizeof(wrong) / sizeof(*wrong); i++) {
		ck_assert_msg(rewrite_as(wrong[i].first, wrong[i].second) == wrong[i].err,
			      "%zu: %s", i, replay_log);
		ck_assert_msg(strstr(replay_log, wrong[i].why), "%zu: no '%s' in %s", i,
			      wrong[i].why, replay_log);
		ck_assert_int_eq(access("made", F_OK), -1);
		ck_assert_uint_eq(strchr(replay_log, '\n') - replay_log + 1, strlen(replay_log));
	}
}
END_TEST

/* Neither a recording, nor formats in one, may be of the other byte order. */
START_TEST(test_other_byte_order)
{
	struct bytes formats;

	put_made_formats(&formats, true);
	make_recording(formats.at, formats.len);
	ck_assert_int_eq(rewrite_as("bpf-output=number", NULL), -ENOTSUP);
	ck_assert_ptr_nonnull(strstr(replay_log, "formats of its tracepoints are of the other"));
	made.swapped = true;
	make_recording(formats.at, formats.len);
	ck_assert_int_eq(rewrite_as("bpf-output=number", NULL), -ENOTSUP);
	ck_assert_ptr_nonnull(strstr(replay_log, "the recording has the other byte order"));
	replay_opts.as = (const char *const[]){ "number", NULL };
	ck_assert_int_eq(refused(&made), ENOTSUP);
}
END_TEST

/* Samples that are too large with their type, or invalid. */
START_TEST(test_left_out)
{
	size_t data, start;

	make_file(&made, &attrs[1], 1);
	data = made.len;
	make_event(&made, 100, (struct made_at){ 10, 0, 43 }, 5);
	start = made.len;
	make_event(&made, 100, (struct made_at){ 10, 0, 43 }, 5);
	make_over(&made, start + 40, 1000, 4);
	make_section(&made, AT_DATA, data, made.len - data);
	ck_assert_int_eq(rewrite_as("number", NULL), 0);
	ck_assert_ptr_nonnull(strstr(replay_log, "samples left out: 1 are invalid"));
	check_event(0, 40000, 5);
	ck_assert_int_eq(peat_recording__rewrite("made", "again", NULL), 0);
}
END_TEST

SUITE(60)
{
	tcase_add_checked_fixture(tests, setup, teardown);
	tcase_add_test(tests, test_beside_formats);
	tcase_add_test(tests, test_used_ids);
	tcase_add_test(tests, test_without_formats);
	tcase_add_test(tests, test_damaged_formats);
	tcase_add_test(tests, test_used_names);
	tcase_add_test(tests, test_same_names);
	tcase_add_test(tests, test_wrong_types);
	tcase_add_test(tests, test_other_byte_order);
	tcase_add_test(tests, test_left_out);
}

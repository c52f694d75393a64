// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* test_retype_events_alone.c: ids, names, formats and counts of events, without a recording. */
#include "convert/retype_events.h"
#include "convert/retype_sample.h"
#include "record/attr_encode.h"
#include "tracing_data/tracing_data.h"
#include "unit/fail_alloc.h"
#include "unit/print/sink_output.h"
#include "unit/replay/replay_run.h"
#include "unit/suite.h"

#define EVENTS_MOST 8
#define TRACEPOINT  2

struct event {
	uint32_t first, second;
};

static struct peat_field fields[] = { FIELD(struct event, first, PEAT_FIELD_UNSIGNED),
				      FIELD(struct event, second, PEAT_FIELD_UNSIGNED) };
static struct peat_field texts[] = {
	{ .name = "text", .kind = PEAT_FIELD_STRING, .span = 1, .bytes = 60000 }
};
static struct peat_schema schema = SCHEMA("event", fields);
static struct peat_schema text_schema = SCHEMA("event", texts);

static struct perf_attr *attr_table;
static struct perf_attrs attrs;
static struct type_override override_table[EVENTS_MOST];
static struct type_overrides overrides;
static struct retype_source source;
static struct retype_events retype;

static void setup(void)
{
	begin_replays();
	attr_table = NULL;
	attrs = (struct perf_attrs){ 0 };
	overrides = (struct type_overrides){ .at = override_table };
	source = (struct retype_source){ .path = "file", .attrs = &attrs, .overrides = &overrides };
	retype = (struct retype_events){ 0 };
}

/* So many bpf-output events; their names are set by name_event(). */
static void make_attrs(uint32_t count)
{
	attr_table = calloc(count, sizeof(*attr_table));
	attrs.at = calloc(count, sizeof(*attrs.at));
	attrs.count = count;
	for (uint32_t i = 0; i < count; i++) {
		attr_table[i] = attr_encode__bpf_output();
		attr_table[i].index = i;
		attrs.at[i] = &attr_table[i];
	}
}

static void make_tracepoint(uint32_t index, uint64_t id)
{
	attr_table[index].type = TRACEPOINT;
	attr_table[index].config = id;
}

/* The event is to get this type. */
static void retype_as(uint32_t index, const char *name, struct peat_schema *type)
{
	attr_table[index].name = (char *)name;
	override_table[overrides.count++] =
		(struct type_override){ .event = (char *)name, .index = index, .schema = type };
}

static void teardown(void)
{
	retype_events__free(&retype);
	free(attr_table);
	free(attrs.at);
}

static void check_attr(uint32_t index, uint64_t id, const char *name)
{
	struct perf_attr attr = attr_table[index];

	retype_events__attr(&retype, &attr);
	ck_assert_uint_eq(attr.type, TRACEPOINT);
	ck_assert_uint_eq(attr.config, id);
	ck_assert_str_eq(attr.name, name);
}

/* The systems and ids of all formats: "made 301, peat 40000". */
static void check_formats(const char *wanted)
{
	char found[1024] = "";
	struct tracing_format format;
	struct tracing_data data;
	size_t bytes = 0;

	ck_assert_int_eq(tracing_data__begin(&data, retype.formats.bytes, retype.formats.count), 0);
	while (tracing_data__next(&data, &format) > 0) {
		const char *id = memmem(format.text.at, format.text.bytes, "ID: ", 4);

		ck_assert_ptr_nonnull(id);
		bytes += (size_t)snprintf(found + bytes, sizeof(found) - bytes, "%s%s %d",
					  bytes ? ", " : "", format.system, atoi(id + 4));
	}
	ck_assert_str_eq(found, wanted);
}

/* Nothing is to be done. */
START_TEST(test_no_types_change_nothing)
{
	struct perf_entry entry = { .type = PEAT_RECORD_SAMPLE };
	struct perf_attr attr;

	make_attrs(1);
	ck_assert_int_eq(retype_events__init(&retype, &source), 0);
	ck_assert_ptr_null(retype.sample);
	attr = attr_table[0];
	retype_events__attr(&retype, &attr);
	ck_assert_mem_eq(&attr, &attr_table[0], sizeof(attr));
	entry.attr = &attr;
	ck_assert(retype_events__record(&retype, &entry));
	retype_events__report(&retype, "file");
	ck_assert_str_eq(replay_log, "");
}
END_TEST

/* Names that become the same get numbers; those of all other events are used. */
START_TEST(test_names_are_unique)
{
	make_attrs(8);
	retype_as(0, "a-b", &schema);
	retype_as(1, "other", &schema);
	retype_as(2, "a+b", &schema);
	retype_as(3, "peat:a_b", &schema);
	retype_as(5, "other", &schema);
	retype_as(6, "peat", &schema);
	attr_table[4].name = (char *)"peat:other_2";
	make_tracepoint(7, 40001);
	attr_table[7].name = (char *)"peat:peat";
	ck_assert_int_eq(retype_events__init(&retype, &source), 0);
	check_attr(0, 40000, "peat:a_b_2");
	check_attr(1, 40002, "peat:other");
	check_attr(2, 40003, "peat:a_b_3");
	check_attr(3, 40004, "peat:a_b");
	check_attr(5, 40005, "peat:other_3");
	check_attr(6, 40006, "peat:peat_2");
	ck_assert_str_eq(replay_log, "");
	check_formats("unknown 40001, peat 40000, peat 40002, peat 40003, peat 40004, peat 40005, "
		      "peat 40006");
	ck_assert_uint_eq(retype.placeholder_formats, 1);
}
END_TEST

/* Formats are kept, and their ids are used; those that are cut off are lost. */
START_TEST(test_formats_are_kept)
{
	struct bytes formats;
	size_t two;

	begin_tracing(&formats, "0.6", 8, false);
	put_u32(&formats, 1);
	put_text(&formats, "name: ours\nID: 40002\nformat:\n", 8);
	put_u32(&formats, 1);
	begin_system(&formats, "made", 3);
	put_format(&formats, "first", 40000, MADE_FIELD);
	put_format(&formats, "second", 302, MADE_FIELD);
	two = formats.len;
	put_format(&formats, "third", 40003, MADE_FIELD);
	end_tracing(&formats);
	make_attrs(3);
	retype_as(0, "a", &schema);
	retype_as(2, "b", &schema);
	source.tracing_data = formats.at;
	source.tracing_bytes = formats.len;
	ck_assert_int_eq(retype_events__init(&retype, &source), 0);
	check_attr(0, 40001, "peat:a");
	check_attr(2, 40004, "peat:b");
	check_formats("ftrace 40002, made 40000, made 302, made 40003, peat 40001, peat 40004");
	ck_assert_str_eq(replay_log, "");
	retype_events__free(&retype);
	ck_assert_ptr_null(retype.at);
	ck_assert_uint_eq(retype.count, 0);

	for (source.tracing_bytes = two; source.tracing_bytes < two + 50; source.tracing_bytes++) {
		*replay_log = '\0';
		ck_assert_int_eq(retype_events__init(&retype, &source), 0);
		check_attr(0, 40001, "peat:a");
		check_attr(2, 40003, "peat:b");
		check_formats("made 40000, made 302, peat 40001, peat 40003");
		ck_assert_str_eq(replay_log, "file: formats of its tracepoints are damaged: kept "
					     "the first 2\n");
		retype_events__free(&retype);
	}
}
END_TEST

/* The last id is found, and no further one. */
START_TEST(test_all_ids_used)
{
	const uint32_t count = PAYLOAD_ID_MAX - PAYLOAD_ID_MIN + 1;

	make_attrs(count + 1);
	for (uint32_t i = 0; i < count; i++)
		make_tracepoint(i, i + 1 < count ? PAYLOAD_ID_MIN + i : PAYLOAD_ID_MAX + 1);
	retype_as(count, "last", &schema);
	ck_assert_int_eq(retype_events__init(&retype, &source), 0);
	check_attr(count, PAYLOAD_ID_MAX, "peat:last");
	retype_events__free(&retype);
	make_tracepoint(count - 1, PAYLOAD_ID_MAX);
	ck_assert_int_eq(retype_events__init(&retype, &source), -E2BIG);
	ck_assert_ptr_nonnull(strstr(replay_log, "file: cannot give its events a type: Arg"));
}
END_TEST

/* ---- records --------------------------------------------------------------------------------- */

static uint8_t room[65536];

/* A sample of the first event: raw bytes, and a user stack so that the size is this. */
static struct perf_entry make_entry(uint32_t raw_bytes, uint32_t size)
{
	uint32_t type = PEAT_RECORD_SAMPLE, count = raw_bytes + 4;
	uint64_t stack_bytes = size - 32 - raw_bytes;
	uint16_t bytes = (uint16_t)size;

	attr_table[0].layout =
		(struct peat_layout){ .sample_type = PEAT_SAMPLE_RAW | PEAT_SAMPLE_STACK_USER };
	memset(room, 'x', sizeof(room));
	memcpy(room, &type, sizeof(type));
	memcpy(room + 6, &bytes, sizeof(bytes));
	memcpy(room + 8, &count, sizeof(count));
	memcpy(room + 16 + raw_bytes, &stack_bytes, sizeof(stack_bytes));
	return (struct perf_entry){
		.type = PEAT_RECORD_SAMPLE, .bytes = room, .size = bytes, .attr = &attr_table[0]
	};
}

static void check_counts(uint64_t cut, uint64_t too_short, uint64_t left_out, uint64_t bad)
{
	ck_assert_uint_eq(retype.cut, cut);
	ck_assert_uint_eq(retype.too_short, too_short);
	ck_assert_uint_eq(retype.left_out, left_out);
	ck_assert_uint_eq(retype.bad, bad);
}

static void check_unchanged(struct perf_entry entry)
{
	struct perf_entry same = entry;

	ck_assert(retype_events__record(&retype, &same));
	ck_assert_mem_eq(&same, &entry, sizeof(same));
}

START_TEST(test_records_are_counted)
{
	struct perf_entry entry;

	make_attrs(2);
	retype_as(0, "a", &schema);
	ck_assert_int_eq(retype_events__init(&retype, &source), 0);
	entry = make_entry(8, 80);
	ck_assert(retype_events__record(&retype, &entry));
	ck_assert_ptr_eq(entry.bytes, retype.sample);
	ck_assert_uint_eq(entry.size, 92 / 8 * 8); /* common fields are before the others */
	check_counts(0, 0, 0, 0);
	for (unsigned i = 1; i < 4; i++) {
		entry = make_entry(0, 80);
		ck_assert(retype_events__record(&retype, &entry));
		check_counts(0, i, 0, 0);
	}
	for (unsigned i = 1; i < 3; i++) {
		entry = make_entry(8, 65528);
		ck_assert(!retype_events__record(&retype, &entry));
		check_counts(0, 3, i, 0);
	}
	for (unsigned i = 1; i < 5; i++) {
		entry = make_entry(8, 80);
		entry.size = 15;
		ck_assert(!retype_events__record(&retype, &entry));
		check_counts(0, 3, 2, i);
	}
	entry = make_entry(8, 80);
	entry.attr = NULL;
	check_unchanged(entry);
	entry.attr = &attr_table[1];
	check_unchanged(entry);
	entry.attr = &attr_table[0];
	entry.type = PEAT_RECORD_COMM;
	check_unchanged(entry);
	check_counts(0, 3, 2, 4);
	retype_events__report(&retype, "file");
	ck_assert_str_eq(replay_log,
			 "file: 3 samples are shorter than their type: missing fields are 0\n"
			 "file: samples left out: 2 would be larger than a record\n"
			 "file: samples left out: 4 are invalid\n");
}
END_TEST

START_TEST(test_cut_records)
{
	struct perf_entry entry;

	make_attrs(1);
	retype_as(0, "a", &text_schema);
	ck_assert_int_eq(retype_events__init(&retype, &source), 0);
	for (unsigned i = 1; i < 3; i++) {
		entry = make_entry(200, 65528);
		ck_assert(retype_events__record(&retype, &entry));
		ck_assert_uint_eq(entry.size, 65528);
		ck_assert_uint_eq(retype.cut, i);
	}
	retype.too_short = 0;
	retype_events__report(&retype, "file");
	ck_assert_str_eq(replay_log, "file: 2 samples do not fit into a record: their last fields "
				     "are cut\n");
}
END_TEST

/* Memory is missing anywhere. */
START_TEST(test_no_memory)
{
	struct bytes formats;
	bool failed;

	put_made_formats(&formats, false);
	make_attrs(3);
	make_tracepoint(1, 301);
	retype_as(0, "a", &schema);
	retype_as(2, "b", &schema);
	for (unsigned kind = 0; kind < 3; kind++) {
		source.tracing_data = kind ? formats.at : NULL;
		source.tracing_bytes = kind == 2 ? formats.len : formats.len - 30;
		for (unsigned nth = 1; nth; nth = failed ? nth + 1 : 0) {
			int err;

			fail_alloc__begin(nth);
			err = retype_events__init(&retype, &source);
			failed = fail_alloc__end();
			ck_assert_int_eq(err, failed ? -ENOMEM : 0);
			retype_events__free(&retype);
		}
	}
}
END_TEST

SUITE(30)
{
	tcase_add_checked_fixture(tests, setup, teardown);
	tcase_add_test(tests, test_no_types_change_nothing);
	tcase_add_test(tests, test_names_are_unique);
	tcase_add_test(tests, test_formats_are_kept);
	tcase_add_test(tests, test_all_ids_used);
	tcase_add_test(tests, test_records_are_counted);
	tcase_add_test(tests, test_cut_records);
	tcase_add_test(tests, test_no_memory);
}

// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* test_tool_encode.c: records of perf itself and notes, encoded and decoded again. */
#include <errno.h>
#include <stdlib.h>

#include "base/cursor.h"
#include "perf_data/note.h"
#include "perf_data/features.h"
#include "perf_data/write/tool_encode.h"
#include "record/attr_encode.h"
#include "record/encode.h"
#include "support/machine/harness.h"
#include "unit/suite.h"

static struct tool_record decode_tool(const struct strbuf *out)
{
	struct tool_record rec;

	ck_assert_int_eq(
		tool_record__parse(out->bytes, load_u16(out->bytes + 6, false), false, &rec), 0);
	return rec;
}

START_TEST(test_header_attr)
{
	uint64_t ids[] = { 101, 102, 103 };
	struct perf_attr attr = attr_encode__bpf_output();
	struct strbuf out = { 0 };
	struct tool_record rec;

	attr.ids = ids;
	attr.ids_count = 3;
	ck_assert_int_eq(tool_encode__attr(&out, &attr), 0);
	rec = decode_tool(&out);
	ck_assert_uint_eq(rec.type, TOOL_HEADER_ATTR);
	ck_assert_uint_eq(rec.bytes, ATTR_ENCODE_BYTES + sizeof(ids));
	ck_assert_mem_eq(rec.body + ATTR_ENCODE_BYTES, ids, sizeof(ids));
	attr.ids = calloc(8200, sizeof(*ids));
	attr.ids_count = 8200;
	ck_assert_int_eq(tool_encode__attr(&out, &attr), -E2BIG);
	ck_assert_uint_eq(out.count, 8 + ATTR_ENCODE_BYTES + sizeof(ids));
	free(attr.ids);
	strbuf__free(&out);
}
END_TEST

START_TEST(test_names_and_marks)
{
	static const enum tool_record_type marks[] = { TOOL_FINISHED_ROUND, TOOL_FINISHED_INIT };
	struct tool_event_update update;
	struct strbuf out = { 0 };
	struct tool_record rec;

	ck_assert_int_eq(tool_encode__name(&out, 77, "peat:exec"), 0);
	rec = decode_tool(&out);
	ck_assert_uint_eq(rec.type, TOOL_EVENT_UPDATE);
	ck_assert_int_eq(tool_record__event_update(&rec, &update), 0);
	ck_assert(update.kind == TOOL_UPDATE_NAME && update.id == 77);
	ck_assert_uint_eq(strnlen(update.data, update.bytes), 9);
	ck_assert(!memcmp(update.data, "peat:exec", 9));
	for (int i = 0; i < 2; i++) {
		out.count = 0;
		ck_assert_int_eq(tool_encode__mark(&out, marks[i]), 0);
		ck_assert_uint_eq(out.count, 8);
		ck_assert_uint_eq(decode_tool(&out).type, marks[i]);
	}
	strbuf__free(&out);
}
END_TEST

START_TEST(test_id_index)
{
	struct tool_id_entry entries[] = { { .id = 11, .index = 0, .cpu = 1, .tid = -1 },
					   { .id = 12, .index = 1, .cpu = -1, .tid = 42 } };
	const uint64_t count = 2;
	struct strbuf out = { 0 };
	struct tool_record rec;

	ck_assert_int_eq(tool_encode__id_index(&out, entries, 2), 0);
	rec = decode_tool(&out);
	ck_assert_uint_eq(rec.type, TOOL_ID_INDEX);
	ck_assert_uint_eq(rec.bytes, sizeof(count) + sizeof(entries));
	ck_assert_mem_eq(rec.body, &count, sizeof(count));
	ck_assert_mem_eq(rec.body + sizeof(count), entries, sizeof(entries));
	strbuf__free(&out);
}
END_TEST

/* Behind tracing data of any length a feature ends at a multiple of 8. */
START_TEST(test_tracing_data_and_features)
{
	for (size_t count = 1; count < 20; count++) {
		char bytes[20] = "what it has, really";
		struct strbuf out = { 0 };
		struct tool_feature feature;
		struct tool_record rec;
		size_t start;

		ck_assert_int_eq(tool_encode__tracing_data(&out, bytes, count), 0);
		rec = decode_tool(&out);
		ck_assert_uint_eq(rec.type, TOOL_TRACING_DATA);
		ck_assert_uint_eq(load_u32(rec.body, false), (count + 7) / 8 * 8);
		ck_assert_mem_eq(out.bytes + TOOL_ENCODE_TRACING_AT, bytes, count);
		start = TOOL_ENCODE_TRACING_AT + load_u32(rec.body, false);
		ck_assert_uint_eq(out.count, start);

		ck_assert_int_eq(tool_encode__feature(&out, 3, bytes, count), 0);
		ck_assert_uint_eq(out.count % 8, 0);
		out.bytes += start;
		rec = decode_tool(&out);
		out.bytes -= start;
		ck_assert_uint_eq(rec.type, TOOL_FEATURE);
		ck_assert_int_eq(tool_record__feature(&rec, &feature), 0);
		ck_assert(feature.id == 3 && !feature.end);
		ck_assert_uint_eq(TOOL_ENCODE_FEATURE_AT + feature.bytes, out.count - start);
		ck_assert_mem_eq(feature.data, bytes, count);
		strbuf__free(&out);
	}
}
END_TEST

/* perf takes padding of CPU_TOPOLOGY for dies; the next feature aligns the records after it. */
START_TEST(test_topology_is_not_padded)
{
	for (size_t count = 1; count < 20; count++) {
		char bytes[20] = "sockets and threads";
		struct strbuf out = { 0 };
		struct tool_feature feature;
		struct tool_record rec;

		ck_assert_int_eq(tool_encode__feature(&out, FEATURE_CPU_TOPOLOGY, bytes, count), 0);
		ck_assert_uint_eq(out.count, TOOL_ENCODE_FEATURE_AT + count);
		rec = decode_tool(&out);
		ck_assert_int_eq(tool_record__feature(&rec, &feature), 0);
		ck_assert_uint_eq(feature.bytes, count);
		ck_assert_mem_eq(feature.data, bytes, count);
		ck_assert_int_eq(tool_encode__feature(&out, FEATURE_EVENT_DESC, bytes, 4), 0);
		ck_assert_uint_eq(out.count % 8, 0);
		strbuf__free(&out);
	}
}
END_TEST

START_TEST(test_largest_feature)
{
	void *bytes = calloc(1, TOOL_ENCODE_FEATURE_MOST + 1);
	struct tool_feature feature;
	struct strbuf out = { 0 };
	struct tool_record rec;

	ck_assert_int_eq(tool_encode__feature(&out, 26, bytes, TOOL_ENCODE_FEATURE_MOST + 1),
			 -E2BIG);
	ck_assert_uint_eq(out.count, 0);
	ck_assert_int_eq(tool_encode__feature(&out, 26, bytes, TOOL_ENCODE_FEATURE_MOST), 0);
	rec = decode_tool(&out);
	ck_assert_int_eq(tool_record__feature(&rec, &feature), 0);
	ck_assert_uint_eq(feature.bytes, TOOL_ENCODE_FEATURE_MOST);
	strbuf__free(&out);
	free(bytes);
}
END_TEST

/* Whole, or none. */
START_TEST(test_notes_are_whole)
{
	char *bytes = calloc(1, NOTE_MOST + 1);
	struct strbuf out = { 0 };
	struct tool_record rec;
	struct note note;

	for (size_t count = 0; count < 20; count++) {
		out.count = 0;
		ck_assert_int_eq(note__put(&out, 9, "twenty bytes of a note", count), 0);
		rec = decode_tool(&out);
		ck_assert(note__read(&rec, &note));
		ck_assert(note.kind == 9 && note.count == count);
		ck_assert(!memcmp(note.bytes, "twenty bytes of a note", count));
		rec.bytes = 16 + count - 1;
		ck_assert(!note__read(&rec, &note));
	}
	out.bytes[8]++;
	rec = decode_tool(&out);
	ck_assert(!note__read(&rec, &note));
	out.count = 0;
	ck_assert_int_eq(tool_encode__mark(&out, TOOL_FINISHED_ROUND), 0);
	rec = decode_tool(&out);
	ck_assert(!note__read(&rec, &note));
	ck_assert_int_eq(note__put(&out, 9, bytes, NOTE_MOST + 1), -E2BIG);
	ck_assert_int_eq(note__put(&out, 9, bytes, NOTE_MOST), 0);
	ck_assert_uint_eq(out.count, 8 + ENCODE_RECORD_MOST);
	strbuf__free(&out);
	free(bytes);
}
END_TEST

SUITE(30)
{
	tcase_add_test(tests, test_header_attr);
	tcase_add_test(tests, test_names_and_marks);
	tcase_add_test(tests, test_id_index);
	tcase_add_test(tests, test_tracing_data_and_features);
	tcase_add_test(tests, test_topology_is_not_padded);
	tcase_add_test(tests, test_largest_feature);
	tcase_add_test(tests, test_notes_are_whole);
}

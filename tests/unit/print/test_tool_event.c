// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* test_tool_event.c: the records of perf itself as text and as JSON. */
#include <stdio.h>
#include <stdlib.h>

#include "support/machine/harness.h"
#include "support/recording/json_check.h"
#include "perf_data/note.h"
#include "replay/recorded.h"
#include "sink_output.h"
#include "unit/no_fields.h"
#include "unit/suite.h"
#include "unit/perf_data/tool_bytes.h"

static struct peat_sink *sink;
static int fd;

static const struct peat_sink_opts lines = { .sz = sizeof(lines), .no_heading = true };

typedef struct peat_sink *(*sink_fn)(int fd, const struct peat_sink_opts *opts);

static void open_sink(sink_fn new_sink, const struct peat_sink_opts *opts)
{
	fd = new_output();
	sink = new_sink(fd, opts);
	ck_assert_ptr_nonnull(sink);
}

static void close_sink(void)
{
	peat_sink__free(sink);
	close(fd);
}

/* Returns the record like a reader of recordings, without its last `cut` bytes. */
static void put_tool(uint32_t type, void (*build)(struct bytes *b), size_t cut, bool swapped)
{
	static struct bytes bytes;
	struct tool_record tool;
	struct peat_recorded recorded = { .names = &replay_names, .tool = &tool };
	struct peat_event event = { .kind = PEAT_EVENT_TOOL,
				    .cpu = PEAT_NO_CPU,
				    .pid = PEAT_NO_TASK,
				    .tid = PEAT_NO_TASK,
				    .type = type,
				    .recorded = &recorded };
	struct placed placed;

	put_header(&bytes, type, 0, swapped);
	build(&bytes);
	set_size(&bytes, bytes.len - cut);
	placed = place(&bytes, bytes.len - cut, 3);
	ck_assert_int_eq(tool_record__parse(placed.at, placed.len, swapped, &tool), 0);
	event.data = tool.body;
	event.size = (uint32_t)tool.bytes;
	ck_assert_int_eq(peat_sink__write(sink, &event), 0);
	free(placed.mem);
}

static void check_json(uint32_t type, void (*build)(struct bytes *b), size_t cut,
		       const char *wanted)
{
	for (int swapped = 0; swapped < 2; swapped++) {
		const char *text;

		put_tool(type, build, cut, swapped);
		text = output(sink, fd);
		ck_assert_str_eq(text, wanted);
		ck_assert_msg(json_lines(text), "no JSON: %s", text);
	}
}

#define NOWHERE "\"time_ns\":0,\"cpu\":null"

START_TEST(test_prints_tool_events_as_json)
{
	open_sink(peat_sink__new_json, NULL);
	check_json(TOOL_ID_INDEX, build_id_index, 0,
		   "{\"type\":\"@id_index\"," NOWHERE ",\"bytes\":72}\n");
	check_json(TOOL_AUXTRACE_ERROR, build_error, 0,
		   "{\"type\":\"@auxtrace_error\"," NOWHERE ",\"bytes\":56}\n");
	check_json(TOOL_FEATURE, build_feature, 0,
		   "{\"type\":\"@feature\"," NOWHERE ",\"bytes\":20}\n");
	check_json(TOOL_FINISHED_ROUND, build_nothing_record, 0,
		   "{\"type\":\"@finished_round\"," NOWHERE ",\"bytes\":0}\n");
	close_sink();
}
END_TEST

static void build_note(struct bytes *b)
{
	put_u64(b, NOTE_MAGIC);
	put_u32(b, NOTE_LEDGER);
	put_u32(b, 7);
	put_text(b, "lost 3\n", 8);
}

static void build_attrs(struct bytes *b)
{
	put_u64(b, NOTE_MAGIC);
	put_u32(b, NOTE_ATTRS);
	put_u32(b, 16);
	put_text(b, "\xff", 16);
}

static void build_note_of_more(struct bytes *b)
{
	put_u64(b, NOTE_MAGIC);
	put_u32(b, 77);
	put_u32(b, 1000);
}

/* Notes in old records; an incomplete note is printed as the old record. */
START_TEST(test_prints_notes)
{
	open_sink(peat_sink__new_json, NULL);
	check_json(TOOL_EVENT_TYPE, build_note, 0,
		   "{\"type\":\"@note\"," NOWHERE ",\"kind\":\"LEDGER\",\"text\":\"lost 3\\n\"}\n");
	check_json(TOOL_EVENT_TYPE, build_attrs, 0,
		   "{\"type\":\"@note\"," NOWHERE ",\"kind\":\"ATTRS\",\"bytes\":16}\n");
	check_json(TOOL_EVENT_TYPE, build_event_type, 0,
		   "{\"type\":\"@event_type\"," NOWHERE ",\"bytes\":72}\n");
	put_tool(TOOL_EVENT_TYPE, build_note_of_more, 0, false);
	ck_assert_ptr_nonnull(strstr(output(sink, fd), "\"@event_type\""));
	close_sink();
	open_sink(peat_sink__new_text, &lines);
	put_tool(TOOL_EVENT_TYPE, build_note, 0, _i);
	ck_assert_str_eq(output(sink, fd),
			 "@note          - -               -     kind=LEDGER text=\"lost 3\\n\"\n");
	close_sink();
}
END_TEST

/* Unknown types by number; records that are cut. */
START_TEST(test_unknown_and_cut)
{
	open_sink(peat_sink__new_json, NULL);
	check_json(99, build_stat_round, 0, "{\"type\":\"@99\"," NOWHERE ",\"bytes\":16}\n");
	check_json(TOOL_ID_INDEX, build_id_index, 8,
		   "{\"type\":\"@id_index\"," NOWHERE ",\"bytes\":64}\n");
	close_sink();
}
END_TEST

/* A record that was not decoded. */
START_TEST(test_undecoded_record_has_bytes)
{
	struct peat_event event = { .kind = PEAT_EVENT_TOOL,
				    .cpu = PEAT_NO_CPU,
				    .type = TOOL_STAT,
				    .data = "12345678",
				    .size = 8 };

	open_sink(peat_sink__new_json, NULL);
	ck_assert_int_eq(peat_sink__write(sink, &event), 0);
	ck_assert_str_eq(output(sink, fd), "{\"type\":\"@stat\"," NOWHERE ",\"bytes\":8}\n");
	close_sink();
}
END_TEST

START_TEST(test_prints_tool_events_as_text)
{
	open_sink(peat_sink__new_text, &lines);
	put_tool(TOOL_ID_INDEX, build_id_index, 0, _i);
	put_tool(TOOL_AUXTRACE_ERROR, build_error, 0, _i);
	put_tool(TOOL_FINISHED_ROUND, build_nothing_record, 0, _i);
	put_tool(99, build_stat_round, 0, _i);
	put_tool(TOOL_STAT, build_stat, 8, _i);
	ck_assert_str_eq(output(sink, fd),
			 "@id_index       - -               -     bytes=72\n"
			 "@auxtrace_error       - -               -     bytes=56\n"
			 "@finished_round       - -               -     bytes=0\n"
			 "@99                   - -               -     bytes=16\n"
			 "@stat                 - -               -     bytes=32\n");
	close_sink();
}
END_TEST

START_TEST(test_between_rows)
{
	static const struct peat_schema schema = { .name = "open",
						   .fields = no_fields,
						   .stacks_fd = -1 };
	struct peat_event event = an_event(&schema, "", 0);
	struct peat_sink_opts opts = { .sz = sizeof(opts), .columns = &schema, .seconds = true };

	open_sink(peat_sink__new_text, &opts);
	ck_assert_int_eq(peat_sink__write(sink, &event), 0);
	put_tool(TOOL_FINISHED_INIT, build_nothing_record, 0, false);
	ck_assert_str_eq(output(sink, fd),
			 "          TIME     PID  COMM             CPU\n"
			 "      1.000000      41  bash             [003]\n"
			 "             -  @finished_init       - -               -     bytes=0\n");
	close_sink();
}
END_TEST

SUITE(20)
{
	tcase_add_test(tests, test_prints_tool_events_as_json);
	tcase_add_loop_test(tests, test_prints_notes, 0, 2);
	tcase_add_test(tests, test_unknown_and_cut);
	tcase_add_test(tests, test_undecoded_record_has_bytes);
	tcase_add_loop_test(tests, test_prints_tool_events_as_text, 0, 2);
	tcase_add_test(tests, test_between_rows);
}

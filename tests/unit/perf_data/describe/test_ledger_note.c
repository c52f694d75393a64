// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* test_ledger_note.c: the ledger of a recording, of either byte order, whatever is in it. */
#include "support/machine/harness.h"
#include "perf_data/describe/ledger_note.h"
#include "perf_data/note.h"
#include "unit/suite.h"
#include "unit/perf_data/tool_bytes.h"

static struct ledger_note told;

static void take(uint32_t kind, const char *lines, size_t cut, bool swapped)
{
	static struct bytes bytes;
	struct perf_entry entry = { .type = TOOL_EVENT_TYPE };

	put_header(&bytes, TOOL_EVENT_TYPE, 0, swapped);
	put_u64(&bytes, NOTE_MAGIC);
	put_u32(&bytes, kind);
	put_u32(&bytes, (uint32_t)strlen(lines));
	put_data(&bytes, lines, strlen(lines));
	set_size(&bytes, bytes.len - cut);
	entry.bytes = bytes.at;
	entry.size = (uint32_t)(bytes.len - cut);
	ck_assert_int_eq(ledger_note__keep(&told, &entry, swapped), 0);
}

static void check(const char *json, const char *text)
{
	struct strbuf out = { 0 };
	struct emit emit = emit__json(&out);

	emit__begin(&emit, NULL, false);
	ledger_note__emit(&told, &emit);
	emit__end(&emit, false);
	strbuf__char(&out, '\0');
	ck_assert_str_eq(out.bytes, json);
	out.count = 0;
	emit = emit__lines(&out);
	ledger_note__emit(&told, &emit);
	strbuf__char(&out, '\0');
	ck_assert_str_eq(out.bytes, text);
	strbuf__free(&out);
	ledger_note__free(&told);
}

START_TEST(test_no_ledger_prints_nothing)
{
	struct perf_entry entry = { .type = TOOL_EVENT_TYPE,
				    .bytes = (const uint8_t *)"\0\0\0\0\0\0\x08",
				    .size = 8 };

	ck_assert_int_eq(ledger_note__keep(&told, &entry, false), 0);
	entry.type = TOOL_FINISHED_ROUND;
	ck_assert_int_eq(ledger_note__keep(&told, &entry, false), 0);
	take(NOTE_ATTRS, "recorded 1\n", 0, _i);
	take(77, "recorded 1\n", 0, _i);
	take(NOTE_LEDGER, "recorded 1\n", 8, _i); /* not all of it */
	check("{}", "");
}
END_TEST

START_TEST(test_lines_become_counts)
{
	take(NOTE_LEDGER, "emitted 12\nlost_ring_full 18446744073709551615\n", 0, _i);
	check("{\"ledger\":{\"emitted\":12,\"lost_ring_full\":18446744073709551615}}",
	      "ledger\n            12  emitted\n18446744073709551615  lost_ring_full\n");
}
END_TEST

START_TEST(test_last_counts)
{
	take(NOTE_LEDGER, "recorded 1\nlost 2\n", 0, _i);
	take(NOTE_LEDGER, "recorded 3\n", 0, _i);
	take(77, "recorded 4\n", 0, _i);
	check("{\"ledger\":{\"recorded\":3}}", "ledger\n             3  recorded\n");
}
END_TEST

START_TEST(test_recordings_are_summed_up)
{
	take(NOTE_LEDGER, "recorded 1\nlost 2\n", 0, _i);
	take(NOTE_LEDGER, "recorded 3\nlost 2\n", 0, _i);
	ck_assert_int_eq(ledger_note__end_recording(&told), 0);
	ck_assert_int_eq(ledger_note__end_recording(&told), 0); /* a recording without a ledger */
	take(NOTE_LEDGER, "lost 5\nfiltered 1\n", 0, _i);
	ck_assert_int_eq(ledger_note__end_recording(&told), 0);
	check("{\"ledger\":{\"recorded\":3,\"lost\":7,\"filtered\":1}}",
	      "ledger\n             3  recorded\n             7  lost\n"
	      "             1  filtered\n");
}
END_TEST

/* What makes no sense is passed over, line by line. */
START_TEST(test_nonsense_lines_are_skipped)
{
	take(NOTE_LEDGER,
	     "\n \nname\nname \n 5\nname  5\nname 5 \nname -5\nname 5x\nna\"me 5\n"
	     "name 18446744073709551616\nname 99999999999999999999999\n"
	     "a_name_of_sixty_four_bytes_is_too_long_for_a_number_of_the_ledger 5\n"
	     "good 7\nlast 8",
	     0, _i);
	check("{\"ledger\":{\"good\":7,\"last\":8}}",
	      "ledger\n             7  good\n             8  last\n");
}
END_TEST

SUITE(30)
{
	tcase_add_loop_test(tests, test_no_ledger_prints_nothing, 0, 2);
	tcase_add_loop_test(tests, test_lines_become_counts, 0, 2);
	tcase_add_loop_test(tests, test_last_counts, 0, 2);
	tcase_add_loop_test(tests, test_recordings_are_summed_up, 0, 2);
	tcase_add_loop_test(tests, test_nonsense_lines_are_skipped, 0, 2);
}

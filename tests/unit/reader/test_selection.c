// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* test_selection.c: events that a reader counts in a table, with and without memory, and events of
 * other processes. */
#include "reader/selection.h"
#include "unit/fail_alloc.h"
#include "unit/suite.h"
#include "unit/tables/fixture.h"

struct call {
	uint32_t number;
};

static struct peat_field call_fields[] = { FIELD(call, number, UNSIGNED) };
static const struct peat_schema call_schema = SCHEMA(call, call_fields);

#define CALLS 6u
#define CPU   2u /* of all events */

static const struct call calls[CALLS] = { { 1 }, { 2 }, { 3 }, { 4 }, { 5 }, { 6 } };
static uint32_t returned; /* calls that the source returned */
static struct peat_reader reader;

/* ---- a source -------------------------------------------------------------------------------- */

static int next(struct peat_reader *to)
{
	if (returned == CALLS)
		return 0;
	to->event = EVENT(&call_schema, &calls[returned++]);
	to->event.pid = returned;
	return 1;
}

static void count(const struct peat_reader *from, struct peat_reader_stats *stats)
{
	(void)from;
	stats->events += returned;
}

static int fill_ledger(const struct peat_reader *from, uint32_t cpu, struct peat_ledger *ledger)
{
	(void)from;
	(void)cpu;
	*ledger = (struct peat_ledger){ .emitted = CALLS,
					.delivered = returned,
					.in_ring = CALLS - returned };
	return 0;
}

static const struct source_ops ops = { .next = next, .count = count, .ledger = fill_ledger };

static void setup(void)
{
	returned = 0;
	reader = (struct peat_reader){ .ops = &ops, .row.step = SIZE_MAX };
	source__open(&reader);
	ck_assert_int_eq(source__count_selection(&reader, CPU + 1), 0);
	reader.selection.table = new_table("number", NULL, 0);
}

static void teardown(void)
{
	peat_table__free(reader.selection.table);
	source__close(&reader);
}

/* ---- tests ----------------------------------------------------------------------------------- */

static struct peat_ledger ledger_now(void)
{
	struct peat_ledger ledger = { .sz = sizeof(ledger) };

	ck_assert_int_eq(peat_reader__ledger(&reader, CPU, &ledger), 0);
	ck_assert_uint_eq(ledger.emitted, ledger.delivered + ledger.filtered + ledger.counted +
						  ledger.held + ledger.in_ring);
	return ledger;
}

static void check_all_counted(void)
{
	struct peat_ledger ledger = ledger_now();

	ck_assert_uint_eq(ledger.counted, CALLS);
	ck_assert_uint_eq(ledger.delivered, 0);
	ck_assert_uint_eq(ledger.held, 0);
	ck_assert_str_eq(rows_of(reader.selection.table), "1 1;2 1;3 1;4 1;5 1;6 1");
}

START_TEST(test_events_are_counted)
{
	const struct peat_event *event;

	ck_assert_int_eq(peat_reader__next(&reader, &event), 0);
	check_all_counted();
}
END_TEST

/* An event for which there is no memory is held, and counted by the next call. */
START_TEST(test_event_without_memory_is_counted_later)
{
	const struct peat_event *event = &reader.event;
	bool has_failed = true;
	unsigned nth;

	for (nth = 1; has_failed; nth++) {
		int result;

		teardown();
		setup();
		fail_alloc__begin(nth);
		result = peat_reader__next(&reader, &event);
		has_failed = fail_alloc__end();
		ck_assert_int_eq(result, has_failed ? -ENOMEM : 0);
		ck_assert_ptr_null(event);
		ck_assert_uint_eq(ledger_now().delivered, 0);
		ck_assert_uint_eq(ledger_now().held, has_failed);
		ck_assert_int_eq(peat_reader__next(&reader, &event), 0);
		check_all_counted();
	}
}
END_TEST

/* Processes 1 and 4; there is no byte of process 6. */
static const unsigned char bytes[CALLS] = { 0, 1, 0, 0, 1, 0 };

START_TEST(test_events_of_other_processes_are_filtered)
{
	const struct selected_pids pids = { .of_data = bytes, .count = sizeof(bytes) };
	const struct peat_event *event;

	selection__choose_pids(&reader, &pids);
	ck_assert_int_eq(peat_reader__next(&reader, &event), 0);
	ck_assert_uint_eq(ledger_now().counted, 2);
	ck_assert_uint_eq(ledger_now().filtered, CALLS - 2);
	ck_assert_str_eq(rows_of(reader.selection.table), "1 1;4 1");
}
END_TEST

START_TEST(test_processes_without_a_table)
{
	const struct selected_pids pids = { .of_data = bytes, .count = sizeof(bytes) };
	const struct peat_event *event;

	peat_table__free(reader.selection.table);
	reader.selection.table = NULL;
	selection__choose_pids(&reader, &pids);
	ck_assert_int_eq(peat_reader__next(&reader, &event), 1);
	ck_assert_uint_eq(event->pid, 1);
	ck_assert_int_eq(peat_reader__next(&reader, &event), 1);
	ck_assert_uint_eq(event->pid, 4);
	ck_assert_int_eq(peat_reader__next(&reader, &event), 0);
	ck_assert_uint_eq(ledger_now().filtered, CALLS - 2);
	ck_assert_uint_eq(ledger_now().delivered, 2);
}
END_TEST

SUITE(20)
{
	tcase_add_checked_fixture(tests, setup, teardown);
	tcase_add_test(tests, test_events_are_counted);
	tcase_add_test(tests, test_event_without_memory_is_counted_later);
	tcase_add_test(tests, test_events_of_other_processes_are_filtered);
	tcase_add_test(tests, test_processes_without_a_table);
}

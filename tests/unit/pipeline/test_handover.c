// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* test_handover.c: each event is delivered by one of two pipelines, whatever runs between them. */
#include "pipeline/handover.h"
#include "unit/suite.h"

#define SINCE 1000
#define UNTIL 2000

static struct handover *handover;

static void begin(void)
{
	handover = handover__new();
	ck_assert_ptr_nonnull(handover);
	atomic_store(&handover->until_ns, UNTIL);
	handover->since_ns = SINCE;
}

static void end(void)
{
	handover__free(handover);
	handover__free(NULL);
}

/* The content is the same number for all of them. */
static struct peat_event event_at(uint32_t tid, uint64_t time_ns)
{
	static const uint64_t seven = 7;

	return (struct peat_event){
		.tid = tid, .map = "x", .data = &seven, .size = sizeof(seven), .time_ns = time_ns
	};
}

/* An event in the old pipeline.  Returns whether it delivers the event. */
static bool old(uint32_t tid, uint64_t time_ns)
{
	struct peat_event event = event_at(tid, time_ns);

	ck_assert_int_eq(handover__note(handover, &event, time_ns <= UNTIL), 0);
	return time_ns <= UNTIL;
}

/* In the new one, likewise. */
static bool fresh(uint32_t tid, uint64_t time_ns)
{
	struct peat_event event = event_at(tid, time_ns);

	return !handover__is_delivered(handover, &event);
}

/* Times of the old and the new pipeline for the same event. */
struct times {
	uint64_t old_ns, new_ns;
};

static void check_once(const struct times *times, size_t count)
{
	bool is_delivered[8];

	for (size_t i = 0; i < count; i++)
		is_delivered[i] = old(5, times[i].old_ns);
	for (size_t i = 0; i < count; i++)
		ck_assert_msg(is_delivered[i] != fresh(5, times[i].new_ns), "event %zu: %s", i,
			      is_delivered[i] ? "twice" : "missing");
}

START_TEST(test_old_program_runs_first)
{
	static const struct times cut[] = {
		{ 900, 901 }, { 1900, 1901 }, { 1990, 2200 }, { 2205, 2206 }, { 2300, 2301 }
	};
	static const struct times at_start[] = { { 990, 1300 }, { 1500, 1501 }, { 2100, 2101 } };
	static const struct times last[] = { { 1200, 1201 }, { 1990, 2200 } };

	check_once(cut, 5);
	end();
	begin();
	check_once(at_start, 3);
	end();
	begin();
	check_once(last, 2);
}
END_TEST

START_TEST(test_new_program_runs_first)
{
	static const struct times cut[] = {
		{ 901, 900 }, { 1901, 1900 }, { 2200, 1990 }, { 2206, 2205 }, { 2301, 2300 }
	};
	static const struct times before[] = { { 1901, 1900 }, { 2101, 2100 }, { 2201, 2200 } };
	static const struct times only[] = { { 2001, 1999 }, { 2051, 2050 } };

	check_once(cut, 5);
	end();
	begin();
	check_once(before, 3);
	end();
	begin();
	check_once(only, 2);
}
END_TEST

/* The old pipeline ended before it read its own of the second event. */
START_TEST(test_event_that_was_not_read)
{
	ck_assert(old(5, 1100));
	ck_assert(!fresh(5, 1101));
	ck_assert(fresh(5, 1500));
}
END_TEST

/* Readers return the events of one CPU after those of another. */
START_TEST(test_events_may_be_in_any_order)
{
	ck_assert(!old(5, 2100));
	ck_assert(!old(5, 2200));
	ck_assert(old(5, 1999));
	ck_assert(old(5, 1200));
	ck_assert(fresh(5, 2201));
	ck_assert(!fresh(5, 2001));
	ck_assert(fresh(5, 2101));
	ck_assert(!fresh(5, 1201));
}
END_TEST

START_TEST(test_lost_events_do_not_move_others)
{
	ck_assert(old(5, 1200)); /* the new pipeline's is lost */
	ck_assert(old(5, 1500));
	ck_assert(!old(5, 2100));
	ck_assert(!fresh(5, 1501));
	ck_assert(fresh(5, 2101));
	ck_assert(fresh(5, 2201));
	ck_assert(old(6, 1500));
	ck_assert(!fresh(6, 1501));
	ck_assert(fresh(6, 1701)); /* the old pipeline has lost its own */
	ck_assert(fresh(6, 2101));
}
END_TEST

START_TEST(test_tasks_and_types_are_apart)
{
	const uint64_t eight = 8;
	struct peat_event event = event_at(5, 2001);

	ck_assert(old(5, 1999));
	event.map = "y";
	ck_assert(!handover__is_delivered(handover, &event));
	event = event_at(6, 2001);
	ck_assert(!handover__is_delivered(handover, &event));
	event = event_at(5, 2001);
	event.data = &eight; /* the new pipeline rejected the event before */
	ck_assert(!handover__is_delivered(handover, &event));
	event = event_at(7, 1999);
	ck_assert(handover__is_delivered(handover, &event));
	ck_assert(!handover__is_over(handover, UNTIL + UINT64_C(1000000000)));
	ck_assert(handover__is_over(handover, UNTIL + UINT64_C(1000000001)));
}
END_TEST

/* The idle tasks of all CPUs have tid 0. */
START_TEST(test_idle_tasks_are_apart)
{
	struct peat_event event = event_at(0, 1999);

	ck_assert_int_eq(handover__note(handover, &event, true), 0);
	event.cpu = 1;
	event.time_ns = 2001;
	ck_assert(!handover__is_delivered(handover, &event));
	event.cpu = 0;
	ck_assert(handover__is_delivered(handover, &event));
}
END_TEST

SUITE(10)
{
	tcase_add_checked_fixture(tests, begin, end);
	tcase_add_test(tests, test_old_program_runs_first);
	tcase_add_test(tests, test_new_program_runs_first);
	tcase_add_test(tests, test_event_that_was_not_read);
	tcase_add_test(tests, test_events_may_be_in_any_order);
	tcase_add_test(tests, test_lost_events_do_not_move_others);
	tcase_add_test(tests, test_tasks_and_types_are_apart);
	tcase_add_test(tests, test_idle_tasks_are_apart);
}

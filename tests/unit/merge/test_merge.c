// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* test_merge.c: events of many hosts by time: order, delay, memory, late events, ends of batches.
 */
#include <errno.h>
#include <stdlib.h>

#include "merge/merge.h"
#include "unit/fail_alloc.h"
#include "unit/suite.h"

#define MS UINT64_C(1000000)

static uint64_t done_count, all_count, done_sum;

static void count_done(void *arg, void *token, bool all)
{
	(void)arg;
	done_count++;
	all_count += all;
	done_sum += (uintptr_t)token;
}

static struct merge *new_merge(uint64_t delay_ms, uint64_t memory)
{
	const struct merge_opts opts = { .delay_ns = delay_ms * MS,
					 .memory_bytes = memory,
					 .done = count_done };
	struct merge *merge = merge__new(&opts);

	ck_assert_ptr_nonnull(merge);
	done_count = all_count = done_sum = 0;
	return merge;
}

/* A batch with events at these times, up to one that is UINT64_MAX. */
static struct peat_batch *new_batch(const uint64_t *times)
{
	const struct peat_batch_opts opts = { .sz = sizeof(opts), .source = "exec" };
	struct peat_batch *batch = peat_batch__new(&opts);

	ck_assert_ptr_nonnull(batch);
	for (; *times != UINT64_MAX; times++) {
		const struct peat_event event = { .kind = PEAT_EVENT_DATA, .time_ns = *times };

		ck_assert_int_eq(peat_batch__add(batch, &event), 0);
	}
	return batch;
}

#define END UINT64_MAX

/* Adds a batch whose host has this wall clock. */
static void add(struct merge *merge, uintptr_t token, int64_t wall_clock_ns, uint64_t now_ns,
		const uint64_t *times)
{
	const struct piece_info info = { .host = "web1",
					 .source = "exec",
					 .wall_clock_ns = wall_clock_ns };

	ck_assert_int_eq(merge__add(merge, new_batch(times), &info, (void *)token, now_ns), 0);
}

#define ADD(merge, token, clock, now, ...)                                                         \
	add(merge, token, clock, now, (const uint64_t[]){ __VA_ARGS__, END })

/* The next event has this time of day. */
static void expect(struct merge *merge, uint64_t now_ns, uint64_t wall_ns)
{
	struct merged merged;

	ck_assert(merge__next(merge, now_ns, &merged));
	ck_assert_uint_eq(merged.wall_ns, wall_ns);
}

static void expect_none(struct merge *merge, uint64_t now_ns)
{
	struct merged merged;

	ck_assert(!merge__next(merge, now_ns, &merged));
}

START_TEST(test_hosts_are_merged_by_time_of_day)
{
	struct merge *merge = new_merge(100, UINT64_MAX);

	/* Their own clocks differ by 1000. */
	ADD(merge, 1, 0, 0, 1010, 1030, 1050);
	ADD(merge, 2, 1000, 0, 20, 40);
	expect_none(merge, 100 * MS - 1);
	for (uint64_t time = 1010; time <= 1050; time += 10)
		expect(merge, 100 * MS, time);
	expect_none(merge, 100 * MS);
	merge__free(merge);
	ck_assert_uint_eq(all_count, 2);
}
END_TEST

START_TEST(test_older_events_precede_those_that_are_due)
{
	struct merge *merge = new_merge(100, UINT64_MAX);
	struct merge_counts counts;

	ADD(merge, 1, 0, 0, 50, 70);
	ADD(merge, 2, 0, 60 * MS, 60, 80);
	ck_assert_uint_eq(merge__wait_ns(merge, 60 * MS), 40 * MS);
	expect(merge, 100 * MS, 50);
	expect(merge, 100 * MS, 60);
	expect(merge, 100 * MS, 70);
	expect_none(merge, 100 * MS);
	ck_assert_uint_eq(merge__wait_ns(merge, 100 * MS), 60 * MS);
	expect(merge, 160 * MS, 80);
	expect_none(merge, 160 * MS);
	ck_assert_uint_eq(merge__wait_ns(merge, 160 * MS), UINT64_MAX);
	merge__read_counts(merge, &counts);
	ck_assert_uint_eq(counts.events, 4);
	ck_assert_uint_eq(counts.late, 0);
	ck_assert_uint_eq(counts.batches, 0);
	ck_assert_uint_eq(counts.bytes, 0);
	merge__free(merge);
}
END_TEST

START_TEST(test_late_events_are_marked)
{
	struct merge *merge = new_merge(0, UINT64_MAX);
	struct merge_counts counts;
	struct merged merged;

	ADD(merge, 1, 0, 0, 50);
	expect(merge, 0, 50);
	ADD(merge, 2, 0, 0, 49, 50);
	ck_assert(merge__next(merge, 0, &merged));
	ck_assert(merged.event.late);
	ck_assert(merge__next(merge, 0, &merged));
	ck_assert(!merged.event.late);
	merge__read_counts(merge, &counts);
	ck_assert_uint_eq(counts.late, 1);
	merge__free(merge);
}
END_TEST

/* Without a time: with the event before it. */
START_TEST(test_events_of_a_batch_are_sorted)
{
	struct merge *merge = new_merge(0, UINT64_MAX);
	struct merge_counts counts;

	ADD(merge, 1, 7, 0, 30, 10, 0, 40);
	ADD(merge, 2, 7, 0, 35);
	expect(merge, 0, 17);
	expect(merge, 0, 17);
	expect(merge, 0, 37);
	expect(merge, 0, 42);
	expect(merge, 0, 47);
	merge__read_counts(merge, &counts);
	ck_assert_uint_eq(counts.late, 0);
	merge__free(merge);
}
END_TEST

START_TEST(test_batches_are_done_after_their_last_event)
{
	struct merge *merge = new_merge(0, UINT64_MAX);

	add(merge, 100, 0, 0, (const uint64_t[]){ END });
	ck_assert_uint_eq(done_count, 1);
	ADD(merge, 1, 0, 0, 10, 30);
	ADD(merge, 2, 0, 0, 20);
	expect(merge, 0, 10);
	expect(merge, 0, 20);
	ck_assert_uint_eq(done_count, 1); /* the caller may use the event */
	expect(merge, 0, 30);
	ck_assert_uint_eq(done_sum, 102);
	expect_none(merge, 0);
	ck_assert_uint_eq(done_sum, 103);
	ck_assert_uint_eq(all_count, 3);
	ADD(merge, 4, 0, 0, 10);
	merge__free(merge);
	ck_assert_uint_eq(done_count, 4);
	ck_assert_uint_eq(all_count, 3);
}
END_TEST

/* A batch arrives that is older than the event which the caller has. */
START_TEST(test_a_batch_may_be_added_between_events)
{
	struct merge *merge = new_merge(0, UINT64_MAX);

	ADD(merge, 1, 0, 0, 10, 30);
	expect(merge, 0, 10);
	ADD(merge, 2, 0, 0, 5);
	expect(merge, 0, 5);
	expect(merge, 0, 30);
	expect_none(merge, 0);
	ck_assert_uint_eq(all_count, 2);
	merge__free(merge);
}
END_TEST

START_TEST(test_memory_is_bounded)
{
	struct merge *merge = new_merge(1000, 4096);
	struct merge_counts counts;
	uint64_t returned = 0;

	for (uint64_t i = 0; i < 1000; i++) {
		struct merged merged;

		ADD(merge, 1, 0, 0, i + 1, i + 2, i + 3);
		while (merge__next(merge, 0, &merged))
			returned++;
		merge__read_counts(merge, &counts);
		ck_assert_uint_le(counts.bytes, 4096);
	}
	ck_assert_uint_eq(counts.hurried, returned);
	ck_assert_uint_ge(returned, 2900);
	ck_assert_uint_eq(merge__wait_ns(merge, 0), 1000 * MS);
	merge__free(merge);
	ck_assert_uint_eq(done_count, 1000);
}
END_TEST

START_TEST(test_at_the_end_nothing_is_held)
{
	struct merge *merge = new_merge(1000, UINT64_MAX);

	ADD(merge, 1, 0, 0, 20);
	ADD(merge, 2, 0, 0, 10);
	expect_none(merge, 0);
	merge__hold_nothing(merge);
	ck_assert_uint_eq(merge__wait_ns(merge, 0), 0);
	expect(merge, 0, 10);
	expect(merge, 0, 20);
	expect_none(merge, 0);
	merge__free(merge);
}
END_TEST

/* Batches that are small, and whose types are not. */
START_TEST(test_memory_of_types_is_counted)
{
	struct merge *merge = new_merge(1000, 100000);
	const struct piece_info info = { .host = "web1", .source = "exec", .decoded_bytes = 60000 };
	const uint64_t times[] = { 1, END };

	ck_assert_int_eq(merge__add(merge, new_batch(times), &info, (void *)1, 0), 0);
	expect_none(merge, 0);
	ck_assert_int_eq(merge__add(merge, new_batch(times), &info, (void *)2, 0), 0);
	expect(merge, 0, 1);
	expect_none(merge, 0);
	merge__free(merge);
}
END_TEST

START_TEST(test_many_batches_are_in_order)
{
	struct merge *merge = new_merge(1, UINT64_MAX);
	struct merge_counts counts;
	struct merged merged;
	uint64_t newest = 0;

	srand(23);
	for (uintptr_t i = 1; i <= 300; i++) {
		uint64_t start = (uint64_t)rand() % 1000 + 1;

		ADD(merge, i, 0, 0, start, start + 5, start + 500);
	}
	while (merge__next(merge, MS, &merged)) {
		ck_assert_uint_ge(merged.wall_ns, newest);
		newest = merged.wall_ns;
	}
	merge__read_counts(merge, &counts);
	ck_assert_uint_eq(counts.events, 900);
	ck_assert_uint_eq(counts.late, 0);
	ck_assert_uint_eq(done_sum, 300 * 301 / 2);
	merge__free(merge);
}
END_TEST

START_TEST(test_without_memory_the_batch_stays_the_callers)
{
	const struct merge_opts opts = { .done = count_done };
	const struct piece_info info = { .host = "a", .source = "b" };

	for (unsigned nth = 1; nth; nth++) {
		struct peat_batch *batch = new_batch((const uint64_t[]){ 1, END });
		struct merge *merge;
		int err = 0;

		fail_alloc__begin(nth);
		merge = merge__new(&opts);
		if (merge)
			err = merge__add(merge, batch, &info, NULL, 0);
		if (!merge || err)
			peat_batch__unref(batch);
		if (!fail_alloc__end())
			nth = UINT32_MAX;
		else
			ck_assert(!merge || err == -ENOMEM);
		merge__free(merge);
	}
}
END_TEST

SUITE(10)
{
	tcase_add_test(tests, test_hosts_are_merged_by_time_of_day);
	tcase_add_test(tests, test_older_events_precede_those_that_are_due);
	tcase_add_test(tests, test_late_events_are_marked);
	tcase_add_test(tests, test_events_of_a_batch_are_sorted);
	tcase_add_test(tests, test_batches_are_done_after_their_last_event);
	tcase_add_test(tests, test_a_batch_may_be_added_between_events);
	tcase_add_test(tests, test_memory_is_bounded);
	tcase_add_test(tests, test_memory_of_types_is_counted);
	tcase_add_test(tests, test_at_the_end_nothing_is_held);
	tcase_add_test(tests, test_many_batches_are_in_order);
	tcase_add_test(tests, test_without_memory_the_batch_stays_the_callers);
}

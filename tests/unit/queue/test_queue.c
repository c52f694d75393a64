// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* test_queue.c: a queue keeps its limit, drops by its policy, and counts what became of events. */
#include <poll.h>
#include <pthread.h>
#include <unistd.h>

#include "base/monotonic.h"
#include "queue/queue.h"
#include "unit/suite.h"

#define EVENT_BYTES 1000

static atomic_uint_fast64_t never = UINT64_MAX;

/* Of so many events. */
static struct peat_batch *make_batch(unsigned events)
{
	static const char bytes[EVENT_BYTES];
	const struct peat_batch_opts opts = { .sz = sizeof(opts), .source = "x" };
	const struct peat_event event = { .data = bytes, .size = sizeof(bytes) };
	struct peat_batch *batch = peat_batch__new(&opts);

	ck_assert_ptr_nonnull(batch);
	while (events--)
		ck_assert_int_eq(peat_batch__add(batch, &event), 0);
	return batch;
}

/* The caller keeps no reference. */
static struct peat_batch *put(struct queue *queue, struct flow *flow, unsigned events)
{
	struct peat_batch *batch = make_batch(events);

	queue__put(queue, flow, batch, &never);
	peat_batch__unref(batch);
	return batch;
}

static void check_flow(const struct flow *flow, uint64_t dropped, uint64_t waiting,
		       uint64_t acknowledged, uint64_t refused)
{
	struct flow_counts counts = flow__read(flow);

	ck_assert_uint_eq(counts.dropped, dropped);
	ck_assert_uint_eq(counts.waiting, waiting);
	ck_assert_uint_eq(counts.acknowledged, acknowledged);
	ck_assert_uint_eq(counts.refused, refused);
	ck_assert_uint_eq(counts.offered, dropped + waiting + acknowledged + refused);
}

static void check_spooled(const struct flow *flow, uint64_t spooled, uint64_t waiting)
{
	const struct flow_counts counts = flow__read(flow);

	ck_assert_uint_eq(counts.spooled, spooled);
	ck_assert_uint_eq(counts.waiting, waiting);
}

static bool is_readable(int fd)
{
	struct pollfd in = { .fd = fd, .events = POLLIN };

	return poll(&in, 1, 0) == 1;
}

START_TEST(test_batches_leave_in_order)
{
	struct queue *queue = queue__new(1 << 20, QUEUE_BLOCK);
	struct flow flow = { 0 };
	struct peat_batch *first, *second;

	ck_assert(!is_readable(queue__fd(queue)));
	ck_assert_ptr_null(queue__next(queue));
	first = put(queue, &flow, 3);
	second = put(queue, &flow, 5);
	ck_assert(is_readable(queue__fd(queue)));
	ck_assert_ptr_eq(queue__next(queue), first);
	queue__put_back(queue, first);
	ck_assert_ptr_eq(queue__next(queue), first);
	ck_assert_ptr_eq(queue__next(queue), second);
	ck_assert_ptr_null(queue__next(queue));
	check_flow(&flow, 0, 8, 0, 0);
	ck_assert(queue__settle(queue, second, 2)); /* in any order */
	check_flow(&flow, 0, 3, 3, 2);
	ck_assert(queue__settle(queue, first, 100)); /* more than there are */
	check_flow(&flow, 0, 0, 3, 5);
	ck_assert(!queue__settle(queue, first, 0));
	queue__unref(queue);
}
END_TEST

START_TEST(test_batches_under_way_come_again)
{
	struct queue *queue = queue__new(1 << 20, QUEUE_BLOCK);
	struct flow flow = { 0 };
	struct peat_batch *batches[3];

	for (int i = 0; i < 3; i++)
		batches[i] = put(queue, &flow, 1);
	queue__next(queue);
	queue__next(queue);
	queue__put_all_back(queue);
	queue__put_all_back(queue);
	for (int i = 0; i < 3; i++)
		ck_assert_ptr_eq(queue__next(queue), batches[i]);
	queue__put_all_back(queue);
	put(queue, &flow, 1);
	for (int i = 0; i < 3; i++)
		ck_assert_ptr_eq(queue__next(queue), batches[i]);
	ck_assert_ptr_nonnull(queue__next(queue));
	queue__clear(queue);
	check_flow(&flow, 4, 0, 0, 0);
	queue__unref(queue);
}
END_TEST

/* Two batches fit, and what is under way counts, too. */
START_TEST(test_full_queue_drops)
{
	enum queue_policy policy = _i ? QUEUE_DROP_NEWEST : QUEUE_DROP_OLDEST;
	struct queue *queue = queue__new(40000, policy);
	struct queue_counts counts;
	struct flow flow = { 0 };
	struct peat_batch *first = put(queue, &flow, 10), *second;

	ck_assert_ptr_eq(queue__next(queue), first);
	second = put(queue, &flow, 11);
	put(queue, &flow, 12);
	queue__read_counts(queue, &counts);
	ck_assert_uint_eq(counts.batches, 2);
	ck_assert_uint_le(counts.bytes, counts.most_bytes);
	check_flow(&flow, policy == QUEUE_DROP_OLDEST ? 11 : 12,
		   10 + (policy == QUEUE_DROP_OLDEST ? 12 : 11), 0, 0);
	if (policy == QUEUE_DROP_NEWEST)
		ck_assert_ptr_eq(queue__next(queue), second);
	queue__unref(queue);
}
END_TEST

START_TEST(test_large_batch_fits_into_empty_queue)
{
	struct queue *queue = queue__new(1000, QUEUE_DROP_NEWEST);
	struct flow flow = { 0 };

	put(queue, &flow, 100);
	put(queue, &flow, 1);
	check_flow(&flow, 1, 100, 0, 0);
	queue__unref(queue);
}
END_TEST

static void *settle_later(void *arg)
{
	struct queue *queue = arg;

	usleep(100000);
	queue__settle(queue, queue__next(queue), 0);
	return NULL;
}

START_TEST(test_put_waits_for_room)
{
	struct queue *queue = queue__new(1000, QUEUE_BLOCK);
	struct queue_counts counts;
	struct flow flow = { 0 };
	pthread_t thread;

	put(queue, &flow, 10);
	ck_assert_int_eq(pthread_create(&thread, NULL, settle_later, queue), 0);
	put(queue, &flow, 11);
	check_flow(&flow, 0, 11, 10, 0);
	queue__read_counts(queue, &counts);
	ck_assert_uint_gt(counts.blocked_ns, 50000000);
	ck_assert_int_eq(pthread_join(thread, NULL), 0);
	queue__unref(queue);
}
END_TEST

/* A time that has passed, the end of the output, or another policy. */
START_TEST(test_put_gives_up)
{
	struct queue *queue = queue__new(1000, QUEUE_BLOCK);
	atomic_uint_fast64_t until_ns = monotonic_ns() + 1000000;
	struct peat_batch *batch = make_batch(7);
	struct flow flow = { 0 };

	put(queue, &flow, 10);
	queue__put(queue, &flow, batch, &until_ns);
	check_flow(&flow, 7, 10, 0, 0);
	if (_i)
		queue__stop_waiting(queue);
	else
		queue__set_limit(queue, 1000, QUEUE_DROP_NEWEST);
	queue__put(queue, &flow, batch, &never);
	check_flow(&flow, 14, 10, 0, 0);
	peat_batch__unref(batch);
	queue__unref(queue);
}
END_TEST

START_TEST(test_policies_have_names)
{
	enum queue_policy policy;

	ck_assert(queue__parse_policy("block", &policy) && policy == QUEUE_BLOCK);
	ck_assert(queue__parse_policy("drop-oldest", &policy) && policy == QUEUE_DROP_OLDEST);
	ck_assert(queue__parse_policy("drop-newest", &policy) && policy == QUEUE_DROP_NEWEST);
	ck_assert(!queue__parse_policy("drop", &policy));
}
END_TEST

START_TEST(test_batches_leave_for_a_spool)
{
	struct queue *queue = queue__new(1 << 20, QUEUE_BLOCK);
	struct flow flow = { 0 };
	struct peat_batch *first = put(queue, &flow, 3), *second = put(queue, &flow, 5);
	struct peat_origin origin;
	struct queue_counts counts;

	ck_assert_ptr_null(queue__origin(queue, first, 7, true, &origin)); /* not under way */
	ck_assert_ptr_eq(queue__next(queue), first);
	ck_assert_ptr_eq(queue__origin(queue, first, 7, false, &origin), &flow);
	flow.spooled += 3;
	queue__hand_over(queue, first);
	check_spooled(&flow, 3, 5);
	ck_assert_ptr_eq(queue__next(queue), second);
	queue__drop(queue, second);
	check_spooled(&flow, 3, 0);
	ck_assert_uint_eq(flow.dropped, 5);
	queue__read_counts(queue, &counts);
	ck_assert_uint_eq(counts.batches, 0);
	ck_assert_uint_eq(counts.bytes, 0);
	flow__unspool(&flow, 3, &flow.refused, 1);
	flow.acknowledged += 2;
	check_flow(&flow, 5, 0, 2, 1);
	queue__unref(queue);
}
END_TEST

static void check_origin(struct queue *queue, const struct peat_batch *batch, bool keep,
			 uint64_t number, uint64_t first)
{
	struct peat_origin origin;

	ck_assert_ptr_nonnull(queue__origin(queue, batch, 7, keep, &origin));
	ck_assert_uint_eq(origin.run, 7);
	ck_assert_uint_eq(origin.number, number);
	ck_assert_uint_eq(origin.first, first);
}

/* Numbers follow the order in which batches leave, and stay. */
START_TEST(test_batches_keep_their_numbers)
{
	struct queue *queue = queue__new(1 << 20, QUEUE_BLOCK);
	struct flow flow = { 0 }, other = { 0 };
	struct peat_batch *first = put(queue, &flow, 3), *second = put(queue, &flow, 5),
			  *third = put(queue, &other, 1);

	while (queue__next(queue))
		;
	check_origin(queue, second, false, 1, 1); /* if the first one never leaves */
	check_origin(queue, first, true, 1, 1);
	check_origin(queue, second, true, 2, 4);
	check_origin(queue, third, true, 1, 1);
	queue__put_all_back(queue);
	while (queue__next(queue))
		;
	check_origin(queue, first, false, 1, 1);
	check_origin(queue, second, true, 2, 4);
	ck_assert_uint_eq(flow.batches, 2);
	ck_assert_uint_eq(flow.events, 8);
	queue__unref(queue);
}
END_TEST

SUITE(10)
{
	tcase_add_test(tests, test_batches_leave_for_a_spool);
	tcase_add_test(tests, test_batches_keep_their_numbers);
	tcase_add_test(tests, test_batches_leave_in_order);
	tcase_add_test(tests, test_batches_under_way_come_again);
	tcase_add_loop_test(tests, test_full_queue_drops, 0, 2);
	tcase_add_test(tests, test_large_batch_fits_into_empty_queue);
	tcase_add_test(tests, test_put_waits_for_room);
	tcase_add_loop_test(tests, test_put_gives_up, 0, 2);
	tcase_add_test(tests, test_policies_have_names);
}

// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* test_spool.c: a spool keeps the order, its limits, and the counts of events. */
#include <errno.h>
#include <signal.h>
#include <sys/resource.h>
#include <unistd.h>

#include "support/machine/scratch.h"
#include "unit/fail_alloc.h"
#include "unit/spool/stub_piece.h"

static struct spool *spool;
static struct spool_opts opts;

static void begin(void)
{
	scratch__make();
	stub_flow = (struct flow){ .offered = 0 };
	opts = stub__opts(scratch__path("spool"));
}

static void open_spool(void)
{
	spool = spool__open(&opts);
	ck_assert_ptr_nonnull(spool);
}

/* Another process: what is on disk is of another run, and its flow is new. */
static void open_again(void)
{
	spool__close(spool);
	stub_flow = (struct flow){ .offered = 0 };
	opts.directory = scratch__path("spool");
	opts.run++;
	open_spool();
}

static void put(uint64_t first, uint32_t events)
{
	ck_assert_int_eq(stub__put(spool, opts.run, first, events), 0);
}

static struct peat_batch *next(uint64_t first)
{
	struct peat_batch *batch = spool__next(spool);

	ck_assert_msg(batch != NULL, "no batch of event %llu", (unsigned long long)first);
	ck_assert_uint_eq(stub__first(batch), first);
	return batch;
}

static void settle(struct peat_batch *batch)
{
	ck_assert(spool__settle(spool, batch, 0));
}

static void check_flow(uint64_t spooled, uint64_t acknowledged, uint64_t refused, uint64_t dropped)
{
	const struct flow_counts counts = flow__read(&stub_flow);

	ck_assert_uint_eq(counts.spooled, spooled);
	ck_assert_uint_eq(counts.acknowledged, acknowledged);
	ck_assert_uint_eq(counts.refused, refused);
	ck_assert_uint_eq(counts.dropped, dropped);
	ck_assert_uint_eq(counts.waiting, 0);
	ck_assert_uint_eq(counts.offered, spooled + acknowledged + refused + dropped);
}

static struct spool_counts counts_of(void)
{
	struct spool_counts counts;

	spool__read_counts(spool, &counts);
	return counts;
}

START_TEST(test_batches_leave_in_order)
{
	struct peat_batch *one, *two, *three;

	open_spool();
	ck_assert_ptr_null(spool__next(spool));
	ck_assert(counts_of().is_empty);
	put(1, 2);
	put(3, 1);
	put(4, 3);
	check_flow(6, 0, 0, 0);
	ck_assert(!counts_of().is_empty);
	one = next(1);
	two = next(3);
	three = next(4);
	ck_assert_ptr_null(spool__next(spool));
	settle(two);
	spool__put_back(spool, three);
	ck_assert_ptr_eq(next(4), three);
	spool__put_all_back(spool);
	ck_assert_ptr_eq(next(1), one);
	ck_assert_ptr_eq(next(4), three);
	ck_assert(spool__settle(spool, one, 5)); /* more than there are */
	ck_assert(spool__settle(spool, three, 1));
	ck_assert(!spool__settle(spool, three, 0));
	check_flow(0, 3, 3, 0);
	ck_assert(counts_of().is_empty);
	spool__close(spool);
}
END_TEST

/* Batches that were settled before older ones are not read again. */
START_TEST(test_former_batches_are_first)
{
	struct peat_batch *one, *two;

	open_spool();
	for (uint64_t i = 1; i <= 20; i++)
		put(i, 1);
	one = next(1);
	next(2);
	two = next(3);
	settle(two);
	settle(one);
	open_again();
	check_flow(0, 0, 0, 0);
	ck_assert(!counts_of().is_empty);
	put(101, 1);
	settle(next(2));
	check_flow(1, 1, 0, 0);
	one = next(4);
	settle(next(5));
	open_again();
	settle(next(4));
	for (uint64_t i = 6; i <= 20; i++)
		settle(next(i));
	settle(next(101));
	ck_assert_ptr_null(spool__next(spool));
	check_flow(0, 17, 0, 0);
	ck_assert(counts_of().is_empty);
	ck_assert_uint_eq(counts_of().lost, 0);
	spool__close(spool);
	ck_assert_int_eq(access(scratch__path("spool/00000000000000000001.perf"), F_OK), -1);
}
END_TEST

/* Passed over as settled, and still known as settled after the next crash. */
START_TEST(test_settled_twice_over)
{
	open_spool();
	for (uint64_t i = 1; i <= 3; i++)
		put(i, 1);
	next(1);
	settle(next(2));
	open_again();
	next(1);
	settle(next(3));
	open_again();
	settle(next(1));
	ck_assert_ptr_null(spool__next(spool));
	spool__close(spool);
}
END_TEST

/* Memory has room for the first batches only: the others come from disk, and then memory again. */
START_TEST(test_memory_is_bounded)
{
	struct peat_batch *batch = stub__batch("x", 1, 1);
	uint64_t i;

	opts.limits.memory_bytes = 3 * peat_batch__bytes(batch);
	peat_batch__unref(batch);
	open_spool();
	for (i = 1; i <= 50; i++)
		put(i, 1);
	for (i = 1; i <= 50; i++)
		settle(next(i));
	for (; i <= 60; i++) {
		put(i, 1);
		settle(next(i));
	}
	check_flow(0, 60, 0, 0);
	ck_assert(counts_of().is_empty);
	ck_assert_uint_le(counts_of().segments, 1);
	spool__close(spool);
}
END_TEST

/* Batches that are under way stay, the others are read from disk, and counted once. */
START_TEST(test_memory_is_freed)
{
	struct peat_batch *one, *two;
	long blocks = fail_alloc__blocks();

	open_spool();
	for (uint64_t i = 1; i <= 100; i++)
		put(i, 1);
	one = next(1);
	two = next(2);
	spool__forget(spool);
	next(3);
	spool__put_all_back(spool);
	spool__forget(spool); /* the third one was decoded */
	check_flow(100, 0, 0, 0);
	ck_assert_ptr_eq(next(1), one);
	ck_assert_ptr_eq(next(2), two);
	put(101, 1);
	for (uint64_t i = 3; i <= 101; i++)
		settle(next(i));
	spool__forget(spool);
	settle(one);
	settle(two);
	check_flow(0, 101, 0, 0);
	ck_assert_ptr_null(spool__next(spool));
	ck_assert(counts_of().is_empty);
	ck_assert_uint_eq(counts_of().lost, 0);
	spool__close(spool);
	ck_assert_int_eq(fail_alloc__blocks(), blocks);
}
END_TEST

/* A batch that came back after its segment was dropped is nowhere else. */
START_TEST(test_dropped_segment_stays_in_memory)
{
	struct peat_batch *one;

	opts.limits.most_bytes = 2000;
	opts.limits.full = SPOOL_DROP_OLDEST;
	open_spool();
	put(1, 1);
	one = next(1);
	for (uint64_t i = 2; i <= 100; i++)
		put(i, 1);
	spool__put_back(spool, one);
	spool__forget(spool);
	ck_assert_ptr_eq(next(1), one);
	settle(one);
	spool__close(spool);
}
END_TEST

START_TEST(test_full_spool_blocks)
{
	uint64_t i = 1, j = 1;

	opts.limits.most_bytes = 2000;
	open_spool();
	while (!stub__put(spool, opts.run, i, 1))
		i++;
	ck_assert_int_eq(stub__put(spool, opts.run, i, 1), -EAGAIN);
	ck_assert_uint_le(counts_of().bytes, 2000);
	while (stub__put(spool, opts.run, i, 1))
		settle(next(j++));
	for (; j <= i; j++)
		settle(next(j));
	check_flow(0, i, 0, 0);
	ck_assert_int_eq(stub__put(spool, opts.run, i + 1, 100), -E2BIG);
	put(i + 1, 59); /* as large as the spool: what is settled makes room */
	settle(next(i + 1));
	spool__close(spool);
}
END_TEST

static void check_dropping(uint64_t memory)
{
	struct peat_batch *one;
	struct flow_counts counts;
	uint64_t at;

	opts.limits.most_bytes = 2000;
	opts.limits.full = SPOOL_DROP_OLDEST;
	opts.limits.memory_bytes = memory;
	open_spool();
	put(1, 1);
	one = next(1);
	for (uint64_t i = 2; i <= 100; i++) {
		put(i, 1);
		ck_assert_uint_le(counts_of().bytes, 2000);
	}
	counts = flow__read(&stub_flow);
	ck_assert_uint_ge(counts.dropped, 70);
	ck_assert_uint_eq(counts.offered, 100);
	ck_assert_uint_eq(counts.waiting, 0);
	ck_assert_uint_eq(counts.spooled, 100 - counts.dropped);
	settle(one); /* its segment is gone */
	for (at = counts.dropped + 2; at <= 100; at++)
		settle(next(at));
	check_flow(0, 100 - counts.dropped, 0, counts.dropped);
	ck_assert_uint_eq(counts_of().lost, 0);
	spool__close(spool);
}

START_TEST(test_full_spool_drops_the_oldest)
{
	check_dropping(1 << 20);
}
END_TEST

START_TEST(test_dropping_unread_batches)
{
	check_dropping(0);
}
END_TEST

/* Those of a former process are counted when they are dropped, and settled ones are not. */
START_TEST(test_dropping_former_batches)
{
	opts.limits.most_bytes = 2000;
	open_spool();
	for (uint64_t i = 1; i <= 20; i++)
		put(i, 1);
	next(1);
	settle(next(2));
	opts.limits.full = SPOOL_DROP_OLDEST;
	opts.limits.segment_bytes = 2000;
	open_again();
	put(1, 59);
	check_flow(59, 0, 0, 19);
	spool__close(spool);
}
END_TEST

/* The oldest batch is stuck: as many as the file of settled places has room for pass it. */
START_TEST(test_stuck_batch)
{
	struct peat_batch *batch;
	uint64_t passed = 0;

	opts.limits.segment_bytes = 1 << 20;
	open_spool();
	for (uint64_t i = 1; i <= 1000; i++)
		put(i, 1);
	next(1);
	while ((batch = spool__next(spool))) {
		settle(batch);
		passed++;
	}
	ck_assert_uint_eq(passed, 255);
	open_again();
	for (uint64_t i = 1; i <= 1000; i++)
		if (i == 1 || i > 256)
			settle(next(i));
	ck_assert_ptr_null(spool__next(spool));
	spool__close(spool);
}
END_TEST

START_TEST(test_write_error_is_tried_again)
{
	const struct rlimit small = { 200, RLIM_INFINITY }, none = { RLIM_INFINITY, RLIM_INFINITY };

	opts.limits.segment_bytes = 1 << 20;
	open_spool();
	signal(SIGXFSZ, SIG_IGN);
	put(1, 1);
	ck_assert_int_eq(setrlimit(RLIMIT_FSIZE, &small), 0);
	ck_assert_int_eq(stub__put(spool, opts.run, 2, 10), -EFBIG);
	ck_assert_uint_eq(counts_of().errors, 1);
	check_flow(1, 0, 0, 0);
	ck_assert_int_eq(setrlimit(RLIMIT_FSIZE, &none), 0);
	put(2, 10);
	open_again();
	settle(next(1));
	settle(next(2));
	ck_assert_uint_eq(counts_of().damaged_bytes, 0);
	spool__close(spool);
}
END_TEST

START_TEST(test_all_policies_of_sync)
{
	static const char *const names[] = { "never", "rotate", "batch" };
	enum spool_full full;

	for (int i = 0; i < 3; i++) {
		ck_assert(spool__parse_sync(names[i], &opts.limits.sync));
		ck_assert_int_eq((int)opts.limits.sync, i);
		open_spool();
		for (uint64_t j = 1; j <= 20; j++)
			put(j, 1);
		for (uint64_t j = 1; j <= 20; j++)
			settle(next(j));
		spool__close(spool);
		opts.directory = scratch__path("spool");
	}
	ck_assert(!spool__parse_sync("always", &opts.limits.sync));
	ck_assert(spool__parse_full("block", &full) && full == SPOOL_BLOCK);
	ck_assert(spool__parse_full("drop-oldest", &full) && full == SPOOL_DROP_OLDEST);
	ck_assert(!spool__parse_full("drop-newest", &full));
}
END_TEST

/* Without memory nothing is lost: the same call is made again. */
START_TEST(test_no_memory)
{
	static char bytes[4096];
	struct spool_piece piece = { .flow = &stub_flow,
				     .origin = { .run = STUB_RUN, .number = 4, .first = 4 },
				     .bytes = bytes };
	unsigned nth;
	long blocks;

	open_spool();
	for (uint64_t i = 1; i <= 3; i++)
		put(i, 1);
	spool__close(spool);
	stub_flow = (struct flow){ .offered = 0 };
	blocks = fail_alloc__blocks();
	for (nth = 1, spool = NULL; !spool; nth++) {
		opts.directory = scratch__path("spool");
		fail_alloc__begin(nth);
		spool = spool__open(&opts);
		if (!fail_alloc__end())
			ck_assert_ptr_nonnull(spool);
		ck_assert(spool || fail_alloc__blocks() == blocks);
	}
	piece.batch = stub__batch(STUB_SOURCE, 4, 1);
	piece.count = stub__make(bytes, opts.run, 4, 1);
	for (nth = 1;; nth++) {
		int err;

		fail_alloc__begin(nth);
		err = spool__put(spool, &piece);
		fail_alloc__end();
		if (!err)
			break;
		ck_assert_int_eq(err, -ENOMEM);
	}
	peat_batch__unref(piece.batch);
	for (uint64_t i = 1; i <= 4; i++)
		settle(next(i));
	ck_assert_ptr_null(spool__next(spool));
	spool__close(spool);
}
END_TEST

FORKED_SUITE(20)
{
	tcase_add_checked_fixture(tests, begin, scratch__remove);
	tcase_add_test(tests, test_batches_leave_in_order);
	tcase_add_test(tests, test_former_batches_are_first);
	tcase_add_test(tests, test_settled_twice_over);
	tcase_add_test(tests, test_memory_is_bounded);
	tcase_add_test(tests, test_memory_is_freed);
	tcase_add_test(tests, test_dropped_segment_stays_in_memory);
	tcase_add_test(tests, test_full_spool_blocks);
	tcase_add_test(tests, test_full_spool_drops_the_oldest);
	tcase_add_test(tests, test_dropping_unread_batches);
	tcase_add_test(tests, test_dropping_former_batches);
	tcase_add_test(tests, test_stuck_batch);
	tcase_add_test(tests, test_write_error_is_tried_again);
	tcase_add_test(tests, test_all_policies_of_sync);
	tcase_add_test(tests, test_no_memory);
}

// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * test_ends.c: the counts of a killed process and its spool add up, whenever it wrote its state.
 */
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "support/machine/scratch.h"
#include "unit/spool/stub_piece.h"

static struct spool *spool;
static struct spool_opts opts;
static struct flow_counts *saved; /* shared: the state that the killed process wrote */

static void begin(void)
{
	scratch__make();
	stub_flow = (struct flow){ .offered = 0 };
	opts = stub__opts(scratch__path("spool"));
	opts.limits.most_bytes = 2000;
	opts.limits.full = SPOOL_DROP_OLDEST;
	saved = mmap(NULL, sizeof(*saved), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1,
		     0);
	ck_assert_ptr_ne(saved, MAP_FAILED);
}

static void open_spool(void)
{
	opts.directory = scratch__path("spool");
	spool = spool__open(&opts);
	ck_assert_ptr_nonnull(spool);
}

static void put(uint64_t first, uint64_t last)
{
	for (uint64_t i = first; i <= last; i++)
		ck_assert_int_eq(stub__put(spool, opts.run, i, 1), 0);
}

static struct peat_batch *next(void)
{
	struct peat_batch *batch = spool__next(spool);

	ck_assert_ptr_nonnull(batch);
	return batch;
}

static void settle(unsigned count, uint64_t refused)
{
	for (unsigned i = 0; i < count; i++)
		ck_assert(spool__settle(spool, next(), refused));
}

static void write_state(void)
{
	*saved = flow__read(&stub_flow);
}

/* A process that does this, and is killed. */
static void kill_after(void (*work)(void))
{
	pid_t pid = fork();
	int status;

	ck_assert_int_ge(pid, 0);
	if (!pid) {
		work();
		_exit(0);
	}
	ck_assert_int_eq(waitpid(pid, &status, 0), pid);
	ck_assert_int_eq(status, 0);
	opts.run++; /* each process has its own */
}

/* The next process, with the counts of the state, as agent/keeper.c continues them. */
static void open_next(void)
{
	stub_flow = (struct flow){ .offered = saved->offered - saved->spooled,
				   .acknowledged = saved->acknowledged,
				   .refused = saved->refused,
				   .dropped = saved->dropped,
				   .agent_died = saved->agent_died + saved->waiting,
				   .saved_id = saved->spool_id,
				   .saved = saved->ends };
	opts.run++;
	open_spool();
}

static struct flow_counts settle_all(void)
{
	struct peat_batch *batch;

	while ((batch = spool__next(spool)))
		ck_assert(spool__settle(spool, batch, 0));
	return flow__read(&stub_flow);
}

static void check_sum(const struct flow_counts *counts, uint64_t events)
{
	ck_assert_uint_eq(counts->spooled, 0);
	ck_assert_uint_eq(counts->waiting, 0);
	ck_assert_uint_eq(counts->acknowledged + counts->refused + counts->dropped +
				  counts->agent_died,
			  events);
	ck_assert_uint_eq(counts->offered, events);
}

/* All ends after the state was written. */
static void drop_and_settle(void)
{
	open_spool();
	put(1, 10);
	settle(2, 0);
	write_state();
	settle(3, 0);
	settle(1, 1);
	put(11, 100);
}

START_TEST(test_ends_after_the_state)
{
	struct flow_counts counts;

	kill_after(drop_and_settle);
	ck_assert_uint_ne(saved->spool_id, 0);
	ck_assert_uint_eq(saved->acknowledged, 2);
	ck_assert_uint_eq(saved->dropped, 0);
	open_next();
	counts = flow__read(&stub_flow);
	ck_assert_uint_eq(counts.acknowledged, 5);
	ck_assert_uint_eq(counts.refused, 1);
	ck_assert_uint_gt(counts.dropped, 50);
	ck_assert_uint_eq(stub_flow.former.dropped, counts.dropped);
	counts = settle_all();
	check_sum(&counts, 100);
	ck_assert_uint_eq(counts.agent_died, 0);
	spool__close(spool);
}
END_TEST

/* It counted acknowledgements, and was killed before the spool's file had them: they come again. */
START_TEST(test_state_is_ahead_of_the_file)
{
	struct flow_counts counts;

	kill_after(drop_and_settle);
	saved->acknowledged += 10;
	saved->ends.acknowledged += 10;
	saved->offered += 10;
	open_next();
	counts = settle_all();
	check_sum(&counts, 100);
	spool__close(spool);
}
END_TEST

static void continue_and_drop(void)
{
	open_next();
	write_state();
	put(101, 200);
}

/* Each process adds only what its former one has not written down. */
START_TEST(test_several_processes)
{
	struct flow_counts counts;

	kill_after(drop_and_settle);
	for (int i = 0; i < 3; i++)
		kill_after(continue_and_drop);
	open_next();
	counts = settle_all();
	check_sum(&counts, 400);
	spool__close(spool);
}
END_TEST

static void drop_under_way(void)
{
	open_spool();
	put(1, 2);
	next();
	write_state();
	put(3, 100);
}

/* A batch was under way when its segment was dropped: nobody can tell whether it arrived. */
START_TEST(test_killed_with_a_batch_in_memory)
{
	struct flow_counts counts;

	kill_after(drop_under_way);
	open_next();
	counts = settle_all();
	check_sum(&counts, 100);
	ck_assert_uint_eq(counts.agent_died, 1);
	spool__close(spool);
}
END_TEST

/* A process that ends in order knows. */
START_TEST(test_ended_with_a_batch_in_memory)
{
	struct flow_counts counts;

	drop_under_way();
	spool__put_all_back(spool);
	spool__close(spool);
	write_state();
	open_next();
	counts = settle_all();
	check_sum(&counts, 100);
	ck_assert_uint_eq(counts.agent_died, 0);
	spool__close(spool);
}
END_TEST

/* Without a state, or with that of another directory, the counts begin at 0. */
START_TEST(test_counts_of_another_directory)
{
	struct flow_counts counts;

	kill_after(drop_and_settle);
	for (unsigned i = 0; i < 2; i++) {
		stub_flow = (struct flow){ .saved_id = i, .saved = { .acknowledged = 1 } };
		open_spool();
		counts = flow__read(&stub_flow);
		ck_assert_uint_eq(counts.offered, 0);
		ck_assert_uint_eq(counts.acknowledged, 0);
		ck_assert_uint_eq(counts.dropped, 0);
		ck_assert_uint_eq(counts.ends.acknowledged, 5);
		spool__close(spool);
	}
}
END_TEST

static struct flow *no_flow(void *arg, const char *source, bool makes)
{
	(void)arg;
	(void)source;
	ck_assert(!makes);
	return NULL;
}

/* A process without the source keeps its counts. */
START_TEST(test_counts_of_other_sources_stay)
{
	struct flow_counts counts;

	kill_after(drop_and_settle);
	open_next();
	settle_all();
	write_state();
	spool__close(spool);
	counts = *saved;
	opts.find_flow = no_flow;
	open_spool();
	spool__close(spool);
	opts.find_flow = stub__flow;
	open_next();
	ck_assert_uint_eq(flow__read(&stub_flow).ends.acknowledged, counts.ends.acknowledged);
	ck_assert_uint_eq(flow__read(&stub_flow).acknowledged, counts.acknowledged);
	ck_assert_uint_eq(flow__read(&stub_flow).offered, counts.offered);
	spool__close(spool);
}
END_TEST

SUITE(30)
{
	tcase_add_checked_fixture(tests, begin, scratch__remove);
	tcase_add_test(tests, test_ends_after_the_state);
	tcase_add_test(tests, test_state_is_ahead_of_the_file);
	tcase_add_test(tests, test_several_processes);
	tcase_add_test(tests, test_killed_with_a_batch_in_memory);
	tcase_add_test(tests, test_ended_with_a_batch_in_memory);
	tcase_add_test(tests, test_counts_of_another_directory);
	tcase_add_test(tests, test_counts_of_other_sources_stay);
}

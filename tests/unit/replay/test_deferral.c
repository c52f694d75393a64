// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* test_deferral.c: recorded samples get the user part of their callchain, in the order of time. */
#include <peat/stack.h>

#include "replay_run.h"
#include "deferred_maker.h"
#include "unit/suite.h"

#define KERNEL 0xffffffff81000000ull
#define USER   0x400000ull

static struct maker made;
static size_t data_at;

static void begin(bool is_pipe, bool swapped)
{
	made.len = 0;
	made.swapped = swapped;
	if (!is_pipe) {
		make_file(&made, made_deferred, 2);
		data_at = made.len;
		return;
	}
	make_pipe_header(&made);
	make_pipe_attr(&made, &made_deferred[0], 100);
	make_pipe_attr(&made, &made_deferred[1], 200);
}

static void end(bool is_pipe)
{
	if (!is_pipe)
		make_section(&made, AT_DATA, data_at, made.len - data_at);
}

static void setup(void)
{
	begin_replays();
	made = (struct maker){ 0 };
	begin(false, false);
}

static void teardown(void)
{
	free(made.at);
}

static void add_sample(uint64_t time, uint32_t cpu, uint64_t cookie)
{
	make_deferred_sample(&made, (struct made_at){ time, cpu, 43 }, KERNEL + time, cookie);
}

static void add_part(uint64_t time, uint32_t cpu, uint64_t cookie, uint64_t count)
{
	make_deferred_part(&made, (struct made_at){ time, cpu, 43 }, cookie, USER + cookie, count);
}

/* ---- replayed stacks ------------------------------------------------------------------------- */

static struct peat_reader *reader;
static uint64_t last_ns;

static const struct peat_event *next_event(void)
{
	const struct peat_event *event;

	while (peat_reader__next(reader, &event) <= 0)
		if (peat_reader__wait(reader, -1) <= 0)
			return NULL;
	ck_assert_uint_ge(event->time_ns, last_ns);
	ck_assert(!event->late);
	last_ns = event->time_ns;
	return event;
}

static void open_made(void)
{
	end(false);
	last_ns = 0;
	reader = open_replay(&made);
}

/* The next event is the sample of that time, with the user part of the cookie; 0: with none. */
static void check_sample(uint64_t time, uint64_t cookie, uint32_t count)
{
	const struct peat_event *event = next_event();
	struct peat_address stack[16];

	ck_assert_ptr_nonnull(event);
	ck_assert_int_eq(event->kind, PEAT_EVENT_DATA);
	ck_assert_uint_eq(event->time_ns, time);
	ck_assert_uint_eq(peat_event__addresses(event, stack, 16), 1 + count);
	ck_assert_uint_eq(stack[0].address, KERNEL + time);
	ck_assert_int_eq(stack[0].space, PEAT_SPACE_KERNEL);
	for (uint32_t i = 0; i < count; i++) {
		ck_assert_uint_eq(stack[1 + i].address, USER + cookie + i);
		ck_assert_int_eq(stack[1 + i].space, PEAT_SPACE_USER);
	}
}

static void check_end(uint64_t events, uint64_t missing)
{
	struct peat_reader_stats stats = { .sz = sizeof(stats) };

	ck_assert_ptr_null(next_event());
	ck_assert_int_eq(peat_reader__stats(reader, &stats), 0);
	ck_assert_uint_eq(stats.events, events);
	ck_assert_uint_eq(stats.stacks_missing, missing);
	ck_assert_uint_eq(stats.corrupt, 0);
	ck_assert_uint_eq(stats.unknown, 0);
	ck_assert_uint_eq(stats.late, 0);
	peat_reader__free(reader);
}

/* Files and the bytes of pipes, of both byte orders; parts of other CPUs, and shared ones. */
START_TEST(test_deferred_stacks_are_joined)
{
	bool is_pipe = _i & 1, swapped = _i & 2;

	begin(is_pipe, swapped);
	add_sample(10, 0, 7);
	add_sample(12, 0, 7);
	add_part(15, 0, 7, 3);
	add_sample(20, 0, 8);
	add_part(14, 1, 9, 2);
	add_sample(13, 1, 9);
	add_part(21, 1, 8, 1);
	end(is_pipe);
	last_ns = 0;
	reader = open_replay(&made);
	check_sample(10, 7, 3);
	check_sample(12, 7, 3);
	check_sample(13, 9, 2);
	check_sample(20, 8, 1);
	check_end(4, 0);
}
END_TEST

/* Those that nothing completes keep their kernel part, and nothing else waits at the end. */
START_TEST(test_missing_parts)
{
	add_sample(10, 0, 7);
	add_sample(11, 0, 8);
	add_part(12, 0, 8, 2);
	add_part(13, 0, 55, 2);
	add_sample(14, 0, 8);
	open_made();
	check_sample(10, 7, 0);
	check_sample(11, 8, 2);
	check_sample(14, 8, 0);
	check_end(3, 2);
}
END_TEST

START_TEST(test_empty_and_equal_parts)
{
	add_sample(10, 0, 0);
	add_part(11, 0, 0, 0);
	add_sample(12, 1, UINT64_MAX);
	make_deferred_part(&made, (struct made_at){ 13, 1, 43 }, UINT64_MAX, USER + 5, 2);
	make_deferred_part(&made, (struct made_at){ 13, 0, 43 }, UINT64_MAX, USER + 9, 4);
	open_made();
	check_sample(10, 0, 0);
	check_sample(12, 5, 2);
	check_end(2, 0);
}
END_TEST

/* The parts are events of their own, too, and other records keep their places. */
START_TEST(test_records_between)
{
	static const char *const names[] = { "?", "@comm", "?", "@callchain_deferred", "@comm" };

	replay_opts.side_band = PEAT_SIDE_BAND_OTHER | PEAT_SIDE_BAND_COMM;
	replay_opts.names = true;
	add_sample(10, 0, 7);
	make_name(&made, (struct made_at){ 11, 0, 43 }, "later");
	add_sample(12, 0, 7);
	add_part(13, 0, 7, 2);
	make_name(&made, (struct made_at){ 14, 0, 43 }, "last");
	end(false);
	replay_made(&made);
	ck_assert_uint_eq(replayed.count, 5);
	for (uint32_t i = 0; i < 5; i++) {
		ck_assert_uint_eq(replayed.at[i].time_ns, 10 + i);
		if (*names[i] == '@')
			ck_assert_str_eq(replayed.at[i].name, names[i]);
	}
	ck_assert_str_eq(replayed.at[2].comm, "later");
	ck_assert_uint_eq(replayed.stats.stacks_missing, 0);
}
END_TEST

/* A part may be as long as a record, and so may a sample: both fit. */
START_TEST(test_longest_part_fits)
{
	struct peat_address stack[1];

	add_sample(10, 0, 7);
	add_part(11, 0, 7, 8000);
	open_made();
	ck_assert_uint_eq(peat_event__addresses(next_event(), stack, 1), 8001);
	check_end(1, 0);
}
END_TEST

/* In file order, samples are as they were written. */
START_TEST(test_file_order_defers_nothing)
{
	replay_opts.ordered = false;
	add_sample(10, 0, 7);
	add_part(11, 0, 7, 3);
	open_made();
	check_sample(10, 7, 0);
	check_end(1, 0);
}
END_TEST

/* With little memory, the oldest sample does not wait any longer. */
START_TEST(test_little_memory)
{
	replay_opts.memory_bytes = 4096;
	for (uint64_t i = 1; i <= 200; i++)
		add_sample(i, 0, i);
	for (uint64_t i = 1; i <= 200; i++)
		add_part(200 + i, 0, i, 1);
	open_made();
	check_sample(1, 1, 0);
	for (uint64_t i = 2; i < 150; i++)
		ck_assert_ptr_nonnull(next_event());
	peat_reader__free(reader);
}
END_TEST

/* The bytes of a pipe, of which nobody knows when more will follow. */
START_TEST(test_pipe_limits_the_time)
{
	const uint64_t second = 1000000000;
	char path[64];
	int fds[2];

	begin(true, false);
	add_sample(second, 0, 7);
	add_sample(second + 1, 0, 8);
	make_round(&made);
	add_part(second + 2, 0, 8, 1);
	add_sample(2 * second + 1, 0, 9);
	make_round(&made);
	make_round(&made);
	ck_assert_int_eq(pipe2(fds, O_CLOEXEC), 0);
	ck_assert_int_eq(write(fds[1], made.at, made.len), (ssize_t)made.len);
	snprintf(path, sizeof(path), "/proc/self/fd/%d", fds[0]);
	reader = peat_reader__open(path, &replay_opts);
	ck_assert_ptr_nonnull(reader);
	last_ns = 0;
	check_sample(second, 7, 0);
	check_sample(second + 1, 8, 1);
	peat_reader__free(reader);
	close(fds[0]);
	close(fds[1]);
}
END_TEST

/* Samples that wait are returned by a flush, and later ones wait again. */
START_TEST(test_flush_returns_waiting_samples)
{
	const struct peat_event *event;

	add_sample(10, 0, 7);
	for (uint64_t i = 0; i < 20000; i++) /* more than a drain */
		add_sample(11 + i, 0, 8);
	add_part(100000, 0, 7, 1);
	open_made();
	ck_assert_int_eq(peat_reader__next(reader, &event), 0);
	peat_reader__flush(reader);
	check_sample(10, 7, 0);
	while ((event = next_event()))
		;
	peat_reader__free(reader);
}
END_TEST

SUITE(20)
{
	tcase_add_checked_fixture(tests, setup, teardown);
	tcase_add_loop_test(tests, test_deferred_stacks_are_joined, 0, 4);
	tcase_add_test(tests, test_missing_parts);
	tcase_add_test(tests, test_empty_and_equal_parts);
	tcase_add_test(tests, test_records_between);
	tcase_add_test(tests, test_longest_part_fits);
	tcase_add_test(tests, test_file_order_defers_nothing);
	tcase_add_test(tests, test_little_memory);
	tcase_add_test(tests, test_pipe_limits_the_time);
	tcase_add_test(tests, test_flush_returns_waiting_samples);
}

// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* test_recordings.c: recordings of pipes that follow each other: times, names, types, ends. */
#include <stdlib.h>
#include <string.h>

#include "replay_run.h"
#include "unit/suite.h"

static struct maker made;

static void setup(void)
{
	begin_replays();
	made = (struct maker){ 0 };
}

static void teardown(void)
{
	free(made.at);
}

/* A recording with an event of each type; a name of thread 5, which later ones do not have. */
static void add_recording(uint64_t time, uint64_t number, const char *name)
{
	begin_made_pipe(&made);
	if (name)
		make_name(&made, (struct made_at){ time, 0, 5 }, name);
	make_event(&made, 200, (struct made_at){ time + 20, 1, 5 }, number + 1);
	make_event(&made, 100, (struct made_at){ time + 10, 0, 5 }, number);
}

static void check_ends_whole(void)
{
	ck_assert_str_eq(replay_log, "");
	ck_assert_int_eq(replayed.end, -ENODATA);
}

START_TEST(test_times_begin_anew)
{
	add_recording(1000, 1, NULL);
	add_recording(500, 3, NULL);
	add_recording(1000, 5, NULL);
	replay_made(&made);
	CHECK_NUMBERS(1, 2, 3, 4, 5, 6);
	for (uint32_t i = 0; i < replayed.count; i++)
		ck_assert(!replayed.at[i].late);
	check_ends_whole();
}
END_TEST

START_TEST(test_unordered_recordings)
{
	replay_opts.ordered = false;
	add_recording(1000, 1, NULL);
	add_recording(500, 3, NULL);
	replay_made(&made);
	CHECK_NUMBERS(2, 1, 4, 3);
	check_ends_whole();
}
END_TEST

START_TEST(test_equal_types_are_one)
{
	add_recording(1000, 1, NULL);
	add_recording(2000, 3, NULL);
	replay_made(&made);
	ck_assert_uint_eq(replayed.at[0].type, 0);
	ck_assert_uint_eq(replayed.at[1].type, 1);
	ck_assert_uint_eq(replayed.at[2].type, 0);
	ck_assert_uint_eq(replayed.at[3].type, 1);
	ck_assert_str_eq(replayed.at[2].name, "made:first");
	ck_assert_str_eq(replayed.at[3].name, "made:second");
}
END_TEST

/* The second recording has the ids of the first for other tracepoints. */
START_TEST(test_ids_begin_anew)
{
	struct bytes formats;

	add_recording(1000, 1, NULL);
	make_pipe_header(&made);
	make_pipe_attr(&made, &made_points[1], 100);
	make_pipe_attr(&made, &made_points[0], 200);
	put_made_formats(&formats, false);
	make_tracing_record(&made, &formats);
	make_event(&made, 100, (struct made_at){ 10, 0, 5 }, 3);
	replay_made(&made);
	CHECK_NUMBERS(1, 2, 3);
	ck_assert_str_eq(replayed.at[2].name, "made:second");
	ck_assert_uint_eq(replayed.at[2].type, 1);
}
END_TEST

START_TEST(test_other_types_are_others)
{
	struct bytes formats;

	add_recording(1000, 1, NULL);
	make_pipe_header(&made);
	make_pipe_attr(&made, &made_points[0], 100);
	begin_tracing(&formats, "0.6", 8, false);
	put_u32(&formats, 0);
	put_u32(&formats, 1);
	begin_system(&formats, "made", 1);
	put_format(&formats, "other", 301, MADE_FIELD);
	end_tracing(&formats);
	make_tracing_record(&made, &formats);
	make_event(&made, 100, (struct made_at){ 10, 0, 5 }, 3);
	add_recording(1000, 4, NULL);
	replay_made(&made);
	CHECK_NUMBERS(1, 2, 3, 4, 5);
	ck_assert_str_eq(replayed.at[0].name, "made:first");
	ck_assert_str_eq(replayed.at[2].name, "made:other");
	ck_assert_uint_eq(replayed.at[2].type, 2);
	ck_assert_str_eq(replayed.at[3].name, "made:first");
	ck_assert_uint_eq(replayed.at[3].type, 0);
}
END_TEST

START_TEST(test_names_begin_anew)
{
	replay_opts.names = true;
	add_recording(1000, 1, "one");
	add_recording(1000, 3, NULL);
	add_recording(1000, 5, "two");
	replay_made(&made);
	CHECK_NUMBERS(1, 2, 3, 4, 5, 6);
	ck_assert_str_eq(replayed.at[1].comm, "one");
	ck_assert_str_eq(replayed.at[2].comm, "?");
	ck_assert_str_eq(replayed.at[5].comm, "two");
}
END_TEST

START_TEST(test_recordings_without_events)
{
	for (int i = 0; i < 100; i++)
		begin_made_pipe(&made);
	add_recording(1000, 1, NULL);
	make_pipe_header(&made);
	make_pipe_header(&made);
	add_recording(500, 3, NULL);
	make_pipe_header(&made);
	replay_made(&made);
	CHECK_NUMBERS(1, 2, 3, 4);
	ck_assert_uint_eq(replayed.at[3].type, 1);
	check_ends_whole();
}
END_TEST

START_TEST(test_cut_in_the_second)
{
	size_t whole;

	add_recording(1000, 1, NULL);
	whole = made.len;
	add_recording(500, 3, NULL);
	for (size_t cut = whole + 1; cut < made.len; cut += 3) {
		struct maker part = { .at = made.at, .len = cut };

		*replay_log = '\0';
		replay_made(&part);
		ck_assert_uint_ge(replayed.count, 2);
		ck_assert_uint_eq(replayed.at[1].number, 2);
	}
}
END_TEST

START_TEST(test_another_kind_of_recording_follows)
{
	struct maker file = { 0 };
	size_t data = begin_made_file(&file);

	make_event(&file, 100, (struct made_at){ 1, 0, 1 }, 9);
	end_made_file(&file, data);
	add_recording(1000, 1, NULL);
	make_bytes(&made, file.at, file.len);
	replay_made(&made);
	CHECK_NUMBERS(1, 2);
	ck_assert_int_eq(replayed.end, -EBADMSG);
	ck_assert_ptr_nonnull(strstr(replay_log, "a recording with sections follows"));
	free(file.at);
}
END_TEST

START_TEST(test_other_byte_order_follows)
{
	struct maker swapped = { .swapped = true };

	begin_made_pipe(&swapped);
	add_recording(1000, 1, NULL);
	make_bytes(&made, swapped.at, swapped.len);
	replay_made(&made);
	CHECK_NUMBERS(1, 2);
	ck_assert_ptr_nonnull(strstr(replay_log, "other byte order follows"));
	free(swapped.at);
}
END_TEST

SUITE(20)
{
	tcase_add_checked_fixture(tests, setup, teardown);
	tcase_add_test(tests, test_times_begin_anew);
	tcase_add_test(tests, test_unordered_recordings);
	tcase_add_test(tests, test_equal_types_are_one);
	tcase_add_test(tests, test_ids_begin_anew);
	tcase_add_test(tests, test_other_types_are_others);
	tcase_add_test(tests, test_names_begin_anew);
	tcase_add_test(tests, test_recordings_without_events);
	tcase_add_test(tests, test_cut_in_the_second);
	tcase_add_test(tests, test_another_kind_of_recording_follows);
	tcase_add_test(tests, test_other_byte_order_follows);
}

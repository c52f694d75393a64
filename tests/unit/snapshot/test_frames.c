// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* test_frames.c: the frames of a stream, in any order, cut, damaged and outdated. */
#include <errno.h>
#include <string.h>

#include <peat/wire.h>

#include "snapshot/frames.h"
#include "unit/suite.h"

static struct frames frames;
static uint32_t rooms[8][1024];

/* Makes a frame of `count` events of 8 bytes whose data are their numbers, a nanosecond apart. */
static size_t make(int room, uint64_t seq, uint16_t count, uint64_t time_ns)
{
	struct peat_frame_head head = { PEAT_WIRE_VERSION, 0, count, time_ns, seq };
	unsigned char *at = (unsigned char *)&rooms[room][1];

	memcpy(at, &head, sizeof(head));
	at += sizeof(head);
	for (uint16_t i = 0; i < count; i++, at += 16) {
		struct peat_event_head event = { .size = 8, .type = 1, .delta_ns = i };
		uint64_t number = seq + i;

		memcpy(at, &event, sizeof(event));
		memcpy(at + 8, &number, sizeof(number));
	}
	return (size_t)(at - (unsigned char *)&rooms[room][1]);
}

static int add(int room, uint64_t seq, uint16_t count, uint64_t from_ns)
{
	return frames__add(&frames, &rooms[room][1], make(room, seq, count, 1000 + seq), from_ns);
}

static void begin(void)
{
	frames = (struct frames){ 0 };
}

/* The next events are numbers `from` to `to` - 1. */
static void check_events(uint64_t from, uint64_t to)
{
	for (uint64_t number = from; number < to; number++) {
		ck_assert(frames__next(&frames));
		ck_assert_uint_eq(frames.event.seq, number);
		ck_assert_uint_eq(frames.event.time_ns, 1000 + number);
		ck_assert(!memcmp(frames.event.data, &number, sizeof(number)));
	}
}

static void check_end(void)
{
	ck_assert(!frames__next(&frames));
	ck_assert(!frames__next(&frames));
	frames__free(&frames);
}

START_TEST(test_no_frames)
{
	begin();
	check_end();
}
END_TEST

START_TEST(test_in_sequence)
{
	begin();
	ck_assert_int_eq(add(0, 20, 10, 0), 0);
	ck_assert_int_eq(add(1, 30, 5, 0), 0);
	ck_assert_int_eq(add(2, 10, 10, 0), 0);
	ck_assert_uint_eq(frames.frames[0].seq, 10);
	ck_assert_uint_eq(frames.frames[2].end_seq, 35);
	ck_assert_uint_eq(frames.frames[2].last_ns, 1034);
	check_events(10, 35);
	check_end();
}
END_TEST

START_TEST(test_number_wraps)
{
	begin();
	ck_assert_int_eq(add(0, 5, 2, 0), 0);
	ck_assert_int_eq(add(1, UINT64_MAX - 1, 2, 0), 0);
	ck_assert_uint_eq(frames.frames[0].seq, UINT64_MAX - 1);
	ck_assert_uint_eq(frames.frames[0].end_seq, 0);
	frames__free(&frames);
}
END_TEST

START_TEST(test_older_events_are_not_used)
{
	begin();
	ck_assert_int_eq(add(0, 0, 10, 1025), 0);
	ck_assert_int_eq(add(1, 20, 10, 1025), 0);
	ck_assert_int_eq(add(2, 30, 10, 1025), 0);
	ck_assert_uint_eq(frames.count, 2);
	ck_assert_uint_eq(frames.frames[0].seq, 25);
	ck_assert_uint_eq(frames.frames[0].used, 5);
	check_events(25, 40);
	check_end();
}
END_TEST

START_TEST(test_valid_events_of_a_damaged_frame)
{
	size_t bytes;

	begin();
	bytes = make(0, 10, 10, 1010);
	ck_assert_int_eq(frames__add(&frames, &rooms[0][1], bytes - 40, 0), -EBADMSG);
	ck_assert_int_eq(add(1, 20, 2, 0), 0);
	ck_assert_int_eq(frames__add(&frames, "peat", 4, 0), -EBADMSG);
	ck_assert_uint_eq(frames.corrupt, 2);
	ck_assert_uint_eq(frames.frames[0].end_seq, 17);
	check_events(10, 17);
	check_events(20, 22);
	check_end();
}
END_TEST

static void drop(int room)
{
	frames__drop_outdated(&frames, &rooms[room][1]);
}

START_TEST(test_outdated_frame)
{
	begin();
	ck_assert_int_eq(add(0, 10, 10, 0), 0);
	drop(0);
	ck_assert_uint_eq(frames.count, 1);
	ck_assert_int_eq(add(1, 20, 10, 0), 0);
	drop(0);
	ck_assert_uint_eq(frames.count, 2);
	ck_assert_int_eq(add(2, 40, 10, 0), 0);
	drop(1);
	ck_assert_uint_eq(frames.count, 3);
	frames__free(&frames);

	begin();
	ck_assert_int_eq(add(0, 10, 10, 0), 0);
	ck_assert_int_eq(add(1, 50, 10, 0), 0);
	drop(0);
	check_events(50, 60);
	check_end();
}
END_TEST

SUITE(10)
{
	tcase_add_test(tests, test_no_frames);
	tcase_add_test(tests, test_in_sequence);
	tcase_add_test(tests, test_number_wraps);
	tcase_add_test(tests, test_older_events_are_not_used);
	tcase_add_test(tests, test_valid_events_of_a_damaged_frame);
	tcase_add_test(tests, test_outdated_frame);
}

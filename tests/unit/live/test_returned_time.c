// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* test_returned_time.c: the time before which all events of rings and slots have been returned. */
#include <errno.h>

#include "base/monotonic.h"
#include "live/returned_time.h"
#include "unit/fail_alloc.h"
#include "unit/live/live_maker.h"

static struct returned_time returned;

static void open_for(uint64_t in_flight_ns, uint64_t begin_ns)
{
	ck_assert_int_eq(returned_time__open(&returned, &made_intake, in_flight_ns, begin_ns), 0);
}

static void drain(void)
{
	while (intake__next(&made_intake))
		;
}

static void end(void)
{
	returned_time__close(&returned);
	free_made();
}

/* Records may be in flight: the time is earlier than the last drain. */
START_TEST(test_rings_hold_time_back)
{
	uint64_t before_ns = monotonic_ns();

	make_raw(1, true, 0);
	open_for(1000, 0);
	ck_assert_uint_eq(returned_time__find(&returned), 0); /* nothing was drained */
	drain();
	ck_assert_uint_ge(returned_time__find(&returned), before_ns - 1000);
	ck_assert_uint_lt(returned_time__find(&returned), monotonic_ns() - 1000);
	returned_time__close(&returned);
	open_for(UINT64_MAX / 2, 0);
	ck_assert_uint_eq(returned_time__find(&returned), 0);
	end();
}
END_TEST

/* An event that a slot has not sent yet holds the time back, until it was returned. */
START_TEST(test_slots_hold_time_back)
{
	uint64_t before_ns;

	make_channel(0);
	open_for(1000, 0);
	made_slot(0)->seq = 2;
	drain();
	ck_assert_uint_eq(returned_time__find(&returned), 0);
	before_ns = monotonic_ns();
	write_frame(0, 0, 0, 2, 1000);
	drain();
	ck_assert_uint_ge(returned_time__find(&returned), before_ns);
	end();
}
END_TEST

/* With the kernel's records, both apply. */
START_TEST(test_rings_and_slots_apply)
{
	make_channel(PEAT_SIDE_BAND_TASK);
	open_for(UINT64_MAX / 2, 0);
	drain();
	ck_assert_uint_eq(returned_time__find(&returned), 0);
	returned_time__close(&returned);
	open_for(0, 0);
	ck_assert_uint_gt(returned_time__find(&returned), 0);
	end();
}
END_TEST

START_TEST(test_no_memory)
{
	bool failed;
	int err;

	make_channel(0);
	fail_alloc__begin(1);
	err = returned_time__open(&returned, &made_intake, 0, 0);
	failed = fail_alloc__end();
	ck_assert_int_eq(err, failed ? -ENOMEM : 0);
	end();
}
END_TEST

SUITE(5)
{
	tcase_add_test(tests, test_rings_hold_time_back);
	tcase_add_test(tests, test_slots_hold_time_back);
	tcase_add_test(tests, test_rings_and_slots_apply);
	tcase_add_test(tests, test_no_memory);
}

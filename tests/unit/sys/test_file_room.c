// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* test_file_room.c: file descriptors that RLIMIT_NOFILE has room for. */
#include <errno.h>
#include <sys/resource.h>
#include <unistd.h>

#include "sys/file_room.h"
#include "unit/suite.h"

START_TEST(test_room_below_the_limit)
{
	int next = dup(0);
	struct rlimit all, few;

	ck_assert_int_ge(next, 0);
	close(next);
	ck_assert_int_eq(getrlimit(RLIMIT_NOFILE, &all), 0);
	for (unsigned room = 0; room < 4; room++) {
		few = (struct rlimit){ (rlim_t)next + room, all.rlim_max };
		ck_assert_int_eq(setrlimit(RLIMIT_NOFILE, &few), 0);
		ck_assert_int_eq(file_room__has(room + 1), 0);
		ck_assert_int_eq(!room || file_room__has(room), 1);
		ck_assert_int_eq(setrlimit(RLIMIT_NOFILE, &all), 0);
	}
	ck_assert_int_eq(dup(0), next);
	close(next);
}
END_TEST

START_TEST(test_remedy_of_full_limit)
{
	ck_assert_str_eq(file_room__remedy(-EMFILE), ": raise RLIMIT_NOFILE (ulimit -n)");
	ck_assert_str_eq(file_room__remedy(-ENFILE), "");
}
END_TEST

FORKED_SUITE(10)
{
	tcase_add_test(tests, test_room_below_the_limit);
	tcase_add_test(tests, test_remedy_of_full_limit);
}

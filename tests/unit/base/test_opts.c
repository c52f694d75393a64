// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* test_opts.c: structs of options and results that are shorter or longer than the library's. */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include <peat/log.h>

#include "base/opts.h"
#include "support/machine/harness.h"
#include "unit/suite.h"

struct ours {
	size_t sz;
	int old, newer;
};

struct shorter {
	size_t sz;
	int old;
};

struct longer {
	struct ours ours;
	long unknown;
};

static char message[256];

static void keep(enum peat_log_level level, const char *text)
{
	(void)level;
	snprintf(message, sizeof(message), "%s", text);
}

START_TEST(test_null_leaves_the_defaults)
{
	struct ours ours = { sizeof(ours), 1, 2 };

	ck_assert_int_eq(opts__read(&ours, sizeof(ours), NULL, "test"), 0);
	ck_assert_int_eq(ours.old, 1);
	ck_assert_int_eq(ours.newer, 2);
}
END_TEST

START_TEST(test_shorter_leaves_the_newer_default)
{
	struct ours ours = { sizeof(ours), 1, 2 };
	struct shorter theirs = { offsetof(struct ours, newer), 7 };

	ck_assert_int_eq(opts__read(&ours, sizeof(ours), &theirs, "test"), 0);
	ck_assert_int_eq(ours.old, 7);
	ck_assert_int_eq(ours.newer, 2);
	ck_assert_uint_eq(ours.sz, sizeof(ours));
}
END_TEST

START_TEST(test_longer_is_accepted_if_its_tail_is_zero)
{
	struct ours ours = { sizeof(ours), 1, 2 };
	struct longer theirs = { { sizeof(theirs), 7, 8 }, 0 };

	ck_assert_int_eq(opts__read(&ours, sizeof(ours), &theirs, "test"), 0);
	ck_assert_int_eq(ours.newer, 8);
}
END_TEST

START_TEST(test_longer_is_refused_if_its_tail_is_set)
{
	struct ours ours = { sizeof(ours), 1, 2 };
	struct longer theirs = { { sizeof(theirs), 7, 8 }, 1L << 40 };

	peat_set_print(keep);
	ck_assert_int_eq(opts__read(&ours, sizeof(ours), &theirs, "some_opts"), -EINVAL);
	ck_assert_ptr_nonnull(strstr(message, "some_opts"));
	ck_assert_int_eq(ours.old, 1);
}
END_TEST

START_TEST(test_missing_size_is_refused)
{
	struct ours ours = { sizeof(ours), 1, 2 }, theirs = { 0, 7, 8 };

	peat_set_print(keep);
	ck_assert_int_eq(opts__read(&ours, sizeof(ours), &theirs, "some_opts"), -EINVAL);
	ck_assert_ptr_nonnull(strstr(message, ".sz"));
	ck_assert_int_eq(opts__write(&theirs, &ours, sizeof(ours), "some_stats"), -EINVAL);
}
END_TEST

START_TEST(test_results_fill_the_callers_struct)
{
	struct ours ours = { sizeof(ours), 1, 2 };
	struct longer theirs = { { sizeof(theirs), 7, 8 }, 9 };
	struct {
		struct shorter shorter;
		int guard;
	} small = { { offsetof(struct ours, newer), 7 }, 55 };

	ck_assert_int_eq(opts__write(&theirs, &ours, sizeof(ours), "test"), 0);
	ck_assert_int_eq(theirs.ours.newer, 2);
	ck_assert_int_eq(theirs.unknown, 0);
	ck_assert_uint_eq(theirs.ours.sz, sizeof(theirs));
	ck_assert_int_eq(opts__write(&small, &ours, sizeof(ours), "test"), 0);
	ck_assert_int_eq(small.shorter.old, 1);
	ck_assert_int_eq(small.guard, 55);
}
END_TEST

START_TEST(test_size_of_a_filled_struct)
{
	struct {
		size_t sz;
		uint64_t known, newer;
	} longer = { 16, 1, 2 };

	ck_assert_int_eq(opts__check_size(&longer, 16, "made"), 0);
	ck_assert_uint_eq(longer.newer, 2);
	longer.sz = sizeof(longer);
	ck_assert_int_eq(opts__check_size(&longer, 16, "made"), 0);
	ck_assert_uint_eq(longer.known, 1);
	ck_assert_uint_eq(longer.newer, 0);
	longer.sz = 8;
	ck_assert_int_eq(opts__check_size(&longer, 16, "made"), -EINVAL);
	longer.sz = 0;
	ck_assert_int_eq(opts__check_size(&longer, 16, "made"), -EINVAL);
	longer.sz = SIZE_MAX; /* never set */
	ck_assert_int_eq(opts__check_size(&longer, 16, "made"), -EINVAL);
}
END_TEST

SUITE(10)
{
	tcase_add_test(tests, test_size_of_a_filled_struct);
	tcase_add_test(tests, test_null_leaves_the_defaults);
	tcase_add_test(tests, test_shorter_leaves_the_newer_default);
	tcase_add_test(tests, test_longer_is_accepted_if_its_tail_is_zero);
	tcase_add_test(tests, test_longer_is_refused_if_its_tail_is_set);
	tcase_add_test(tests, test_missing_size_is_refused);
	tcase_add_test(tests, test_results_fill_the_callers_struct);
}

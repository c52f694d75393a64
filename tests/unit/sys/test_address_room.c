// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* test_address_room.c: memory that RLIMIT_AS has room for. */
#include <sys/resource.h>

#include "support/machine/harness.h"
#include "sys/address_room.h"
#include "unit/suite.h"

static bool has_under(rlim_t most, uint64_t bytes)
{
	struct rlimit all, few;
	bool has;

	ck_assert_int_eq(getrlimit(RLIMIT_AS, &all), 0);
	few = (struct rlimit){ most, all.rlim_max };
	ck_assert_int_eq(setrlimit(RLIMIT_AS, &few), 0);
	has = address_room__has(bytes);
	ck_assert_int_eq(setrlimit(RLIMIT_AS, &all), 0);
	return has;
}

START_TEST(test_room_below_limit)
{
	const rlim_t most = (rlim_t)1 << 60;

	ck_assert(has_under(RLIM_INFINITY, UINT64_MAX));
	ck_assert(has_under(most, 0));
	ck_assert(has_under(most, most / 2));
	ck_assert(!has_under(most, most)); /* this program has addresses, too */
	ck_assert(!has_under(most, UINT64_MAX));
	ck_assert(!has_under(4096, 0));
}
END_TEST

FORKED_SUITE(10)
{
	tcase_add_test(tests, test_room_below_limit);
}

// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* test_namer_accounts.c: the time that files of each owner may take. */
#include "symbols/namer/namer_accounts.h"
#include "unit/suite.h"

#define SECOND_NS UINT64_C(1000000000)
#define START_NS  (1000 * SECOND_NS)

static struct namer_accounts accounts;

START_TEST(test_used_up)
{
	ck_assert(namer_accounts__is_open(&accounts, 1000, START_NS));
	ck_assert(namer_accounts__charge(&accounts, 1000, 2 * SECOND_NS, START_NS));
	ck_assert(namer_accounts__is_open(&accounts, 1000, START_NS));
	ck_assert(!namer_accounts__charge(&accounts, 1000, 1, START_NS + 10 * SECOND_NS));
	ck_assert(!namer_accounts__is_open(&accounts, 1000, START_NS + 10 * SECOND_NS));
	ck_assert(!namer_accounts__is_open(&accounts, 1000, START_NS + 70 * SECOND_NS - 1));
	ck_assert(namer_accounts__is_open(&accounts, 1000, START_NS + 70 * SECOND_NS));
	/* Others have accounts of their own. */
	ck_assert(namer_accounts__is_open(&accounts, 1001, START_NS + 10 * SECOND_NS));
	ck_assert(namer_accounts__is_open(&accounts, 100000, START_NS + 10 * SECOND_NS));
}
END_TEST

START_TEST(test_time_of_a_period)
{
	for (uint64_t i = 0; i < 10; i++)
		ck_assert(namer_accounts__charge(&accounts, 1000, 3 * SECOND_NS / 2,
						 START_NS + i * 11 * SECOND_NS));
	ck_assert(
		namer_accounts__charge(&accounts, 1000, SECOND_NS / 2, START_NS + 104 * SECOND_NS));
	ck_assert(!namer_accounts__charge(&accounts, 1000, 1, START_NS + 105 * SECOND_NS));
	/* After the pause the account is empty. */
	ck_assert(namer_accounts__charge(&accounts, 1000, SECOND_NS, START_NS + 170 * SECOND_NS));
}
END_TEST

FORKED_SUITE(10)
{
	tcase_add_test(tests, test_used_up);
	tcase_add_test(tests, test_time_of_a_period);
}

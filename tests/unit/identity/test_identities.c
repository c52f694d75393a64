// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* test_identities.c: cgroups by their ids, the oldest of which are removed. */
#include <stdio.h>

#include "identity/identities.h"
#include "unit/fail_alloc.h"
#include "unit/suite.h"

START_TEST(test_finds_what_was_added)
{
	struct identities identities;

	identities__init(&identities, 100);
	ck_assert_ptr_null(identities__find(&identities, 1));
	ck_assert_int_eq(identities__add(&identities, 1, "/system.slice/a.service"), 0);
	ck_assert_int_eq(identities__add(&identities, UINT64_MAX, "/lxc/b"), 0);
	ck_assert_str_eq(identities__find(&identities, 1)->unit, "a.service");
	ck_assert_str_eq(identities__find(&identities, UINT64_MAX)->container, "b");
	ck_assert_ptr_null(identities__find(&identities, 2));
	identities__free(&identities);
}
END_TEST

/* A path that was unknown is replaced, and no other. */
START_TEST(test_replaces_unknown_paths)
{
	struct identities identities;

	identities__init(&identities, 100);
	ck_assert_int_eq(identities__add(&identities, 1, ""), 0);
	ck_assert_str_eq(identities__find(&identities, 1)->unit, "");
	ck_assert_int_eq(identities__add(&identities, 1, "/a.service"), 0);
	ck_assert_int_eq(identities__add(&identities, 1, "/b.service"), 0);
	ck_assert_int_eq(identities__add(&identities, 1, ""), 0);
	ck_assert_str_eq(identities__find(&identities, 1)->unit, "a.service");
	ck_assert_uint_eq(identities.count, 1);
	identities__free(&identities);
}
END_TEST

START_TEST(test_removes_oldest_entries)
{
	struct identities identities;
	char path[32];

	for (size_t limit = 1; limit < 20; limit += 6) {
		identities__init(&identities, limit);
		for (uint64_t id = 0; id < 50; id++) {
			snprintf(path, sizeof(path), "/%d.service", (int)id);
			ck_assert_int_eq(identities__add(&identities, id, path), 0);
		}
		ck_assert_uint_eq(identities.count, limit);
		for (uint64_t id = 0; id < 50; id++)
			ck_assert_int_eq(identities__find(&identities, id) != NULL,
					 id >= 50 - limit);
		ck_assert_str_eq(identities__find(&identities, 49)->unit, "49.service");
		identities__free(&identities);
	}
}
END_TEST

/* Slots are freed among others: after each removal, exactly the newest entries are found. */
START_TEST(test_finds_among_removed)
{
	const uint64_t limit = 100;
	struct identities identities;

	identities__init(&identities, limit);
	for (uint64_t added = 1; added <= 3000; added++) {
		ck_assert_int_eq(identities__add(&identities, 977 * added, "/a.service"), 0);
		for (uint64_t id = added > 2 * limit ? added - 2 * limit : 1; id <= added; id++)
			ck_assert(!identities__find(&identities, 977 * id) ==
				  (id + limit <= added));
	}
	ck_assert_uint_eq(identities.count, limit);
	identities__free(&identities);
}
END_TEST

START_TEST(test_no_memory)
{
	struct identities identities;
	unsigned nth = 0;

	do {
		identities__init(&identities, 100);
		fail_alloc__begin(++nth);
		for (uint64_t id = 0; id < 40; id++)
			identities__add(&identities, id, "/a.service");
		for (uint64_t id = 0; id < 40; id++)
			identities__find(&identities, id);
		identities__free(&identities);
	} while (fail_alloc__end());
}
END_TEST

/* The sum of the ids of all calls. */
static bool note(void *sum, uint64_t id, const struct peat_identity *identity)
{
	*(uint64_t *)sum += id;
	return *identity->unit;
}

START_TEST(test_calls_with_added_cgroups)
{
	struct identities identities;
	uint64_t sum = 0;

	identities__init(&identities, 100);
	identities.added = note;
	identities.arg = &sum;
	ck_assert_int_eq(identities__add(&identities, 1, ""), 0);
	ck_assert_int_eq(identities__add(&identities, 1, ""), 0);
	ck_assert_uint_eq(sum, 1);
	ck_assert_int_eq(identities__add(&identities, 1, "/a.service"), 0);
	ck_assert_int_eq(identities__add(&identities, 1, "/a.service"), 0);
	ck_assert_int_eq(identities__add(&identities, 10, "/lxc/b"), 0);
	ck_assert_uint_eq(sum, 12);
	ck_assert_uint_eq(identities.wanted, 1);
	identities__free(&identities);
}
END_TEST

SUITE(10)
{
	tcase_add_test(tests, test_finds_what_was_added);
	tcase_add_test(tests, test_replaces_unknown_paths);
	tcase_add_test(tests, test_removes_oldest_entries);
	tcase_add_test(tests, test_finds_among_removed);
	tcase_add_test(tests, test_no_memory);
	tcase_add_test(tests, test_calls_with_added_cgroups);
}

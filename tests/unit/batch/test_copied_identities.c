// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* test_copied_identities.c: each cgroup of a batch has one copy of its identity. */
#include <stdio.h>
#include <string.h>

#include <peat/batch.h>

#include "batch/copied_identities.h"
#include "unit/fail_alloc.h"
#include "unit/suite.h"

START_TEST(test_cgroups_have_one_copy)
{
	struct copied_identities identities = { 0 };
	struct peat_identity identity = { .sz = sizeof(identity), .path = "/a" };
	const struct peat_identity *copies[1000];

	for (uint64_t i = 0; i < 1000; i++) {
		snprintf(identity.container, sizeof(identity.container), "c%u", (unsigned)i);
		copies[i] = copied_identities__get(&identities, i, &identity);
		ck_assert_ptr_nonnull(copies[i]);
	}
	memset(&identity, 'x', sizeof(identity)); /* the reader's, of another time */
	for (uint64_t i = 0; i < 1000; i++) {
		snprintf(identity.container, sizeof(identity.container), "c%u", (unsigned)i);
		ck_assert_ptr_eq(copied_identities__get(&identities, i, &identity), copies[i]);
		ck_assert_str_eq(copies[i]->container, identity.container);
		ck_assert_str_eq(copies[i]->path, "/a");
	}
	copied_identities__free(&identities);
}
END_TEST

/* Events keep the identity that they had when they were added. */
START_TEST(test_events_keep_identities)
{
	const struct peat_batch_opts opts = { .sz = sizeof(opts), .source = "x" };
	struct peat_batch *batch = peat_batch__new(&opts);
	struct peat_identity identity = { .sz = sizeof(identity), .unit = "ssh.service" };
	struct peat_event event = { .has_owner = true, .cgroup = 7, .identity = &identity };
	struct peat_batch_cursor at = PEAT_BATCH_START;

	ck_assert_int_eq(peat_batch__add(batch, &event), 0);
	strcpy(identity.unit, "other");
	ck_assert(peat_batch__next(batch, &at, &event));
	ck_assert_ptr_ne(event.identity, &identity);
	ck_assert_str_eq(event.identity->unit, "ssh.service");
	peat_batch__unref(batch);
}
END_TEST

START_TEST(test_failing_memory)
{
	struct peat_identity identity = { .sz = sizeof(identity), .path = "/a" };

	for (unsigned nth = 1; nth; nth++) {
		struct copied_identities identities = { 0 };
		const struct peat_identity *copy;

		fail_alloc__begin(nth);
		copy = copied_identities__get(&identities, 1, &identity);
		nth = fail_alloc__end() ? nth : UINT32_MAX;
		ck_assert_int_eq(copy != NULL, nth == UINT32_MAX);
		copied_identities__free(&identities);
	}
}
END_TEST

SUITE(10)
{
	tcase_add_test(tests, test_cgroups_have_one_copy);
	tcase_add_test(tests, test_events_keep_identities);
	tcase_add_test(tests, test_failing_memory);
}

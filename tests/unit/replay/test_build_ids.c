// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* test_build_ids.c: the build ids of files that a recording lists. */
#include <stdio.h>
#include <string.h>

#include "replay/build_ids.h"

#include "support/machine/harness.h"
#include "unit/suite.h"

static struct build_ids ids;

static void add(const char *path, const char *id, uint8_t bytes)
{
	const struct tool_build_id entry = { .id = (const uint8_t *)id,
					     .id_bytes = bytes,
					     .filename = path,
					     .filename_bytes = strlen(path) };

	ck_assert_int_eq(build_ids__add(&ids, &entry), 0);
}

static void check(const char *path, const char *id, uint8_t bytes)
{
	const struct recorded_id *found = build_ids__find(&ids, path);

	ck_assert_msg(found, "no id of %s", path);
	ck_assert_uint_eq(found->bytes, bytes);
	ck_assert(!memcmp(found->id, id, bytes));
}

START_TEST(test_finds_ids_by_path)
{
	ck_assert_ptr_null(build_ids__find(&ids, "/bin/sh"));
	for (int i = 199; i >= 0; i--) {
		char path[20], id[21];

		snprintf(path, sizeof(path), "/lib/%d.so", i);
		snprintf(id, sizeof(id), "id of %014d", i);
		add(path, id, 20);
	}
	check("/lib/0.so", "id of 00000000000000", 20);
	check("/lib/199.so", "id of 00000000000199", 20);
	ck_assert_ptr_null(build_ids__find(&ids, "/lib/200.so"));
	add("/lib/200.so", "a new one of 20 byte", 20);
	check("/lib/200.so", "a new one of 20 byte", 20);
	check("/lib/42.so", "id of 00000000000042", 20);
}
END_TEST

/* A size is new in perf 5.10; before, zeroes pad an id. */
START_TEST(test_short_ids)
{
	add("/md5", "0123456789abcdef\0\0\0\0", 20);
	add("/short", "01234567", 8);
	add("/none", "", 0);
	check("/md5", "0123456789abcdef", 16);
	check("/short", "01234567", 8);
	ck_assert_ptr_null(build_ids__find(&ids, "/none"));
}
END_TEST

/* A file that was replaced while it was recorded. */
START_TEST(test_several_ids)
{
	add("/same", "aaaaaaaaaaaaaaaaaaaa", 20);
	add("/same", "aaaaaaaaaaaaaaaaaaaa", 20);
	add("/other", "aaaaaaaaaaaaaaaaaaaa", 20);
	add("/other", "aaaaaaaaaaaaaaaaaaab", 20);
	check("/same", "aaaaaaaaaaaaaaaaaaaa", 20);
	ck_assert_ptr_null(build_ids__find(&ids, "/other"));
	add("/other", "aaaaaaaaaaaaaaaaaaab", 20);
	ck_assert_ptr_null(build_ids__find(&ids, "/other"));
}
END_TEST

static void teardown(void)
{
	build_ids__free(&ids);
}

SUITE(4)
{
	tcase_add_checked_fixture(tests, NULL, teardown);
	tcase_add_test(tests, test_finds_ids_by_path);
	tcase_add_test(tests, test_short_ids);
	tcase_add_test(tests, test_several_ids);
}

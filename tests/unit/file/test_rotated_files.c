// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* test_rotated_files.c: names, lists and removal of rotated files. */
#include <errno.h>
#include <stdio.h>
#include <unistd.h>

#include "file/rotated_files.h"
#include "support/machine/scratch.h"
#include "unit/suite.h"

static struct rotated_files files;

static void make(const char *name, const char *text)
{
	close(scratch__file(name, text));
}

static bool exists(const char *name)
{
	return !access(scratch__path(name), F_OK);
}

static void list(const char *name)
{
	static char path[256];

	snprintf(path, sizeof(path), "%s", scratch__path(name));
	files = (struct rotated_files){ .path = path };
	ck_assert_int_eq(rotated_files__list(&files), 0);
}

START_TEST(test_lists_own_files)
{
	make("a.json.20260101-000000", "12345");
	make("a.json.20260101-000000.2", "1");
	make("a.json.20250101-000000", "123");
	make("a.json", "current");
	make("a.json.old", "");
	make("a.json.20260101-00000x", "");
	make("a.json.20260101-000000.zst", "");
	make("a.json.20260101-000000.x", "");
	make("a.json.20260101", "");
	make("b.json.20260101-000000", "");
	ck_assert_int_eq(symlink("a.json", scratch__path("a.json.20260101-000007")), 0);
	list("a.json");
	ck_assert_uint_eq(files.count, 3);
	ck_assert_uint_eq(files.bytes, 9);
	ck_assert_int_eq(rotated_files__limit(&files, 3, 8), 0);
	ck_assert(!exists("a.json.20250101-000000"));
	ck_assert_uint_eq(files.bytes, 6);
	ck_assert_int_eq(rotated_files__limit(&files, 1, UINT64_MAX), 0);
	ck_assert(!exists("a.json.20260101-000000"));
	ck_assert(exists("a.json.20260101-000000.2"));
	ck_assert_int_eq(rotated_files__remove_oldest(&files), 0);
	ck_assert_int_eq(rotated_files__remove_oldest(&files), -ENOENT);
	ck_assert(exists("a.json") && exists("a.json.old") && exists("a.json.20260101-000007"));
	rotated_files__free(&files);
}
END_TEST

/* Each name is later than the one before, also if the clock was set back. */
START_TEST(test_adds_in_order)
{
	make("a.zst.20990101-000000", "");
	make("a.20990101-000000.zst", "");
	for (unsigned i = 0; i < 3; i++) {
		make("a.zst", "x");
		list("a.zst");
		ck_assert_int_eq(rotated_files__add(&files), 0);
		ck_assert_uint_eq(files.count, i + 2);
		rotated_files__free(&files);
	}
	ck_assert(exists("a.20990101-000000.2.zst") && exists("a.20990101-000000.4.zst"));
	list("a.zst");
	ck_assert_int_eq(rotated_files__add(&files), -ENOENT);
	rotated_files__free(&files);
}
END_TEST

START_TEST(test_replaces_no_file)
{
	make("a.20990101-000000", "oldest");
	list("a");
	make("a.20990101-000000.2", "foreign"); /* after the list was read */
	make("a", "ours");
	ck_assert_int_eq(rotated_files__add(&files), 0);
	ck_assert_uint_eq(files.count, 3);
	ck_assert_uint_eq(files.bytes, 6 + 7 + 4);
	ck_assert(exists("a.20990101-000000.3"));
	rotated_files__free(&files);
}
END_TEST

/* The files of all sources of an output, and nothing else. */
START_TEST(test_lists_any_source)
{
	static char own[256];

	make("a.x.data.20260102-000000", "12");
	make("a.y.data.20260101-000000.2", "123");
	make("a.x.data", "own");
	make("a.y.data", "current");
	make("a..data.20260101-000000", "no source");
	make("b.y.data.20260101-000000", "");
	make("a.y.dat.20260101-000000", "");
	snprintf(own, sizeof(own), "%s", scratch__path("a.x.data"));
	list("a.%s.data");
	ck_assert_uint_eq(files.count, 0);
	files.own = own;
	ck_assert_int_eq(rotated_files__list(&files), 0);
	ck_assert_uint_eq(files.count, 2);
	ck_assert_uint_eq(files.bytes, 2 + 3 + 7);
	ck_assert_int_eq(rotated_files__limit(&files, UINT64_MAX, 10), 0);
	ck_assert(!exists("a.y.data.20260101-000000.2"));
	ck_assert_int_eq(rotated_files__limit(&files, UINT64_MAX, 0), 0);
	ck_assert(!exists("a.x.data.20260102-000000") && exists("a.y.data") && exists("a.x.data"));
	rotated_files__free(&files);
}
END_TEST

START_TEST(test_no_directory)
{
	files = (struct rotated_files){ .path = "/proc/none/a" };
	ck_assert_int_eq(rotated_files__list(&files), -ENOENT);
}
END_TEST

SUITE(10)
{
	tcase_add_checked_fixture(tests, scratch__make, scratch__remove);
	tcase_add_test(tests, test_lists_own_files);
	tcase_add_test(tests, test_adds_in_order);
	tcase_add_test(tests, test_replaces_no_file);
	tcase_add_test(tests, test_lists_any_source);
	tcase_add_test(tests, test_no_directory);
}

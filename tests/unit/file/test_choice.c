// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* test_choice.c: settings of an output to files. */
#include <errno.h>

#include "file/choice.h"
#include "support/agent/file_run.h"
#include "unit/suite.h"

static struct file_choice choice;

static int read_settings(const char *const *pairs)
{
	struct file_run run = { 0 };

	file_choice__free(&choice);
	file_run__set(&run, pairs);
	return file_choice__read(&choice, &run.opts);
}

#define READ(...) read_settings((const char *const[]){ __VA_ARGS__, NULL })

START_TEST(test_default_settings)
{
	ck_assert_int_eq(READ("file", "/a/b"), 0);
	ck_assert_str_eq(choice.path, "/a/b");
	ck_assert_int_eq(choice.format, FILE_JSON);
	ck_assert_int_eq(choice.sync, FILE_SYNC_NEVER);
	ck_assert_uint_eq(choice.mode, 0640);
	ck_assert_uint_eq(choice.level, 0);
	ck_assert_uint_eq(choice.max_bytes, UINT64_MAX);
	ck_assert_uint_eq(choice.max_ms, UINT64_MAX);
	ck_assert_uint_eq(choice.keep, UINT64_MAX);
	ck_assert_uint_eq(choice.quota, UINT64_MAX);
	ck_assert(!choice.removes_when_full);
	file_choice__free(&choice);
}
END_TEST

START_TEST(test_all_settings)
{
	ck_assert_int_eq(READ("file", "a", "format", "perf", "max-size", "64K", "max-age", "10s",
			      "keep", "3", "quota", "1M", "compress", "zstd", "level", "7", "sync",
			      "batch", "mode", "600", "disk-full", "remove-oldest"),
			 0);
	ck_assert_int_eq(choice.format, FILE_PERF);
	ck_assert_uint_eq(choice.max_bytes, 64 << 10);
	ck_assert_uint_eq(choice.max_ms, 10000);
	ck_assert_uint_eq(choice.keep, 3);
	ck_assert_uint_eq(choice.quota, 1 << 20);
	ck_assert_uint_eq(choice.level, 7);
	ck_assert_int_eq(choice.sync, FILE_SYNC_BATCH);
	ck_assert_uint_eq(choice.mode, 0600);
	ck_assert(choice.removes_when_full);
	ck_assert_int_eq(READ("file", "a", "quota", "1M"), 0);
	ck_assert_uint_eq(choice.max_bytes, 256 << 10);
	ck_assert_int_eq(READ("file", "-", "compress", "zstd"), 0);
	ck_assert_uint_eq(choice.level, 1);
	file_choice__free(&choice);
}
END_TEST

START_TEST(test_refused_settings)
{
	ck_assert_int_eq(READ("format", "json"), -EINVAL);
	ck_assert_int_eq(READ("file", ""), -EINVAL);
	ck_assert_int_eq(READ("file", "a", "format", "text"), -EINVAL);
	ck_assert_int_eq(READ("file", "a", "compress", "gzip"), -EINVAL);
	ck_assert_int_eq(READ("file", "a", "sync", "always"), -EINVAL);
	ck_assert_int_eq(READ("file", "a", "disk-full", "drop"), -EINVAL);
	ck_assert_int_eq(READ("file", "a", "level", "3"), -EINVAL);
	ck_assert_int_eq(READ("file", "a", "compress", "zstd", "level", "23"), -EINVAL);
	ck_assert_int_eq(READ("file", "a", "mode", "0440"), -EINVAL);
	ck_assert_int_eq(READ("file", "a", "mode", ""), -EINVAL);
	ck_assert_int_eq(READ("file", "a", "mode", "0648"), -EINVAL);
	ck_assert_int_eq(READ("file", "a", "mode", "4755"), -EINVAL);
	ck_assert_int_eq(READ("file", "a", "max-size", "100"), -EINVAL);
	ck_assert_int_eq(READ("file", "a", "max-size", "1M", "quota", "1M"), -EINVAL);
	ck_assert_int_eq(READ("file", "-", "max-age", "1m"), -EINVAL);
	ck_assert_int_eq(READ("file", "a", "format", "pcapng", "compress", "zstd"), -EINVAL);
	ck_assert_int_eq(READ("file", "a", "bogus", "1"), -EINVAL);
	file_choice__free(&choice);
}
END_TEST

SUITE(10)
{
	tcase_add_test(tests, test_default_settings);
	tcase_add_test(tests, test_all_settings);
	tcase_add_test(tests, test_refused_settings);
}

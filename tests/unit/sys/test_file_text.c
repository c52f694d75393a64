// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* test_file_text.c: texts of files and pipes. */
#include <errno.h>
#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include "support/machine/process.h"
#include "sys/file_text.h"
#include "unit/fail_alloc.h"
#include "unit/suite.h"

#define BYTES 300000

static int make_file(void)
{
	int fd = memfd_create("text", MFD_CLOEXEC);

	ck_assert_int_eq(ftruncate(fd, BYTES), 0);
	ck_assert_int_eq(pwrite(fd, "z", 1, BYTES - 1), 1);
	return fd;
}

START_TEST(test_reads_whole_files)
{
	struct strbuf text = { 0 };
	unsigned fds = process__count_fds();

	strbuf__text(&text, "before");
	ck_assert_int_eq(file_text__read(make_file(), SIZE_MAX, &text), 0);
	ck_assert_uint_eq(text.count, BYTES + 6);
	ck_assert_mem_eq(text.bytes, "before", 7);
	ck_assert_int_eq(text.bytes[text.count - 1], 'z');
	ck_assert_uint_eq(process__count_fds(), fds);
	strbuf__free(&text);
}
END_TEST

START_TEST(test_reads_no_more_than_wanted)
{
	struct strbuf text = { 0 };

	ck_assert_int_eq(file_text__read(make_file(), 2000, &text), 0);
	ck_assert_uint_ge(text.count, 2000);
	ck_assert_uint_lt(text.count, BYTES);
	strbuf__free(&text);
}
END_TEST

START_TEST(test_returns_errors)
{
	struct strbuf text = { 0 };
	unsigned fds = process__count_fds();

	ck_assert_int_eq(file_text__read(-EACCES, SIZE_MAX, &text), -EACCES);
	ck_assert_int_eq(file_text__read(open("/", O_RDONLY | O_CLOEXEC), SIZE_MAX, &text),
			 -EISDIR);
	ck_assert_uint_eq(text.count, 0);
	ck_assert_uint_eq(process__count_fds(), fds);
	strbuf__free(&text);
}
END_TEST

START_TEST(test_memory_runs_out)
{
	unsigned failures = 0;

	for (unsigned nth = 1; nth; nth++) {
		struct strbuf text = { 0 };
		int fd = make_file(), err;

		fail_alloc__begin(nth);
		err = file_text__read(fd, SIZE_MAX, &text);
		nth = fail_alloc__end() ? nth : UINT32_MAX;
		ck_assert_int_eq(err, nth == UINT32_MAX ? 0 : -ENOMEM);
		failures += err != 0;
		strbuf__free(&text);
	}
	ck_assert_uint_lt(failures, 20);
}
END_TEST

SUITE(10)
{
	tcase_add_test(tests, test_reads_whole_files);
	tcase_add_test(tests, test_reads_no_more_than_wanted);
	tcase_add_test(tests, test_returns_errors);
	tcase_add_test(tests, test_memory_runs_out);
}

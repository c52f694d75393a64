// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* test_messages.c: lack of memory is reported once. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <sys/mman.h>

#include <peat/log.h>

#include "base/log.h"
#include "cli/base/messages.h"
#include "unit/suite.h"

static int memory_fd = -1;

/* Keeps the messages of stderr from now on. */
static void begin(void)
{
	memory_fd = memfd_create("stderr", MFD_CLOEXEC);
	ck_assert_int_ge(memory_fd, 0);
	ck_assert_int_eq(dup2(memory_fd, STDERR_FILENO), STDERR_FILENO);
	messages__set_verbosity(0);
	messages__begin_errors();
}

static bool has_line(const char *line)
{
	char text[1024] = "";
	ssize_t bytes = pread(memory_fd, text, sizeof(text) - 1, 0);

	ck_assert_int_ge(bytes, 0);
	return strstr(text, line);
}

START_TEST(test_warnings_are_no_reason)
{
	begin();
	log__warn("something else");
	messages__report_no_memory(-ENOMEM);
	ck_assert(has_line("peat: something else\npeat: Cannot allocate memory\n"));
	peat_set_print(NULL);
}
END_TEST

START_TEST(test_errors_are_reasons)
{
	begin();
	log__error("no memory for names");
	log__warn("something else");
	messages__report_no_memory(-ENOMEM);
	ck_assert(has_line("peat: something else\n"));
	ck_assert(!has_line("Cannot allocate memory"));
	peat_set_print(NULL);
}
END_TEST

START_TEST(test_errors_before_do_not_count)
{
	begin();
	messages__print("an error before");
	messages__begin_errors();
	messages__report_no_memory(-EIO);
	ck_assert(!has_line("Cannot allocate memory"));
	messages__report_no_memory(-ENOMEM);
	ck_assert(has_line("Cannot allocate memory"));
	messages__report_no_memory(-ENOMEM);
	ck_assert(!has_line("Cannot allocate memory\npeat: Cannot allocate memory"));
	peat_set_print(NULL);
}
END_TEST

FORKED_SUITE(10)
{
	tcase_add_test(tests, test_warnings_are_no_reason);
	tcase_add_test(tests, test_errors_are_reasons);
	tcase_add_test(tests, test_errors_before_do_not_count);
}

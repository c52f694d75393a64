// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* test_log.c: messages that fit the buffer, longer ones, and severities. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/log.h"
#include "support/machine/harness.h"
#include "unit/fail_alloc.h"
#include "unit/suite.h"

enum { LONG = 100000 };

static char received[LONG + 2];
static enum peat_log_level received_level;

static void receive(enum peat_log_level level, const char *text)
{
	ck_assert_uint_lt(strlen(text), sizeof(received));
	strcpy(received, text);
	received_level = level;
	errno = EBADF;
}

static void setup(void)
{
	peat_set_print(receive);
	received[0] = '\0';
}

static void teardown(void)
{
	peat_set_print(NULL);
}

/* A message of `bytes`: digits, and "." as the last. */
static void print_long(int bytes)
{
	log__info("%0*d.", bytes - 1, 7);
}

START_TEST(test_messages_are_whole)
{
	static const int bytes[] = { 2, 1000, 1022, 1023, 1024, 1025, 4096, LONG };

	for (size_t i = 0; i < sizeof(bytes) / sizeof(*bytes); i++) {
		print_long(bytes[i]);
		ck_assert_uint_eq(strlen(received), (size_t)bytes[i]);
		ck_assert_str_eq(received + bytes[i] - 2, "7.");
	}
}
END_TEST

START_TEST(test_message_without_memory_is_cut)
{
	long blocks = fail_alloc__blocks();

	fail_alloc__begin(1);
	print_long(1023);
	ck_assert_uint_eq(strlen(received), 1023);
	print_long(LONG);
	if (!fail_alloc__end())
		return; /* a sanitizer's malloc() */
	ck_assert_uint_eq(strlen(received), 1023);
	ck_assert_str_eq(received + 1018, "00...");
	print_long(LONG);
	ck_assert_uint_eq(strlen(received), LONG);
	ck_assert_int_eq(fail_alloc__blocks(), blocks);
}
END_TEST

START_TEST(test_errno_stays)
{
	errno = ENOENT;
	print_long(LONG);
	ck_assert_int_eq(errno, ENOENT);
	log__error("%m");
	ck_assert_int_eq(errno, ENOENT);
	ck_assert_str_eq(received, strerror(ENOENT));
}
END_TEST

START_TEST(test_severest_level)
{
	ck_assert_int_eq(log__set_severest(PEAT_LOG_INFO), PEAT_LOG_ERROR);
	log__error("error");
	ck_assert_int_eq(received_level, PEAT_LOG_INFO);
	log__debug("debug");
	ck_assert_int_eq(received_level, PEAT_LOG_DEBUG);
	ck_assert_int_eq(log__set_severest(PEAT_LOG_ERROR), PEAT_LOG_INFO);
	log__error("error");
	ck_assert_int_eq(received_level, PEAT_LOG_ERROR);
}
END_TEST

START_TEST(test_no_function)
{
	ck_assert_ptr_eq(peat_set_print(NULL), receive);
	log__error("dropped");
	ck_assert_str_eq(received, "");
	ck_assert_ptr_null(peat_set_print(receive));
}
END_TEST

SUITE(10)
{
	tcase_add_checked_fixture(tests, setup, teardown);
	tcase_add_test(tests, test_messages_are_whole);
	tcase_add_test(tests, test_message_without_memory_is_cut);
	tcase_add_test(tests, test_errno_stays);
	tcase_add_test(tests, test_severest_level);
	tcase_add_test(tests, test_no_function);
}

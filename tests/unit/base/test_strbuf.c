// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* test_strbuf.c: numbers, growth and writing. */
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/strbuf.h"

#include "support/machine/harness.h"
#include "unit/suite.h"

static const char *text_of(struct strbuf *out)
{
	strbuf__char(out, 0);
	ck_assert(!out->failed);
	return out->bytes;
}

static void check_unsigned(uint64_t value)
{
	struct strbuf out = { 0 };
	char wanted[32];

	snprintf(wanted, sizeof(wanted), "%" PRIu64, value);
	strbuf__unsigned(&out, value);
	ck_assert_str_eq(text_of(&out), wanted);
	strbuf__free(&out);
}

static void check_hex(uint64_t value)
{
	struct strbuf out = { 0 };
	char wanted[32];

	snprintf(wanted, sizeof(wanted), "0x%" PRIx64, value);
	strbuf__hex(&out, value);
	ck_assert_str_eq(text_of(&out), wanted);
	strbuf__free(&out);
}

/* Numbers next to each power of 10 and of 2, where the number of digits changes. */
START_TEST(test_unsigned_and_hex)
{
	uint64_t power = 1;

	check_unsigned(0);
	check_unsigned(UINT64_MAX);
	for (int i = 0; i < 20; i++, power *= 10) {
		check_unsigned(power - 1);
		check_unsigned(power);
		check_unsigned(power + 1);
	}
	for (uint64_t value = 1; value < UINT64_MAX / 7; value = value * 7 + 3)
		check_unsigned(value);
	for (unsigned i = 0; i < 10000; i++)
		check_unsigned(i * UINT64_C(100010001)); /* all groups of four digits */
	for (int i = 0; i < 64; i++) {
		check_unsigned((1ULL << i) - 1);
		check_unsigned(1ULL << i);
		check_hex((1ULL << i) - 1);
		check_hex(1ULL << i);
	}
	check_hex(UINT64_MAX);
}
END_TEST

START_TEST(test_signed_limits)
{
	struct strbuf out = { 0 };

	strbuf__signed(&out, INT64_MIN);
	strbuf__char(&out, ' ');
	strbuf__signed(&out, -1);
	strbuf__char(&out, ' ');
	strbuf__signed(&out, INT64_MAX);
	ck_assert_str_eq(text_of(&out), "-9223372036854775808 -1 9223372036854775807");
	strbuf__free(&out);
}
END_TEST

/* Zeroes on the left; higher digits are cut. */
START_TEST(test_padded_with_zeroes)
{
	for (size_t digits = 1; digits <= 19; digits++) {
		struct strbuf out = { 0 };
		char wanted[32];

		snprintf(wanted, sizeof(wanted), "%019llu", 1234567890987654321ULL);
		strbuf__padded(&out, 1234567890987654321ULL, digits);
		ck_assert_str_eq(text_of(&out), wanted + 19 - digits);
		strbuf__cut(&out, 0);
		snprintf(wanted, sizeof(wanted), "%0*d", (int)digits, 7);
		strbuf__padded(&out, 7, digits);
		ck_assert_str_eq(text_of(&out), wanted);
		strbuf__free(&out);
	}
}
END_TEST

START_TEST(test_seconds_with_fraction)
{
	struct strbuf out = { 0 };

	strbuf__seconds(&out, 12000345999, 6);
	strbuf__char(&out, ' ');
	strbuf__seconds(&out, 7, 9);
	strbuf__char(&out, ' ');
	strbuf__seconds(&out, UINT64_MAX, 1);
	ck_assert_str_eq(text_of(&out), "12.000345 0.000000007 18446744073.7");
	strbuf__free(&out);
}
END_TEST

START_TEST(test_fills_and_cuts)
{
	struct strbuf out = { 0 };

	strbuf__text(&out, "");
	strbuf__hex_bytes(&out, NULL, 0);
	strbuf__hex_bytes(&out, "\x00\x1f\xff", 3);
	strbuf__fill(&out, '.', 3);
	strbuf__text(&out, "dropped");
	strbuf__cut(&out, 9);
	strbuf__text(&out, "end");
	ck_assert_str_eq(text_of(&out), "001fff...end");
	strbuf__free(&out);
}
END_TEST

START_TEST(test_grows_to_any_size)
{
	struct strbuf out = { 0 };

	for (int i = 0; i < 100000; i++)
		strbuf__bytes(&out, "0123456", 7);
	ck_assert_uint_eq(out.count, 700000);
	for (size_t i = 0; i < out.count; i++)
		ck_assert_int_eq(out.bytes[i], (char)('0' + i % 7));
	strbuf__free(&out);
}
END_TEST

/*
 * After an append that failed, all further appends fail, however small.  Writing resets the buffer.
 */
START_TEST(test_too_much)
{
	struct strbuf out = { 0 };

	strbuf__text(&out, "before");
	ck_assert_ptr_null(strbuf__grow(&out, SIZE_MAX / 2));
	ck_assert(out.failed);
	strbuf__text(&out, "x");
	strbuf__unsigned(&out, 1);
	ck_assert_uint_eq(out.count, 6);
	strbuf__cut(&out, 2);
	strbuf__char(&out, 'x');
	ck_assert_uint_eq(out.count, 2);
	ck_assert_int_eq(strbuf__write(&out, open("/dev/null", O_WRONLY)), -ENOMEM);
	strbuf__text(&out, "after");
	ck_assert_str_eq(text_of(&out), "after");
	strbuf__free(&out);
}
END_TEST

static void *slow_reader(void *fd)
{
	char got[777];
	size_t *count = calloc(1, sizeof(*count));
	ssize_t bytes;

	while ((bytes = read(*(int *)fd, got, sizeof(got))) > 0) {
		for (ssize_t i = 0; i < bytes; i++)
			if (got[i] != (char)('a' + (*count + (size_t)i) % 26))
				return NULL;
		*count += (size_t)bytes;
	}
	return count;
}

/* Another process made the pipe non-blocking: the buffer is written in pieces. */
START_TEST(test_short_writes)
{
	struct strbuf out = { 0 };
	pthread_t thread;
	void *count;
	int fds[2];

	ck_assert_int_eq(pipe(fds), 0);
	ck_assert_int_eq(fcntl(fds[1], F_SETFL, O_NONBLOCK), 0);
	for (size_t i = 0; i < 300000; i++)
		strbuf__char(&out, (char)('a' + i % 26));
	ck_assert_int_eq(pthread_create(&thread, NULL, slow_reader, &fds[0]), 0);
	ck_assert_int_eq(strbuf__write(&out, fds[1]), 0);
	close(fds[1]);
	pthread_join(thread, &count);
	ck_assert_ptr_nonnull(count);
	ck_assert_uint_eq(*(size_t *)count, 300000);
	ck_assert_uint_eq(out.count, 0);
	free(count);
	strbuf__free(&out);
}
END_TEST

START_TEST(test_write_errors_drop_text)
{
	struct strbuf out = { 0 };
	int fds[2];

	ck_assert_int_eq(pipe(fds), 0);
	close(fds[0]);
	signal(SIGPIPE, SIG_IGN);
	strbuf__text(&out, "lost");
	ck_assert_int_eq(strbuf__write(&out, fds[1]), -EPIPE);
	ck_assert_int_eq(errno, EPIPE);
	ck_assert_uint_eq(out.count, 0);
	ck_assert_int_eq(strbuf__write(&out, fds[1]), 0); /* nothing is left to write */
	strbuf__text(&out, "lost");
	ck_assert_int_eq(strbuf__write(&out, -1), -EBADF);
	strbuf__free(&out);
}
END_TEST

START_TEST(test_prints_any_length)
{
	struct strbuf out = { 0 };

	strbuf__print(&out, "%s", "");
	strbuf__print(&out, "%s=%d", "a", -1);
	strbuf__print(&out, "%1022c", 'b'); /* with a NUL, two bytes more than there is room for */
	ck_assert_uint_eq(out.count, 4 + 1022);
	ck_assert_mem_eq(out.bytes, "a=-1  ", 6);
	ck_assert_int_eq(out.bytes[out.count - 1], 'b');
	strbuf__free(&out);
}
END_TEST

START_TEST(test_becomes_a_string)
{
	struct strbuf out = { 0 };
	char *string;

	strbuf__text(&out, "text");
	string = strbuf__string(&out);
	ck_assert_str_eq(string, "text");
	ck_assert_uint_eq(out.room, 0);
	free(string);
	string = strbuf__string(&out);
	ck_assert_str_eq(string, "");
	free(string);
	strbuf__text(&out, "text");
	out.failed = true;
	ck_assert_ptr_null(strbuf__string(&out));
	ck_assert_int_eq(errno, ENOMEM);
	ck_assert_ptr_null(out.bytes);
}
END_TEST

SUITE(20)
{
	tcase_add_test(tests, test_unsigned_and_hex);
	tcase_add_test(tests, test_signed_limits);
	tcase_add_test(tests, test_padded_with_zeroes);
	tcase_add_test(tests, test_seconds_with_fraction);
	tcase_add_test(tests, test_fills_and_cuts);
	tcase_add_test(tests, test_grows_to_any_size);
	tcase_add_test(tests, test_too_much);
	tcase_add_test(tests, test_prints_any_length);
	tcase_add_test(tests, test_becomes_a_string);
	tcase_add_test(tests, test_short_writes);
	tcase_add_test(tests, test_write_errors_drop_text);
}

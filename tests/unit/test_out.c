// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* test_out.c: numbers, growth, and the way out. */
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/strbuf.h"

#include "harness.h"
#include "suites.h"

static const char *text_of(struct out *out)
{
	out__char(out, 0);
	ck_assert(!out->failed);
	return out->bytes;
}

static void check_unsigned(uint64_t value)
{
	struct out out = { 0 };
	char wanted[32];

	snprintf(wanted, sizeof(wanted), "%" PRIu64, value);
	out__unsigned(&out, value);
	ck_assert_str_eq(text_of(&out), wanted);
	out__free(&out);
}

static void check_hex(uint64_t value)
{
	struct out out = { 0 };
	char wanted[32];

	snprintf(wanted, sizeof(wanted), "0x%" PRIx64, value);
	out__hex(&out, value);
	ck_assert_str_eq(text_of(&out), wanted);
	out__free(&out);
}

/* Around each power of 10 and of 2: where the number of digits changes. */
START_TEST(test_unsigned)
{
	uint64_t power = 1;

	check_unsigned(0);
	check_unsigned(UINT64_MAX);
	for (int i = 0; i < 20; i++, power *= 10) {
		check_unsigned(power - 1);
		check_unsigned(power);
		check_unsigned(power + 1);
	}
	for (int i = 0; i < 64; i++) {
		check_unsigned((1ULL << i) - 1);
		check_unsigned(1ULL << i);
		check_hex((1ULL << i) - 1);
		check_hex(1ULL << i);
	}
	check_hex(UINT64_MAX);
}
END_TEST

START_TEST(test_signed)
{
	struct out out = { 0 };

	out__signed(&out, INT64_MIN);
	out__char(&out, ' ');
	out__signed(&out, -1);
	out__char(&out, ' ');
	out__signed(&out, INT64_MAX);
	ck_assert_str_eq(text_of(&out), "-9223372036854775808 -1 9223372036854775807");
	out__free(&out);
}
END_TEST

START_TEST(test_pieces)
{
	struct out out = { 0 };

	out__text(&out, "");
	out__hex_bytes(&out, NULL, 0);
	out__hex_bytes(&out, "\x00\x1f\xff", 3);
	out__fill(&out, '.', 3);
	out__text(&out, "dropped");
	out__cut(&out, 9);
	out__text(&out, "end");
	ck_assert_str_eq(text_of(&out), "001fff...end");
	out__free(&out);
}
END_TEST

START_TEST(test_grows)
{
	struct out out = { 0 };

	for (int i = 0; i < 100000; i++)
		out__bytes(&out, "0123456", 7);
	ck_assert_uint_eq(out.count, 700000);
	for (size_t i = 0; i < out.count; i++)
		ck_assert_int_eq(out.bytes[i], (char)('0' + i % 7));
	out__free(&out);
}
END_TEST

/* After what does not fit nothing follows, however small; writing it out is a new beginning. */
START_TEST(test_too_much)
{
	struct out out = { 0 };

	out__text(&out, "before");
	ck_assert_ptr_null(out__grow(&out, SIZE_MAX / 2));
	ck_assert(out.failed);
	out__text(&out, "x");
	out__unsigned(&out, 1);
	ck_assert_uint_eq(out.count, 6);
	out__cut(&out, 2);
	out__char(&out, 'x');
	ck_assert_uint_eq(out.count, 2);
	ck_assert_int_eq(out__write(&out, open("/dev/null", O_WRONLY)), -ENOMEM);
	out__text(&out, "after");
	ck_assert_str_eq(text_of(&out), "after");
	out__free(&out);
}
END_TEST

static void *slow_reader(void *fd)
{
	static char got[1 << 20];
	size_t *count = calloc(1, sizeof(*count));
	ssize_t bytes;

	while ((bytes = read(*(int *)fd, got, 777)) > 0) {
		for (ssize_t i = 0; i < bytes; i++)
			if (got[i] != (char)('a' + (*count + (size_t)i) % 26))
				return NULL;
		*count += (size_t)bytes;
	}
	return count;
}

/* A pipe that others made non-blocking takes it piece by piece. */
START_TEST(test_short_writes)
{
	struct out out = { 0 };
	pthread_t thread;
	void *count;
	int fds[2];

	ck_assert_int_eq(pipe(fds), 0);
	ck_assert_int_eq(fcntl(fds[1], F_SETFL, O_NONBLOCK), 0);
	for (size_t i = 0; i < 300000; i++)
		out__char(&out, (char)('a' + i % 26));
	ck_assert_int_eq(pthread_create(&thread, NULL, slow_reader, &fds[0]), 0);
	ck_assert_int_eq(out__write(&out, fds[1]), 0);
	close(fds[1]);
	pthread_join(thread, &count);
	ck_assert_ptr_nonnull(count);
	ck_assert_uint_eq(*(size_t *)count, 300000);
	ck_assert_uint_eq(out.count, 0);
	free(count);
	out__free(&out);
}
END_TEST

START_TEST(test_errors)
{
	struct out out = { 0 };
	int fds[2];

	ck_assert_int_eq(pipe(fds), 0);
	close(fds[0]);
	signal(SIGPIPE, SIG_IGN);
	out__text(&out, "lost");
	ck_assert_int_eq(out__write(&out, fds[1]), -EPIPE);
	ck_assert_int_eq(errno, EPIPE);
	ck_assert_uint_eq(out.count, 0);
	ck_assert_int_eq(out__write(&out, fds[1]), 0); /* nothing is left to write */
	out__text(&out, "lost");
	ck_assert_int_eq(out__write(&out, -1), -EBADF);
	out__free(&out);
}
END_TEST

Suite *out_suite(void)
{
	TCase *tests;
	Suite *suite = harness__suite("out", 20, &tests);

	tcase_add_test(tests, test_unsigned);
	tcase_add_test(tests, test_signed);
	tcase_add_test(tests, test_pieces);
	tcase_add_test(tests, test_grows);
	tcase_add_test(tests, test_too_much);
	tcase_add_test(tests, test_short_writes);
	tcase_add_test(tests, test_errors);
	return suite;
}

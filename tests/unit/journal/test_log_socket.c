// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* test_log_socket.c: datagrams, and files in their place. */
#include <errno.h>
#include <stdlib.h>
#include <sys/resource.h>

#include "journal/log_socket.h"
#include "unit/journal/receiver.h"
#include "support/machine/process.h"
#include "unit/suite.h"

#define LARGE (8u << 20)

START_TEST(test_sends_datagrams)
{
	unsigned fds = process__count_fds();
	int receiver = receiver__open("socket");
	int fd = log_socket__connect(scratch__path("socket"));
	char text[64];

	ck_assert_int_ge(fd, 0);
	ck_assert_int_eq(log_socket__send(fd, "hello", 5), 0);
	ck_assert(receiver__next(receiver, text, sizeof(text)));
	ck_assert_str_eq(text, "hello");
	close(receiver);
	ck_assert_int_eq(log_socket__send(fd, "hello", 5), -ECONNREFUSED);
	close(fd);
	ck_assert_uint_eq(process__count_fds(), fds);
}
END_TEST

START_TEST(test_sends_large_messages_as_files)
{
	int receiver = receiver__open("socket");
	int fd = log_socket__connect(scratch__path("socket"));
	char *sent = malloc(LARGE), *text = malloc(LARGE + 2);
	unsigned fds = process__count_fds();

	memset(sent, 'x', LARGE);
	ck_assert_int_eq(log_socket__send(fd, sent, LARGE), 0);
	ck_assert(receiver__next(receiver, text, LARGE + 2));
	ck_assert_uint_eq(strlen(text), LARGE);
	ck_assert_mem_eq(text, sent, LARGE);
	ck_assert_uint_eq(process__count_fds(), fds);
	free(sent);
	free(text);
	close(receiver);
	close(fd);
}
END_TEST

START_TEST(test_large_message_without_file)
{
	int receiver = receiver__open("socket");
	int fd = log_socket__connect(scratch__path("socket"));
	char *sent = calloc(1, LARGE);
	struct rlimit before, none;

	ck_assert_int_eq(getrlimit(RLIMIT_NOFILE, &before), 0);
	none = before;
	none.rlim_cur = 0;
	ck_assert_int_eq(setrlimit(RLIMIT_NOFILE, &none), 0);
	int err = log_socket__send(fd, sent, LARGE);
	ck_assert_int_eq(setrlimit(RLIMIT_NOFILE, &before), 0);
	ck_assert_int_eq(err, -E2BIG);
	free(sent);
	close(receiver);
	close(fd);
}
END_TEST

START_TEST(test_receiver_that_is_behind)
{
	int receiver = receiver__open("socket");
	int fd = log_socket__connect(scratch__path("socket"));
	int err = 0;

	for (int i = 0; !err && i < 100000; i++)
		err = log_socket__send(fd, "hello", 5);
	ck_assert_int_eq(err, -EAGAIN);
	close(receiver);
	close(fd);
}
END_TEST

START_TEST(test_errors_of_connecting)
{
	char path[200] = "/";

	ck_assert_int_eq(log_socket__connect(scratch__path("missing")), -ENOENT);
	memset(path + 1, 'a', 107);
	ck_assert_int_eq(log_socket__connect(path), -ENAMETOOLONG);
}
END_TEST

SUITE(10)
{
	tcase_add_checked_fixture(tests, scratch__make, scratch__remove);
	tcase_add_test(tests, test_sends_datagrams);
	tcase_add_test(tests, test_sends_large_messages_as_files);
	tcase_add_test(tests, test_large_message_without_file);
	tcase_add_test(tests, test_receiver_that_is_behind);
	tcase_add_test(tests, test_errors_of_connecting);
}

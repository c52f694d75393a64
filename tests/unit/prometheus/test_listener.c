// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* test_listener.c: sockets that listen, and files of Unix sockets. */
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "prometheus/listener.h"
#include "support/machine/process.h"
#include "support/machine/scratch.h"
#include "unit/suite.h"

static int open_at(struct listener *listener, const char *text, const char **why)
{
	struct address address;

	*why = address__parse(text, &address);
	ck_assert_ptr_null(*why);
	return listener__open(listener, &address, why);
}

static const char *unix_address(const char *name)
{
	static char text[128];

	snprintf(text, sizeof(text), "unix:%s", scratch__path(name));
	return text;
}

START_TEST(test_port_that_is_free)
{
	struct listener listener, second;
	char name[64];
	const char *why;

	ck_assert_int_eq(open_at(&listener, "0", &why), 0);
	listener__name(&listener, name, sizeof(name));
	ck_assert_ptr_eq(strstr(name, "127.0.0.1:"), name);
	ck_assert_str_ne(name, "127.0.0.1:0");
	ck_assert_int_eq(open_at(&second, name, &why), -EADDRINUSE);
	ck_assert_str_eq(why, "another process uses this port");
	listener__remove(&listener);
	close(listener.fd);
	ck_assert_int_eq(open_at(&second, "192.0.2.77:80", &why), -EADDRNOTAVAIL);
	ck_assert_str_eq(why, strerror(EADDRNOTAVAIL));
}
END_TEST

START_TEST(test_mode_of_unix_socket)
{
	struct listener listener;
	mode_t before = umask(077);
	struct stat file;
	char name[128];
	const char *why;

	ck_assert_int_eq(open_at(&listener, unix_address("socket"), &why), 0);
	umask(before);
	ck_assert_int_eq(stat(scratch__path("socket"), &file), 0);
	ck_assert_uint_eq(file.st_mode, S_IFSOCK | 0660);
	listener__name(&listener, name, sizeof(name));
	ck_assert_str_eq(name, unix_address("socket"));
	listener__remove(&listener);
	ck_assert_int_eq(access(scratch__path("socket"), F_OK), -1);
	close(listener.fd);
}
END_TEST

START_TEST(test_replaces_stale_socket)
{
	struct listener first, second, third;
	unsigned fds = process__count_fds();
	const char *why;

	ck_assert_int_eq(open_at(&first, unix_address("socket"), &why), 0);
	ck_assert_int_eq(open_at(&second, unix_address("socket"), &why), -EADDRINUSE);
	ck_assert_str_eq(why, "another process uses this socket");
	close(first.fd);
	ck_assert_int_eq(open_at(&third, unix_address("socket"), &why), 0);
	/* The name is of another socket by now. */
	if (first.ino != third.ino) {
		listener__remove(&first);
		ck_assert_int_eq(access(scratch__path("socket"), F_OK), 0);
	}
	listener__remove(&third);
	close(third.fd);
	ck_assert_uint_eq(process__count_fds(), fds);
}
END_TEST

START_TEST(test_keeps_files_of_others)
{
	struct listener listener;
	const char *why;

	close(scratch__file("file", "text"));
	ck_assert_int_eq(open_at(&listener, unix_address("file"), &why), -EADDRINUSE);
	ck_assert_str_eq(why, "a file that is no socket has this name");
	ck_assert_int_eq(access(scratch__path("file"), F_OK), 0);
	ck_assert_int_eq(symlink("nowhere", scratch__path("link")), 0);
	ck_assert_int_eq(open_at(&listener, unix_address("link"), &why), -EADDRINUSE);
	ck_assert_int_eq(open_at(&listener, unix_address("missing/socket"), &why), -ENOENT);
	ck_assert_str_eq(why, strerror(ENOENT));
}
END_TEST

SUITE(10)
{
	tcase_add_checked_fixture(tests, scratch__make, scratch__remove);
	tcase_add_test(tests, test_port_that_is_free);
	tcase_add_test(tests, test_mode_of_unix_socket);
	tcase_add_test(tests, test_replaces_stale_socket);
	tcase_add_test(tests, test_keeps_files_of_others);
}

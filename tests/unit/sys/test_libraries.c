// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* test_libraries.c: files of libraries by name, of the machine and of this process. */
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "support/machine/harness.h"
#include "support/machine/process.h"
#include "sys/libraries.h"
#include "unit/suite.h"

START_TEST(test_names_match_versions)
{
	ck_assert(libraries__matches("libssl.so", "libssl.so"));
	ck_assert(libraries__matches("libssl.so.3", "libssl.so"));
	ck_assert(libraries__matches("libssl.so.1.1", "libssl.so"));
	ck_assert(libraries__matches("libssl.so.3.0.7", "libssl.so.3"));
	ck_assert(libraries__matches("libc-2.31.so", "libc.so"));
	ck_assert(libraries__matches("ld-musl-aarch64.so.1", "libc.so"));
}
END_TEST

START_TEST(test_other_names)
{
	ck_assert(!libraries__matches("libssl.so.1.1", "libssl.so.3"));
	ck_assert(!libraries__matches("libssl.so.30", "libssl.so.3"));
	ck_assert(!libraries__matches("libssl3.so", "libssl.so"));
	ck_assert(!libraries__matches("libcrypto.so.3", "libc.so"));
	ck_assert(!libraries__matches("libc-client.so", "libc.so"));
	ck_assert(!libraries__matches("libc-2.31.so", "libc.so.6"));
	ck_assert(!libraries__matches("ld-musl-aarch64.so.1", "libssl.so"));
	ck_assert(!libraries__matches("", "libc.so"));
	ck_assert(!libraries__matches("libc.so", ""));
}
END_TEST

START_TEST(test_names_of_libraries)
{
	static const char *const libraries[] = { "libc.so",   "libc.so.6",   ".so",
						 "a.sock.so", "a.sock.so.1", "libx.so.1.so2" };
	static const char *const others[] = { "",      "so",  "bash",  "a.sock",
					      "a.sob", "a.s", "a.so1", "so.6" };

	for (size_t i = 0; i < sizeof(libraries) / sizeof(*libraries); i++)
		ck_assert_msg(libraries__is_library_name(libraries[i]), "%s", libraries[i]);
	for (size_t i = 0; i < sizeof(others) / sizeof(*others); i++)
		ck_assert_msg(!libraries__is_library_name(others[i]), "%s", others[i]);
}
END_TEST

/* A path is taken as it is: the kernel reports that it does not exist. */
START_TEST(test_path_is_not_searched)
{
	struct libraries found;

	ck_assert_int_eq(libraries__find(&found, "/no/such/file", 0), 0);
	ck_assert_uint_eq(found.count, 1);
	ck_assert_str_eq(found.paths[0], "/no/such/file");
	libraries__free(&found);
	ck_assert_uint_eq(found.count, 0);
}
END_TEST

/* A process without such a library may contain it. */
START_TEST(test_of_this_process)
{
	unsigned fds = process__count_fds();
	struct libraries found;
	char exe[64];

	snprintf(exe, sizeof(exe), "/proc/%d/exe", (int)getpid());
	ck_assert_int_eq(libraries__find(&found, "libc.so", (uint32_t)getpid()), 0);
	ck_assert_uint_eq(found.count, 1);
	ck_assert(strncmp(found.paths[0], "/proc/", strlen("/proc/")));
	ck_assert_int_eq(access(found.paths[0], R_OK), 0);
	libraries__free(&found);
	ck_assert_int_eq(libraries__find(&found, "libnone.so", (uint32_t)getpid()), 0);
	ck_assert_uint_eq(found.count, 1);
	ck_assert_str_eq(found.paths[0], exe);
	libraries__free(&found);
	ck_assert_int_eq(libraries__find(&found, "libc.so", UINT32_MAX), -ESRCH);
	ck_assert_uint_eq(process__count_fds(), fds);
}
END_TEST

START_TEST(test_of_this_machine)
{
	unsigned fds = process__count_fds();
	struct libraries found;

	ck_assert_int_eq(libraries__find(&found, "libc.so", 0), 0);
	ck_assert_uint_ge(found.count, 1);
	for (size_t i = 0; i < found.count; i++)
		ck_assert_int_eq(access(found.paths[i], R_OK), 0);
	libraries__free(&found);
	ck_assert_int_eq(libraries__find(&found, "libnone.so", 0), -ENOENT);
	ck_assert_uint_eq(process__count_fds(), fds);
}
END_TEST

SUITE(10)
{
	tcase_add_test(tests, test_names_match_versions);
	tcase_add_test(tests, test_other_names);
	tcase_add_test(tests, test_names_of_libraries);
	tcase_add_test(tests, test_path_is_not_searched);
	tcase_add_test(tests, test_of_this_process);
	tcase_add_test(tests, test_of_this_machine);
}

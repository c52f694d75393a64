// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* test_perf_copy.c: perf's copies of programs, in the user's home and in that of another user. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "symbols/debug/perf_copy.h"

#include "support/machine/process.h"
#include "unit/suite.h"

#define USER 12345

static const struct build_id id = { .bytes = 4, .id = { 0xab, 0xcd, 0xef, 0x01 } };
static char home[32];

static void setup(void)
{
	strcpy(home, "/tmp/peat-home-XXXXXX");
	ck_assert_ptr_nonnull(mkdtemp(home));
	ck_assert_int_eq(setenv("HOME", home, 1), 0);
}

static void teardown(void)
{
	ck_assert_int_eq(rmdir(home), 0);
}

START_TEST(test_path_in_home)
{
	char path[PERF_COPY_PATH], wanted[128];

	snprintf(wanted, sizeof(wanted), "%s/.debug/.build-id/ab/cdef01/elf", home);
	ck_assert(perf_copy__path(&id, path));
	ck_assert_str_eq(path, wanted);
	ck_assert(!perf_copy__path(&(struct build_id){ .bytes = 1 }, path));
	ck_assert(!perf_copy__path(&(struct build_id){ .bytes = 0 }, path));
	ck_assert_int_eq(setenv("HOME", "/no/such/directory", 1), 0);
	ck_assert(!perf_copy__path(&id, path));
	ck_assert_int_eq(unsetenv("HOME"), 0);
	ck_assert(!perf_copy__path(&id, path));
}
END_TEST

static int has_path(void *effective)
{
	char path[PERF_COPY_PATH];

	if (effective && seteuid(*(uid_t *)effective))
		return 9;
	return perf_copy__path(&id, path);
}

/* HOME is of the real or of the effective user. */
START_TEST(test_home_of_user)
{
	uid_t user = USER, other = USER + 1;

	if (geteuid())
		skip("only root can make the home of another user");
	ck_assert_int_eq(process__wait(process__start(has_path, NULL)), 1 << 8);
	ck_assert_int_eq(process__wait(process__start(has_path, &user)), 1 << 8);
	ck_assert_int_eq(chown(home, USER, USER), 0);
	ck_assert_int_eq(process__wait(process__start(has_path, NULL)), 0);
	ck_assert_int_eq(process__wait(process__start(has_path, &user)), 1 << 8);
	ck_assert_int_eq(process__wait(process__start(has_path, &other)), 0);
}
END_TEST

SUITE(20)
{
	tcase_add_checked_fixture(tests, setup, teardown);
	tcase_add_test(tests, test_path_in_home);
	tcase_add_test(tests, test_home_of_user);
}

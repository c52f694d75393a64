// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* test_reader_lock.c: locks of channels, by the maps that their readers share. */
#include <errno.h>
#include <fcntl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>
#include <bpf/bpf.h>

#include "channel/reader_lock.h"
#include "unit/suite.h"

static int maps[2]; /* -1 without privileges */

static void setup(void)
{
	for (int i = 0; i < 2; i++)
		maps[i] = bpf_map_create(BPF_MAP_TYPE_ARRAY, "a_stage", 4, 4, 1, NULL);
}

static void teardown(void)
{
	for (int i = 0; i < 2; i++)
		if (maps[i] >= 0)
			close(maps[i]);
}

START_TEST(test_one_reader_for_each_map)
{
	int first, other;

	if (maps[0] < 0)
		return;
	first = reader_lock__open(maps[0]);
	other = reader_lock__open(maps[1]);
	ck_assert_int_ge(first, 0);
	ck_assert_int_ge(other, 0);
	ck_assert_int_eq(fcntl(first, F_GETFD), FD_CLOEXEC);
	ck_assert_int_eq(reader_lock__open(maps[0]), -EAGAIN);
	close(first);
	first = reader_lock__open(maps[0]);
	ck_assert_int_ge(first, 0);
	ck_assert_int_eq(reader_lock__open(maps[1]), -EAGAIN);
	close(first);
	close(other);
}
END_TEST

/* A child that closes what it inherited does not unlock the reader's channel. */
START_TEST(test_lock_stays_when_a_child_closes_it)
{
	int fd, status;
	pid_t child;

	if (maps[0] < 0)
		return;
	fd = reader_lock__open(maps[0]);
	child = fork();
	ck_assert_int_ge(child, 0);
	if (!child) {
		close(fd);
		_exit(reader_lock__open(maps[0]) != -EAGAIN);
	}
	ck_assert_int_eq(waitpid(child, &status, 0), child);
	ck_assert_int_eq(status, 0);
	ck_assert_int_eq(reader_lock__open(maps[0]), -EAGAIN);
	close(fd);
}
END_TEST

START_TEST(test_no_map)
{
	int err = reader_lock__open(-1);

	ck_assert(err < 0 && err != -EAGAIN);
}
END_TEST

/* Neither a file that is open still, nor one that cannot be opened, is a lock. */
START_TEST(test_failures_take_no_lock)
{
	struct rlimit all, few = { 0 };
	int fd, next;

	if (maps[0] < 0)
		return;
	fd = reader_lock__open(maps[0]);
	ck_assert_int_ge(fd, 0);
	next = dup(fd);
	close(next);
	ck_assert_int_eq(reader_lock__open(maps[0]), -EAGAIN);
	ck_assert_int_eq(dup(fd), next);
	close(next);
	ck_assert_int_eq(getrlimit(RLIMIT_NOFILE, &all), 0);
	few.rlim_max = all.rlim_max;
	ck_assert_int_eq(setrlimit(RLIMIT_NOFILE, &few), 0);
	ck_assert_int_eq(reader_lock__open(maps[1]), -EMFILE);
	ck_assert_int_eq(setrlimit(RLIMIT_NOFILE, &all), 0);
	close(fd);
}
END_TEST

SUITE(20)
{
	tcase_add_checked_fixture(tests, setup, teardown);
	tcase_add_test(tests, test_one_reader_for_each_map);
	tcase_add_test(tests, test_lock_stays_when_a_child_closes_it);
	tcase_add_test(tests, test_no_map);
	tcase_add_test(tests, test_failures_take_no_lock);
}

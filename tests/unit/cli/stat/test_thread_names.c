// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* test_thread_names.c: names of threads, also after their end. */
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "cli/stat/thread_names.h"
#include "support/machine/process.h"
#include "unit/suite.h"

static struct thread_names names;

static void set_names(struct stat_row *at, size_t count)
{
	struct stat_rows rows = { at, count };

	ck_assert_int_eq(thread_names__set(&names, &rows), 0);
}

static int wait_as_child(void *fds)
{
	char byte;

	prctl(PR_SET_NAME, "child");
	return (int)read(((int *)fds)[0], &byte, 1);
}

START_TEST(test_own_name_follows_changes)
{
	struct stat_row row = { .value.tid = (int)getpid() };

	ck_assert_int_eq(prctl(PR_SET_NAME, "first name"), 0);
	set_names(&row, 1);
	ck_assert_str_eq(row.comm, "first name");
	ck_assert_int_eq(prctl(PR_SET_NAME, "second"), 0);
	set_names(&row, 1);
	ck_assert_str_eq(row.comm, "second");
	thread_names__free(&names);
}
END_TEST

START_TEST(test_ended_tasks_keep_their_names)
{
	struct stat_row rows[3] = { { .value.tid = (int)getpid() }, { .value.tid = -1 } };
	int fds[2];

	ck_assert_int_eq(pipe(fds), 0);
	rows[2].value.tid = -1;
	rows[1].value.tid = (int)process__start(wait_as_child, fds);
	do
		set_names(rows, 3);
	while (strcmp(rows[1].comm, "child") != 0);
	ck_assert_int_eq(write(fds[1], "x", 1), 1);
	process__wait(rows[1].value.tid);
	rows[0].comm = rows[1].comm = NULL;
	set_names(rows, 3);
	ck_assert_str_eq(rows[1].comm, "child");
	ck_assert_ptr_nonnull(rows[0].comm);
	ck_assert_ptr_null(rows[2].comm);
	close(fds[0]);
	close(fds[1]);
	thread_names__free(&names);
}
END_TEST

START_TEST(test_task_that_does_not_exist)
{
	struct stat_row row = { .value.tid = INT32_MAX };

	set_names(&row, 1);
	ck_assert_str_eq(row.comm, "?");
	thread_names__free(&names);
}
END_TEST

SUITE(10)
{
	tcase_add_test(tests, test_own_name_follows_changes);
	tcase_add_test(tests, test_ended_tasks_keep_their_names);
	tcase_add_test(tests, test_task_that_does_not_exist);
}

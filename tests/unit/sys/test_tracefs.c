// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* test_tracefs.c: files of tracefs, mounted or not, that this user may read. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "support/machine/harness.h"
#include "support/machine/process.h"
#include "sys/tracefs.h"
#include "unit/suite.h"

static unsigned count_mounts(void)
{
	FILE *file = fopen("/proc/self/mountinfo", "re");
	unsigned count = 0;
	int byte;

	ck_assert_ptr_nonnull(file);
	while ((byte = fgetc(file)) != EOF)
		count += byte == '\n';
	fclose(file);
	return count;
}

START_TEST(test_other_names_are_refused)
{
	static char long_name[1000];

	memset(long_name, 'a', sizeof(long_name) - 1);
	long_name[10] = '/';
	ck_assert_int_eq(tracefs__read_id(""), -EINVAL);
	ck_assert_int_eq(tracefs__read_id("sched"), -EINVAL);
	ck_assert_int_eq(tracefs__read_id("sched/"), -EINVAL);
	ck_assert_int_eq(tracefs__read_id("/sched_switch"), -EINVAL);
	ck_assert_int_eq(tracefs__read_id("sched/sched_switch/"), -EINVAL);
	ck_assert_int_eq(tracefs__read_id("../sched/sched_switch"), -EINVAL);
	ck_assert_int_eq(tracefs__read_id(long_name), -EINVAL);
}
END_TEST

/* Without privileges, only the errno is checked. */
static bool is_readable(void)
{
	int fd = tracefs__open("events/header_page");

	if (fd >= 0)
		close(fd);
	else
		ck_assert_msg(fd == -EACCES || fd == -ENODEV, "%s", strerror(-fd));
	return fd >= 0;
}

START_TEST(test_reads_ids)
{
	char text[16] = "";
	int fd;

	if (!is_readable())
		skip("this user may not read tracefs");
	fd = tracefs__open("events/sched/sched_switch/id");
	ck_assert_int_ge(fd, 0);
	ck_assert_int_gt(read(fd, text, sizeof(text) - 1), 0);
	close(fd);
	ck_assert_int_gt(atoi(text), 0);
	ck_assert_int_eq(tracefs__read_id("sched/sched_switch"), atoi(text));
	ck_assert_int_eq(tracefs__read_id("sched/no_such_event"), -ENOENT);
	ck_assert_int_eq(tracefs__read_id("no_such_category/sched_switch"), -ENOENT);
	ck_assert(tracefs__has("available_events"));
	ck_assert(!tracefs__has("no_such_file"));
}
END_TEST

START_TEST(test_nothing_is_left_behind)
{
	unsigned fds = process__count_fds(), mounts = count_mounts();

	tracefs__read_id("sched/sched_switch");
	tracefs__read_id("sched/no_such_event");
	tracefs__has("available_events");
	ck_assert_uint_eq(process__count_fds(), fds);
	ck_assert_uint_eq(count_mounts(), mounts);
}
END_TEST

SUITE(10)
{
	tcase_add_test(tests, test_other_names_are_refused);
	tcase_add_test(tests, test_reads_ids);
	tcase_add_test(tests, test_nothing_is_left_behind);
}

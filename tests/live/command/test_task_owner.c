// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* test_task_owner.c: `uid` and `cgroup`, the owner of an event's task, in expressions and tables.
 */
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "support/machine/harness.h"
#include "support/machine/mounts.h"
#include "support/perf/stock_perf.h"
#include "support/recording/recorded_run.h"

/* Runs a line, which may use $PEAT and $SELF. */
#define shell stock_perf__shellf

/* The traced command: this program opens the file so often as this user. */
static int open_file(const char *uid, const char *times)
{
	if (setuid((uid_t)atoi(uid)))
		return EXIT_FAILURE;
	for (int i = atoi(times); i; i--) {
		int fd = open("file", O_RDONLY | O_CLOEXEC);

		if (fd < 0 || close(fd))
			return EXIT_FAILURE;
		usleep(1000);
	}
	return EXIT_SUCCESS;
}

#define OPENS "-- sh -c '\"$SELF\" open 0 1; \"$SELF\" open 61234 3'"

static void setup(void)
{
	char self[PATH_MAX];
	ssize_t bytes = readlink("/proc/self/exe", self, sizeof(self) - 1);

	ck_assert_int_gt(bytes, 0);
	self[bytes] = '\0';
	setenv("SELF", self, 1);
	recorded_run__setup();
	free(shell("echo text > file; chmod 755 .; chmod 644 file"));
}

static void check_events(char *output, unsigned count)
{
	ck_assert_msg(recorded_run__count(output, "\"path\":\"file\"") == count, "not %u: %s",
		      count, output);
	free(output);
}

static char *trace(const char *options, const char *expression, const char *command)
{
	return shell("$PEAT trace -q -j %s open --where 'path == \"file\" && %s' %s", options,
		     expression, command);
}

/* ---- users ----------------------------------------------------------------------------------- */

static const char *const orders[] = { "", "--ordered", "--latency 0" };

#define ORDERS (int)(sizeof(orders) / sizeof(*orders))

START_TEST(test_events_of_a_user)
{
	check_events(trace(orders[_i], "uid == 61234", OPENS), 3);
	check_events(trace(orders[_i], "uid == 0", OPENS), 1);
	check_events(trace(orders[_i], "(uid < 5 || uid == 61234)", OPENS), 4);
	check_events(trace(orders[_i], "!(uid == 61234)", OPENS), 1);
}
END_TEST

START_TEST(test_table_by_user)
{
	char *output = shell("$PEAT count -q -j open --by uid --where 'path == \"file\"' " OPENS);

	recorded_run__check_has(output, "\"uid\":0,\"count\":1");
	recorded_run__check_has(output, "\"uid\":61234,\"count\":3");
	free(output);
}
END_TEST

/* Events that a field `uid` of their own describes have no other. */
START_TEST(test_own_field_comes_first)
{
	char *output = shell("$PEAT trace -q -j exec --where 'uid == 0' " OPENS);

	ck_assert_uint_eq(recorded_run__count(output, "\"uid\":0"), 3);
	free(output);
}
END_TEST

/* The event of a task that does not run when its event is made. */
START_TEST(test_owner_of_another_task)
{
	char *output = shell("$PEAT trace -q -j sched,min=1us --where 'uid == 61234' " OPENS);

	ck_assert_ptr_nonnull(strstr(output, "\"comm\":\"test_task_owner\""));
	ck_assert_ptr_null(strstr(output, "\"comm\":\"sh\""));
	free(output);
}
END_TEST

/* ---- cgroups --------------------------------------------------------------------------------- */

START_TEST(test_events_of_a_cgroup)
{
	char path[288], expression[320], command[512], by_id[32];
	struct stat found;

	snprintf(path, sizeof(path), "%s/peat-owner-%d", mounts__cgroup2(), (int)getpid());
	ck_assert_int_eq(mkdir(path, 0755), 0);
	ck_assert_int_eq(stat(path, &found), 0);
	snprintf(command, sizeof(command),
		 "-- sh -c '\"$SELF\" open 0 1; echo $$ > %s/cgroup.procs; \"$SELF\" open 0 2'",
		 path);
	snprintf(expression, sizeof(expression), "cgroup == \"%s\"", path);
	check_events(trace("", expression, command), 2);
	snprintf(expression, sizeof(expression), "cgroup != \"%s\"", path);
	check_events(trace("", expression, command), 1);
	snprintf(by_id, sizeof(by_id), "cgroup == %llu", (unsigned long long)found.st_ino);
	check_events(trace("", by_id, command), 2);
	ck_assert_int_eq(rmdir(path), 0);
}
END_TEST

START_TEST(test_unknown_cgroup_is_refused)
{
	char *output =
		shell("! $PEAT trace open --where 'cgroup == \"/no/such/group\"' -- true 2>&1");

	recorded_run__check_has(output, "'/no/such/group' is not a cgroup");
	recorded_run__check_has(output, "where: \"/no/such/group\" is no cgroup");
	free(output);
}
END_TEST

static Suite *task_owner_suite(void)
{
	Suite *suite = suite_create("task_owner");
	TCase *tests = tcase_create("test");

	tcase_set_timeout(tests, 60);
	tcase_add_checked_fixture(tests, setup, stock_perf__teardown);
	tcase_add_loop_test(tests, test_events_of_a_user, 0, ORDERS);
	tcase_add_test(tests, test_table_by_user);
	tcase_add_test(tests, test_own_field_comes_first);
	tcase_add_test(tests, test_owner_of_another_task);
	tcase_add_test(tests, test_events_of_a_cgroup);
	tcase_add_test(tests, test_unknown_cgroup_is_refused);
	suite_add_tcase(suite, tests);
	return suite;
}

int main(int argc, char **argv)
{
	static const suite_fn suites[] = { task_owner_suite };

	if (argc == 4 && !strcmp(argv[1], "open"))
		return open_file(argv[2], argv[3]);
	return harness__main(argc, argv, suites, 1);
}

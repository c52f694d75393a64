// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* test_time_namespace.c: CLOCK_MONOTONIC of a time namespace is not the clock of the events. */
#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <peat/reader.h>

#include "flood.h"
#include "support/load/flood_run.h"
#include "support/machine/harness.h"
#include "support/recording/json_lines.h"
#include "support/perf/stock_perf.h"
#include "support/recording/recorded_run.h"

EMBED_TWINS(flood)

/* The clock of a namespace must not begin before 0. */
static const char *const offsets[] = { "monotonic 1000000 0", "monotonic -5 500000000" };

/* Children of this process begin in a time namespace.  False: the kernel has none. */
static bool enter_namespace(int test)
{
	const char *offset = offsets[test];
	int fd;

	if (unshare(CLONE_NEWTIME)) {
		ck_assert_int_eq(errno, EINVAL);
		return false;
	}
	fd = open("/proc/self/timens_offsets", O_WRONLY | O_CLOEXEC);
	ck_assert_int_ge(fd, 0);
	ck_assert_int_eq(write(fd, offset, strlen(offset)), (ssize_t)strlen(offset));
	ck_assert_int_eq(close(fd), 0);
	return true;
}

#define need_namespace(test)                                                                       \
	do {                                                                                       \
		if (!enter_namespace(test))                                                        \
			skip("this kernel has no time namespaces");                                \
	} while (0)

/* ---- clock ----------------------------------------------------------------------------------- */

static uint64_t clock_ns(clockid_t clock)
{
	struct timespec now;

	ck_assert_int_eq(clock_gettime(clock, &now), 0);
	return (uint64_t)now.tv_sec * 1000000000 + (uint64_t)now.tv_nsec;
}

static void send_time(int fd)
{
	uint64_t now_ns = peat_clock__now_ns();

	_exit(write(fd, &now_ns, sizeof(now_ns)) == sizeof(now_ns) ? 0 : 1);
}

static uint64_t time_in_child(void)
{
	uint64_t time_ns = 0;
	int fds[2];
	pid_t pid;

	ck_assert_int_eq(pipe2(fds, O_CLOEXEC), 0);
	pid = fork();
	ck_assert_int_ge(pid, 0);
	if (!pid)
		send_time(fds[1]);
	ck_assert_int_eq(read(fds[0], &time_ns, sizeof(time_ns)), sizeof(time_ns));
	ck_assert_int_eq(waitpid(pid, NULL, 0), pid);
	close(fds[0]);
	close(fds[1]);
	return time_ns;
}

/* The namespace of this process stays the initial one. */
START_TEST(test_clock_of_initial_namespace)
{
	uint64_t before_ns = clock_ns(CLOCK_MONOTONIC), time_ns;

	ck_assert_uint_ge(peat_clock__now_ns(), before_ns);
	need_namespace(_i);
	time_ns = peat_clock__now_ns();
	ck_assert_uint_ge(time_ns, before_ns);
	ck_assert_uint_le(time_ns, clock_ns(CLOCK_MONOTONIC));
	time_ns = time_in_child();
	ck_assert_uint_ge(time_ns, before_ns);
	ck_assert_uint_le(time_ns, clock_ns(CLOCK_MONOTONIC));
}
END_TEST

/* ---- command --------------------------------------------------------------------------------- */

static uint64_t wall_ns(const char *event)
{
	const char *text = json_lines__text(event, "time");
	struct tm tm = { 0 };
	const char *rest = text ? strptime(text, "%Y-%m-%dT%H:%M:%S", &tm) : NULL;

	ck_assert_msg(rest && *rest == '.', "no time of day in %s", event);
	return (uint64_t)timegm(&tm) * 1000000000 + strtoull(rest + 1, NULL, 10);
}

/* Frees `output`. */
static void check_wall_times(char *output, uint64_t begun_ns)
{
	const uint64_t ended_ns = clock_ns(CLOCK_REALTIME), second_ns = 1000000000;
	struct json_lines events = json_lines__split(output);

	ck_assert_uint_gt(events.count, 0);
	for (size_t i = 0; i < events.count; i++) {
		ck_assert_uint_gt(wall_ns(events.lines[i]), begun_ns - second_ns);
		ck_assert_uint_lt(wall_ns(events.lines[i]), ended_ns + second_ns);
	}
	json_lines__free(&events);
	free(output);
}

START_TEST(test_time_of_day)
{
	const uint64_t begun_ns = clock_ns(CLOCK_REALTIME);

	need_namespace(_i);
	check_wall_times(stock_perf__shell("$PEAT trace -q -j -T exec -- true"), begun_ns);
	check_wall_times(stock_perf__shell("$PEAT record -q -o recorded exec -- true && "
					   "$PEAT replay -q -j -T recorded"),
			 begun_ns);
}
END_TEST

/* The recorder counts back from now. */
START_TEST(test_last_events)
{
	struct flood_run flood;
	struct recorded_run run;
	struct command peat;

	need_namespace(_i);
	recorded_run__put(&flood_object);
	flood_run__make(&flood, 10, 0, 10);
	command__start(&peat, ALL_CAPS,
		       RECORD("--flight", "1M", "--last", "1h", "-o", "dump", FLOOD(&flood)));
	command__expect(peat.err, "keeping the last");
	flood_run__start(&flood);
	flood_run__wait(&flood);
	recorded_run__stop(&peat, 0);
	command__free(&peat);
	recorded_run__read("dump.1", &run);
	ck_assert_uint_eq(run.samples, 100);
}
END_TEST

/* The reader applies new names up to now, and returns ordered events of the past. */
START_TEST(test_names_of_tasks)
{
	char *output;

	need_namespace(_i);
	output =
		stock_perf__shell("cp /bin/true own_name && "
				  "$PEAT trace -q -j --ordered exit -- sh -c './own_name; exit 0'");
	recorded_run__check_has(output, "\"comm\":\"own_name\"");
	free(output);
}
END_TEST

static Suite *time_namespace_suite(void)
{
	const int count = sizeof(offsets) / sizeof(*offsets);
	TCase *tests;
	Suite *suite = harness__suite("time_namespace", 60, &tests);

	tcase_add_checked_fixture(tests, recorded_run__setup, stock_perf__teardown);
	tcase_add_loop_test(tests, test_clock_of_initial_namespace, 0, count);
	tcase_add_loop_test(tests, test_time_of_day, 0, count);
	tcase_add_loop_test(tests, test_last_events, 0, count);
	tcase_add_loop_test(tests, test_names_of_tasks, 0, count);
	return suite;
}

int main(int argc, char **argv)
{
	static const suite_fn suites[] = { time_namespace_suite };

	return harness__main(argc, argv, suites, 1);
}

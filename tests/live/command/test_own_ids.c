// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* test_own_ids.c: events have the ids of their tasks in their own pid namespaces. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support/machine/harness.h"
#include "support/perf/stock_perf.h"
#include "support/recording/json_lines.h"
#include "support/recording/recorded_run.h"

#define shell stock_perf__shellf

/* Runs /bin/true with its own pid as argument: in this namespace, in a new one, and in one below.
 */
#define SCRIPT                                                                                     \
	"cat > own.sh <<'END'\n"                                                                   \
	"sh -c 'exec /bin/true $$'\n"                                                              \
	"[ $1 -eq 0 ] || unshare --pid --fork --mount-proc sh own.sh $(($1 - 1))\n"                \
	"sh -c 'exec /bin/true $$'\n"                                                              \
	"END\n"

static void setup(void)
{
	recorded_run__setup();
	free(shell(SCRIPT));
}

/* Whether the event is one of /bin/true with an argument; then it has to be the id. */
static bool check_event(const char *event, const char *member)
{
	const char *args = strstr(event, "\"args\":[\"/bin/true\",\"");
	long own;

	if (!args)
		return false;
	own = strtol(args + strlen("\"args\":[\"/bin/true\",\""), NULL, 10);
	ck_assert_int_gt(own, 0);
	ck_assert_msg(json_lines__number(event, member) == own, "another id: %s", event);
	return true;
}

/* The tasks have ended when their events are read. */
static void check_ids(const char *options, const char *member)
{
	char *output = shell("$PEAT trace -q -j exec %s -- sh own.sh 2", options);
	struct json_lines events = json_lines__split(output);
	unsigned checked = 0;

	for (size_t i = 0; i < events.count; i++)
		checked += check_event(events.lines[i], member);
	ck_assert_uint_eq(checked, 6);
	json_lines__free(&events);
	free(output);
}

START_TEST(test_ids_of_namespaces)
{
	check_ids("--identity", "nspid");
	check_ids("--identity --ordered", "nspid");
	check_ids("--identity --latency 0", "nspid");
	check_ids("--fields nspid,args", "nspid");
	check_ids("--fields nstid,args", "nstid");
}
END_TEST

/* Nested shells have the pid 1. */
START_TEST(test_selects_by_own_pid)
{
	char *output = shell("$PEAT trace -q -j exec --where 'nspid == 1' -- sh own.sh 2");

	ck_assert_uint_eq(recorded_run__count(output, "\"own.sh\""), 2);
	free(output);
	output = shell("$PEAT count -q -j exec --by nspid --where 'nspid == 1' -- sh own.sh 2");
	recorded_run__check_has(output, "{\"nspid\":1,\"count\":2}");
	free(output);
}
END_TEST

START_TEST(test_prints_own_pids)
{
	char *output = shell("$PEAT trace exec --identity -- sh own.sh 1 2>&1");

	recorded_run__check_has(output, "  NSPID");
	free(output);
	output = shell("$PEAT trace -q exec --fields nspid,filename --where 'nspid == 1'"
		       " -- sh own.sh 1");
	ck_assert_ptr_nonnull(strstr(output, "      1  "));
	free(output);
}
END_TEST

/* A task that existed before. */
START_TEST(test_older_tasks)
{
	char *output =
		shell("mkfifo go; unshare --pid --fork --mount-proc sh -c 'read x < go; exec "
		      "/bin/true' &\n"
		      "sleep 0.1; $PEAT trace -q -j exec --identity -a --where 'nspid == 1' --"
		      " sh -c 'echo x > go; sleep 0.2'; wait");

	recorded_run__check_has(output, "\"nspid\":1,");
	free(output);
}
END_TEST

/* In a pid namespace, and in recordings, they are unknown. */
START_TEST(test_unknown_own_pids)
{
	char *output = shell("unshare --pid --fork --mount-proc $PEAT trace -q -j exec --identity"
			     " -- sh own.sh 0 2>&1");

	recorded_run__check_has(output, "\"nspid\":null,");
	free(output);
	output = shell(
		"$PEAT record -q exec --identity -o file -- sh own.sh 1\n"
		"$PEAT replay -q -j file --identity; ! $PEAT replay file --fields nspid 2>&1");
	ck_assert_ptr_null(strstr(output, "\"nspid\":"));
	recorded_run__check_has(output, "no field \"nspid\"");
	free(output);
}
END_TEST

static Suite *own_ids_suite(void)
{
	TCase *tests;
	Suite *suite = harness__suite("own_ids", 120, &tests);

	tcase_add_checked_fixture(tests, setup, stock_perf__teardown);
	tcase_add_test(tests, test_ids_of_namespaces);
	tcase_add_test(tests, test_selects_by_own_pid);
	tcase_add_test(tests, test_prints_own_pids);
	tcase_add_test(tests, test_older_tasks);
	tcase_add_test(tests, test_unknown_own_pids);
	return suite;
}

int main(int argc, char **argv)
{
	static const suite_fn suites[] = { own_ids_suite };

	return harness__main(argc, argv, suites, 1);
}

// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* test_tracepoints.c: tracepoints by name and pattern. */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "pmu/tracepoints.h"
#include "unit/pmu/pmu_tree.h"
#include "unit/suite.h"

static char found[1024];

static int add(void *arg, const struct pmu_tracepoint *tracepoint)
{
	size_t used = strlen(found);

	snprintf(found + used, sizeof(found) - used, "%s%s:%s=%u", used ? " " : "",
		 tracepoint->system, tracepoint->event, tracepoint->id);
	return arg ? *(int *)arg : 0;
}

static int visit(int tree, const char *system, const char *event)
{
	*found = '\0';
	return pmu_tracepoints__visit(tree, system, event, add, NULL);
}

START_TEST(test_visits_named_tracepoint)
{
	int tree = pmu_tree__tracepoints();

	ck_assert_int_eq(visit(tree, "sched", "sched_switch"), 0);
	ck_assert_str_eq(found, "sched:sched_switch=310");
	ck_assert_int_eq(visit(tree, "sched", "none"), -ENOENT);
	ck_assert_int_eq(visit(tree, "none", "sched_switch"), -ENOENT);
	ck_assert_int_eq(visit(tree, "sched", "enable"), -ENOENT);
	ck_assert_int_eq(visit(tree, "..", "sched"), -ENOENT);
	ck_assert_int_eq(visit(tree, "sched/sched_switch", "*"), -ENOENT);
	ck_assert_int_eq(visit(tree, "sched", "../sched/sched_switch"), -ENOENT);
	pmu_tree__add(tree, "broken/event/id", "many\n");
	ck_assert_int_eq(visit(tree, "broken", "event"), -EBADMSG);
	pmu_tree__free(tree);
}
END_TEST

START_TEST(test_visits_matching_tracepoints)
{
	int tree = pmu_tree__tracepoints(), stop = 7;

	ck_assert_int_eq(visit(tree, "sched", "*"), 0);
	ck_assert_str_eq(found, "sched:sched_switch=310 sched:sched_wakeup=311 "
				"sched:sched_waking=312");
	ck_assert_int_eq(visit(tree, "s*", "*_wake?p"), 0);
	ck_assert_str_eq(found, "sched:sched_wakeup=311 scsi:scsi_eh_wakeup=500");
	ck_assert_int_eq(visit(tree, "[ps]*", "hup"), 0);
	ck_assert_str_eq(found, "probe:hup=1500");
	ck_assert_int_eq(visit(tree, "sched", "x*"), -ENOENT);
	ck_assert_int_eq(visit(tree, "x*", "*"), -ENOENT);
	*found = '\0';
	ck_assert_int_eq(pmu_tracepoints__visit(tree, "sched", "*", add, &stop), 7);
	ck_assert_str_eq(found, "sched:sched_switch=310");
	pmu_tree__free(tree);
}
END_TEST

START_TEST(test_suggests_tracepoints)
{
	struct suggestion suggestion = { .wanted = "shced:sched_swich" };
	int tree = pmu_tree__tracepoints();

	pmu_tracepoints__suggest(tree, &suggestion);
	ck_assert_str_eq(suggestion.best, "sched:sched_switch");
	pmu_tree__free(tree);
}
END_TEST

SUITE(10)
{
	tcase_add_test(tests, test_visits_named_tracepoint);
	tcase_add_test(tests, test_visits_matching_tracepoints);
	tcase_add_test(tests, test_suggests_tracepoints);
}

// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* test_follow.c: options about threads, processes and programs that counters follow. */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include <peat/log.h>

#include "counters/follow.h"
#include "unit/suite.h"

static char logged[512];
static struct pmu_events events;

static void keep_message(enum peat_log_level level, const char *text)
{
	if (level == PEAT_LOG_ERROR)
		snprintf(logged, sizeof(logged), "%s", text);
}

static int prepare(const struct peat_counters_opts *opts)
{
	logged[0] = '\0';
	peat_set_print(keep_message);
	pmu_events__free(&events);
	events = (struct pmu_events){ 0 };
	ck_assert_int_eq(pmu_events__parse(&events, "page-faults,task-clock"), 0);
	return follow__prepare(&events, opts);
}

static void expect_refused(const struct peat_counters_opts *opts, const char *message)
{
	ck_assert_int_eq(prepare(opts), -EINVAL);
	ck_assert_msg(strstr(logged, message), "no '%s' in '%s'", message, logged);
}

START_TEST(test_refused_threads)
{
	struct peat_counters_opts opts = { .sz = sizeof(opts), .inherit_thread = true };

	opts.no_inherit = true;
	expect_refused(&opts, "inherit_thread is for tasks");
	opts.no_inherit = false;
	opts.self = true;
	expect_refused(&opts, "inherit_thread is for tasks");
	opts.self = false;
	opts.all_tasks = true;
	expect_refused(&opts, "inherit_thread is for tasks");
	opts.all_tasks = false;
	opts.cgroup = "/";
	expect_refused(&opts, "inherit_thread is for tasks");
}
END_TEST

START_TEST(test_refused_programs)
{
	struct peat_counters_opts opts = { .sz = sizeof(opts), .remove_on_exec = true };

	opts.all_tasks = true;
	expect_refused(&opts, "remove_on_exec is for tasks");
	opts.all_tasks = false;
	opts.cgroup = "/";
	expect_refused(&opts, "remove_on_exec is for tasks");
	opts.cgroup = NULL;
	opts.enable_on_exec = true;
	expect_refused(&opts, "exclude each other");
}
END_TEST

static void expect_requested(const struct peat_counters_opts *opts)
{
	for (uint32_t i = 0; i < events.count; i++) {
		ck_assert_uint_eq(events.at[i].attr.inherit_thread, opts->inherit_thread);
		ck_assert_uint_eq(events.at[i].attr.remove_on_exec, opts->remove_on_exec);
	}
}

START_TEST(test_each_event_is_requested)
{
	struct peat_counters_opts opts = { .sz = sizeof(opts) };
	int err = prepare(&opts);

	ck_assert_int_eq(err, 0);
	expect_requested(&opts);
	opts.inherit_thread = true;
	err = prepare(&opts);
	if (err == -EOPNOTSUPP)
		skip("this kernel has no remove_on_exec (Linux 5.13)");
	ck_assert_int_eq(err, 0);
	expect_requested(&opts);
	opts.remove_on_exec = true;
	ck_assert_int_eq(prepare(&opts), 0);
	expect_requested(&opts);
	opts.inherit_thread = false;
	ck_assert_int_eq(prepare(&opts), 0);
	expect_requested(&opts);
}
END_TEST

static void teardown(void)
{
	pmu_events__free(&events);
	events = (struct pmu_events){ 0 };
}

SUITE(10)
{
	tcase_add_checked_fixture(tests, NULL, teardown);
	tcase_add_test(tests, test_refused_threads);
	tcase_add_test(tests, test_refused_programs);
	tcase_add_test(tests, test_each_event_is_requested);
}

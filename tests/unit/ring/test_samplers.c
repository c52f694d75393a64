// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* test_samplers.c: perf events of this process, opened and started. */
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include <peat/log.h>

#include "support/machine/harness.h"
#include "support/machine/process.h"
#include "ring/samplers.h"
#include "unit/suite.h"

#define COUNT 3

static struct sampler made[COUNT];
static uint32_t tasks[2];
static struct samplers samplers;
static struct perf_event_attr common;

/* User space only: no permission is needed. */
static void make(uint32_t i, uint32_t type, uint64_t config)
{
	made[i] = (struct sampler){ .name = "event", .leader = i };
	made[i].attr = (struct perf_event_attr){
		.size = sizeof(struct perf_event_attr),
		.type = type,
		.config = config,
		/* A clock's, in ns: one of 1 would interrupt each CPU every 10 us. */
		.sample_period = 1000000,
		.sample_type = SAMPLERS_IDS,
		.exclude_kernel = 1,
		.exclude_hv = 1,
	};
}

static void setup(void)
{
	make(0, PERF_TYPE_SOFTWARE, PERF_COUNT_SW_PAGE_FAULTS);
	make(1, PERF_TYPE_SOFTWARE, PERF_COUNT_SW_TASK_CLOCK);
	make(2, PERF_TYPE_SOFTWARE, PERF_COUNT_SW_DUMMY);
	tasks[0] = tasks[1] = (uint32_t)getpid();
	samplers = (struct samplers){
		.at = made, .count = COUNT, .tasks = tasks, .task_count = 2, .cgroup_fd = -1
	};
	common = (struct perf_event_attr){ .size = sizeof(common),
					   .type = PERF_TYPE_SOFTWARE,
					   .config = PERF_COUNT_SW_DUMMY,
					   .read_format = PERF_FORMAT_TOTAL_TIME_ENABLED,
					   .exclude_kernel = 1 };
}

START_TEST(test_indexes_of_sides_and_outputs)
{
	ck_assert_uint_eq(samplers__sides(&samplers), 2);
	ck_assert_uint_eq(samplers__outputs(&samplers), 6);
	ck_assert_ptr_eq(samplers__of(&samplers, 4), &made[1]);
	samplers.task_count = 0;
	ck_assert_uint_eq(samplers__sides(&samplers), 1);
	ck_assert_uint_eq(samplers__outputs(&samplers), 3);
}
END_TEST

START_TEST(test_attr_of_leader_and_member)
{
	struct perf_event_attr attr;

	made[1].leader = 0;
	samplers.inherit = samplers.on_exec = true;
	attr = samplers__attr(&samplers, 0);
	ck_assert(attr.disabled && attr.enable_on_exec && attr.inherit && attr.sample_id_all);
	attr = samplers__attr(&samplers, 1);
	ck_assert(!attr.disabled && !attr.enable_on_exec && attr.inherit);
	samplers.task_count = 0;
	attr = samplers__attr(&samplers, 0);
	ck_assert(!attr.inherit);
}
END_TEST

static bool is_allowed(void)
{
	return samplers__try(&samplers, 2, 0) != -EACCES;
}

/* Reads value and time. */
static uint64_t count_of(int fd)
{
	uint64_t counts[2] = { 0 };

	ck_assert_int_eq(read(fd, counts, sizeof(counts)), sizeof(counts));
	return counts[0];
}

static void fault(void)
{
	static volatile char pages[1 << 20];

	for (size_t i = 0; i < sizeof(pages); i += 4096)
		pages[i] = 1;
}

/* Events are disabled until they are started, those of a group together. */
START_TEST(test_start_enables_groups)
{
	int fds[8];

	if (!is_allowed())
		skip("kernel.perf_event_paranoid does not allow perf events");
	process__pin_to(0);
	made[1].leader = 0;
	for (uint32_t i = 0; i < 8; i++) {
		fds[i] = samplers__open(&samplers, i, 0, &common, fds);
		ck_assert_int_ge(fds[i], 0);
	}
	fault();
	ck_assert_uint_eq(count_of(fds[0]), 0);
	ck_assert_uint_eq(count_of(fds[1]), 0);
	ck_assert_int_eq(samplers__start(&samplers, 0, fds[0], true), 0);  /* at exec() */
	ck_assert_int_eq(samplers__start(&samplers, 1, fds[1], false), 0); /* by its leader */
	fault();
	ck_assert_uint_eq(count_of(fds[1]), 0);
	ck_assert_int_eq(samplers__start(&samplers, 0, fds[0], false), 0);
	for (volatile int i = 0; i < 1000000; i++)
		;
	ck_assert_uint_gt(count_of(fds[1]), 0);
	ck_assert_int_eq(samplers__start(&samplers, 7, fds[7], false), 0);
	for (uint32_t i = 0; i < 8; i++)
		close(fds[i]);
}
END_TEST

/* Events that a CPU does not have, with the members of their group. */
START_TEST(test_no_event)
{
	struct cpus cpus = { 0 };
	int fds[8];

	if (!is_allowed())
		skip("kernel.perf_event_paranoid does not allow perf events");
	ck_assert_int_eq(cpus__add(&cpus, 1), 0);
	made[0].cpus = &cpus;
	made[1].leader = 0;
	fds[0] = samplers__open(&samplers, 0, 0, &common, fds);
	fds[1] = samplers__open(&samplers, 1, 0, &common, fds);
	ck_assert_int_eq(fds[0], SAMPLERS_NO_EVENT);
	ck_assert_int_eq(fds[1], SAMPLERS_NO_EVENT);
	tasks[1] = 0x3fffffff; /* of no task */
	ck_assert_int_eq(samplers__open(&samplers, 5, 0, &common, fds), SAMPLERS_NO_EVENT);
	samplers.task_count = 1;
	tasks[0] = 0x3fffffff;
	ck_assert_int_eq(samplers__open(&samplers, 2, 0, &common, fds), -ESRCH);
	cpus__free(&cpus);
}
END_TEST

static char logged[512];

static void note(enum peat_log_level level, const char *text)
{
	if (level == PEAT_LOG_ERROR)
		snprintf(logged, sizeof(logged), "%s", text);
}

START_TEST(test_errors_name_remedy)
{
	unsigned fds = process__count_fds();

	if (!is_allowed())
		skip("kernel.perf_event_paranoid does not allow perf events");
	make(0, UINT32_MAX - 1, 0);
	ck_assert_int_eq(samplers__try(&samplers, 0, 0), -ENOENT);
	peat_set_print(note);
	ck_assert_int_eq(samplers__log_error(&made[0], -ENOENT), -ENOENT);
	ck_assert_str_eq(logged, "cannot sample event: No such file or directory: this machine "
				 "does not have the event: peat list --events shows its events");
	made[0].filter = "no_such_field == 1";
	ck_assert_int_lt(samplers__start(&samplers, 0, -1, false), 0);
	ck_assert_ptr_nonnull(strstr(logged, "refuses the filter 'no_such_field == 1'"));
	ck_assert_uint_eq(process__count_fds(), fds);
}
END_TEST

SUITE(60)
{
	tcase_add_checked_fixture(tests, setup, NULL);
	tcase_add_test(tests, test_indexes_of_sides_and_outputs);
	tcase_add_test(tests, test_attr_of_leader_and_member);
	tcase_add_test(tests, test_start_enables_groups);
	tcase_add_test(tests, test_no_event);
	tcase_add_test(tests, test_errors_name_remedy);
}

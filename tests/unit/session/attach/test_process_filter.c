// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* test_process_filter.c: processes by the names of their threads. */
#include <string.h>
#include <sys/prctl.h>
#include <unistd.h>

#include <peat/session.h>

#include "session/attach/process_filter.h"
#include "unit/fail_alloc.h"
#include "unit/suite.h"

START_TEST(test_all_processes)
{
	const struct peat_session_opts opts = { .sz = sizeof(opts) };
	struct process_filter filter;

	ck_assert_int_eq(process_filter__init(&filter, &opts), 0);
	ck_assert(process_filter__accepts(&filter, (uint32_t)getpid()));
	process_filter__free(&filter);
}
END_TEST

START_TEST(test_name_of_a_thread)
{
	const struct peat_session_opts opts = { .sz = sizeof(opts), .comm = "peat_filter" };
	struct process_filter filter;

	ck_assert_int_eq(process_filter__init(&filter, &opts), 0);
	ck_assert(!process_filter__accepts(&filter, (uint32_t)getpid()));
	prctl(PR_SET_NAME, "peat_filter");
	ck_assert(process_filter__accepts(&filter, (uint32_t)getpid()));
	ck_assert(!process_filter__accepts(&filter, UINT32_MAX));
	process_filter__free(&filter);
}
END_TEST

/* A cgroup that is unknown does not narrow them. */
START_TEST(test_unknown_cgroup)
{
	const struct peat_session_opts opts = { .sz = sizeof(opts), .cgroup = "/no/such/cgroup" };
	struct process_filter filter;
	long blocks;

	ck_assert_int_eq(process_filter__init(&filter, &opts), 0);
	blocks = fail_alloc__blocks();
	ck_assert_int_eq(process_filter__init(&filter, &opts), 0);
	ck_assert(process_filter__accepts(&filter, (uint32_t)getpid()));
	process_filter__free(&filter);
	ck_assert_int_eq(fail_alloc__blocks(), blocks);
}
END_TEST

SUITE(20)
{
	tcase_add_test(tests, test_all_processes);
	tcase_add_test(tests, test_name_of_a_thread);
	tcase_add_test(tests, test_unknown_cgroup);
}

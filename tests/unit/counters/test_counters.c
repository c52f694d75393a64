// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* test_counters.c: counters when memory is short.  tests/live/counters has what they count. */
#include <errno.h>
#include <unistd.h>

#include <peat/counters.h>

#include "support/machine/process.h"
#include "unit/fail_alloc.h"
#include "unit/suite.h"

static void check_each_allocation(const struct peat_counters_opts *opts)
{
	unsigned fds = process__count_fds();
	long blocks = fail_alloc__blocks();

	for (unsigned nth = 1; nth; nth++) {
		struct peat_counters *counters;
		bool failed;
		int err;

		fail_alloc__begin(nth);
		counters = peat_counters__new(opts);
		err = errno;
		failed = fail_alloc__end();
		ck_assert(counters || (failed && err == ENOMEM)); /* or only a message is lost */
		peat_counters__free(counters);
		ck_assert_int_eq(fail_alloc__blocks(), blocks);
		ck_assert_uint_eq(process__count_fds(), fds);
		if (!failed)
			break;
	}
}

START_TEST(test_no_memory)
{
	const uint32_t pid = (uint32_t)getpid();
	struct peat_counters_opts opts = { .sz = sizeof(opts),
					   .events = "{page-faults:u,task-clock:u},page-faults",
					   .pids = &pid,
					   .pid_count = 1 };
	struct peat_counters *counters = peat_counters__new(&opts);

	if (!counters)
		skip("perf events of user space may not be opened here");
	peat_counters__free(counters);
	check_each_allocation(&opts);
	opts.period = 1000;
	check_each_allocation(&opts);
}
END_TEST

SUITE(10)
{
	tcase_add_test(tests, test_no_memory);
}

// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* test_fork_mark.c: a mark tells a child of fork() from its parent. */
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/fork_mark.h"
#include "support/machine/harness.h"
#include "unit/suite.h"

START_TEST(test_child_inherits_mark)
{
	struct fork_mark *mark = fork_mark__new();
	int status;
	pid_t pid;

	ck_assert_ptr_nonnull(mark);
	ck_assert(!fork_mark__is_inherited(mark));
	pid = fork();
	ck_assert_int_ge(pid, 0);
	if (!pid) {
		struct fork_mark *own = fork_mark__new();
		bool right = fork_mark__is_inherited(mark) && own && !fork_mark__is_inherited(own);

		fork_mark__free(mark);
		fork_mark__free(own);
		_exit(right ? 0 : 1);
	}
	ck_assert_int_eq(waitpid(pid, &status, 0), pid);
	ck_assert_int_eq(status, 0);
	ck_assert(!fork_mark__is_inherited(mark));
	fork_mark__free(mark);
}
END_TEST

START_TEST(test_no_mark_is_inherited)
{
	ck_assert(!fork_mark__is_inherited(NULL));
	fork_mark__free(NULL);
}
END_TEST

SUITE(10)
{
	tcase_add_test(tests, test_child_inherits_mark);
	tcase_add_test(tests, test_no_mark_is_inherited);
}

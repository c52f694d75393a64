// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* test_namespaces.c: whether this process is in the initial namespaces. */
#include <sched.h>
#include <sys/wait.h>
#include <unistd.h>

#include "sys/namespaces.h"
#include "unit/suite.h"

START_TEST(test_all_have_names)
{
	for (enum namespace_kind kind = NAMESPACE_USER; kind < NAMESPACES; kind++) {
		ck_assert_ptr_nonnull(namespaces__get(kind)->name);
		ck_assert_ptr_nonnull(namespaces__get(kind)->lacks);
	}
}
END_TEST

/* Cgroups that were mounted before stay visible. */
static bool is_other(enum namespace_kind kind)
{
	enum namespace_state state = namespaces__state(kind);

	return state == NAMESPACE_OTHER || state == NAMESPACE_TRANSPARENT;
}

/* A new namespace is never the initial one. */
START_TEST(test_other_namespace)
{
	int status;
	pid_t child = fork();

	ck_assert_int_ge(child, 0);
	if (!child)
		_exit(unshare(CLONE_NEWCGROUP) ? 2 : is_other(NAMESPACE_CGROUP));
	ck_assert_int_eq(waitpid(child, &status, 0), child);
	if (WEXITSTATUS(status) == 2)
		skip("no cgroup namespace may be made");
	ck_assert_int_eq(WEXITSTATUS(status), 1);
}
END_TEST

SUITE(10)
{
	tcase_add_test(tests, test_all_have_names);
	tcase_add_test(tests, test_other_namespace);
}

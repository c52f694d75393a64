// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* test_capable.c: the probe capable: checks that a child of the test causes. */
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "support/machine/harness.h"
#include "support/machine/mounts.h"
#include "support/machine/tracing.h"

/* Linux 6.14. */
#define HOOK "capability/cap_capable"

static bool has_hook(void)
{
	mounts__need_tracefs();
	return !access("/sys/kernel/tracing/events/" HOOK "/id", F_OK);
}

/* Runs `function` in a child, and traces it. */
static pid_t trace_child(struct tracing *tracing, const char *probe, int (*function)(void *))
{
	pid_t child;

	tracing__start(tracing, TRACE(probe));
	child = process__start(function, NULL);
	ck_assert_int_eq(process__wait(child), 0);
	tracing__stop(tracing);
	return child;
}

/* The events of the child with this capability; `last`: one of them. */
static size_t count_checks(const struct tracing *tracing, pid_t child, const char *cap,
			   const char **last)
{
	size_t count = 0, from = 0;
	const char *event;

	while ((event = tracing__next(tracing, "capable", child, &from))) {
		if (strcmp(json_lines__text(event, "cap"), cap))
			continue;
		*last = event;
		count++;
	}
	return count;
}

static int change_root(void *unused)
{
	(void)unused;
	return chroot("/") || chroot("/");
}

static int change_root_without(void *unused)
{
	(void)unused;
	if (setresuid(4321, 4321, 4321))
		return 1;
	return !chroot("/") || !chroot("/");
}

START_TEST(test_each_check_once)
{
	struct tracing tracing;
	const char *event = NULL;
	pid_t child;

	if (!has_hook())
		skip("no tracepoint " HOOK " (Linux 6.14)");
	child = trace_child(&tracing, _i ? "capable,repeats" : "capable", change_root);
	ck_assert_uint_eq(count_checks(&tracing, child, "CAP_SYS_CHROOT", &event), _i ? 2 : 1);
	expect_number(event, "result", 0);
	expect_number(event, "uid", (long long)geteuid());
	ck_assert_uint_eq(tracing__count(&tracing, "capable", tracing.peat.pid), 0);
	tracing__free(&tracing);
}
END_TEST

START_TEST(test_failed_checks_are_traced)
{
	struct tracing tracing;
	const char *event = NULL;
	size_t from = 0;
	pid_t child;

	if (!has_hook())
		skip("no tracepoint " HOOK " (Linux 6.14)");
	child = trace_child(&tracing, "capable,failed", change_root_without);
	ck_assert_uint_eq(count_checks(&tracing, child, "CAP_SYS_CHROOT", &event), 1);
	expect_text(event, "result", "EPERM");
	expect_number(event, "uid", 4321);
	while ((event = tracing__next(&tracing, "capable", child, &from)))
		expect_text(event, "result", "EPERM");
	tracing__free(&tracing);
}
END_TEST

START_TEST(test_success_is_no_failure)
{
	struct tracing tracing;
	const char *event = NULL;
	pid_t child;

	if (!has_hook())
		skip("no tracepoint " HOOK " (Linux 6.14)");
	child = trace_child(&tracing, "capable,failed", change_root);
	ck_assert_uint_eq(count_checks(&tracing, child, "CAP_SYS_CHROOT", &event), 0);
	tracing__free(&tracing);
}
END_TEST

/* In a user namespace of its own, the child has all capabilities. */
static int own_pipe[2];

static int change_root_of_its_own(void *unused)
{
	char name[64] = "";

	(void)unused;
	if (setresuid(4321, 4321, 4321) || unshare(CLONE_NEWUSER))
		return 77;
	if (readlink("/proc/self/ns/user", name, sizeof(name) - 1) < 0 ||
	    write(own_pipe[1], name, sizeof(name)) != sizeof(name))
		return 1;
	return chroot("/");
}

START_TEST(test_user_namespace)
{
	struct tracing tracing;
	const char *event = NULL;
	char name[64];
	pid_t child;
	int status;

	if (!has_hook())
		skip("no tracepoint " HOOK " (Linux 6.14)");
	ck_assert_int_eq(pipe(own_pipe), 0);
	tracing__start(&tracing, TRACE("capable"));
	child = process__start(change_root_of_its_own, NULL);
	status = process__wait(child);
	tracing__stop(&tracing);
	if (status == 77 << 8)
		skip("no user namespaces for ordinary users");
	ck_assert_int_eq(status, 0);
	ck_assert_int_eq(read(own_pipe[0], name, sizeof(name)), sizeof(name));
	ck_assert_uint_eq(count_checks(&tracing, child, "CAP_SYS_CHROOT", &event), 1);
	expect_number(event, "result", 0);
	expect_number(event, "namespace", strtol(strchr(name, '[') + 1, NULL, 10));
	tracing__free(&tracing);
}
END_TEST

static int map_memory(void *unused)
{
	(void)unused;
	if (setresuid(4321, 4321, 4321))
		return 1;
	for (int i = 0; i < 100; i++)
		if (mmap(NULL, 1 << 20, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1,
			 0) == MAP_FAILED)
			return 1;
	return 0;
}

/* Memory is mapped without CAP_SYS_ADMIN, though the kernel checks it. */
START_TEST(test_mappings_need_none)
{
	struct tracing tracing;
	const char *event = NULL;
	pid_t child;

	if (!has_hook())
		skip("no tracepoint " HOOK " (Linux 6.14)");
	child = trace_child(&tracing, "capable,repeats", map_memory);
	ck_assert_uint_eq(count_checks(&tracing, child, "CAP_SYS_ADMIN", &event), 0);
	ck_assert_uint_gt(count_checks(&tracing, child, "CAP_SETUID", &event), 0);
	tracing__free(&tracing);
}
END_TEST

START_TEST(test_kernel_without_it)
{
	struct command peat;

	if (has_hook())
		skip("this kernel has the tracepoint " HOOK);
	command__run(&peat, ALL_CAPS, ARGV(command__peat(), "trace", "capable", "-d", "1"));
	ck_assert_int_ne(peat.status, 0);
	ck_assert_msg(strstr(peat.err_text, "this kernel has no such tracepoint"), "%s",
		      peat.err_text);
	command__free(&peat);
}
END_TEST

static Suite *capable_suite(void)
{
	TCase *tests;
	Suite *suite = harness__suite("capable", 60, &tests);

	tcase_add_loop_test(tests, test_each_check_once, 0, 2);
	tcase_add_test(tests, test_failed_checks_are_traced);
	tcase_add_test(tests, test_success_is_no_failure);
	tcase_add_test(tests, test_user_namespace);
	tcase_add_test(tests, test_mappings_need_none);
	tcase_add_test(tests, test_kernel_without_it);
	return suite;
}

int main(int argc, char **argv)
{
	static const suite_fn suites[] = { capable_suite };

	return harness__main(argc, argv, suites, 1);
}

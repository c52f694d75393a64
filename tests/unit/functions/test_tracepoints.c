// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* test_tracepoints.c: tracepoints are selected from the text of available_events. */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "functions/tracepoints.h"

#include "unit/fail_alloc.h"
#include "unit/suite.h"

static const char events[] = "sched:sched_waking\n"
			     "sched:sched_switch\n"
			     "syscalls:sys_enter_read\n"
			     "syscalls:sys_exit_read\n"
			     "ext4:ext4_sync_file_enter\n"
			     "no_colon\n"
			     "\n"
			     "sched:sched_switch\n"
			     "ftrace:function";

struct wanted {
	const char *category, *name;
};

static void check(const char *category, const char *name, const struct wanted *wanted, size_t count)
{
	struct found_functions found = { 0 };

	ck_assert_int_eq(tracepoints__select(&found, category, name, events), 0);
	ck_assert_uint_eq(found.count, count);
	for (size_t i = 0; i < count; i++) {
		ck_assert_str_eq(found.at[i].module, wanted[i].category);
		ck_assert_str_eq(found.at[i].name, wanted[i].name);
		ck_assert_uint_eq(found.at[i].place, 0);
		ck_assert_ptr_null(found.at[i].arguments);
	}
	ck_assert_ptr_null(found.alike.wanted);
	found_functions__free(&found);
}

#define CHECK(category, name, ...)                                                                 \
	check(category, name, (const struct wanted[]){ __VA_ARGS__ },                              \
	      sizeof((const struct wanted[]){ __VA_ARGS__ }) / sizeof(struct wanted))

START_TEST(test_selects_by_name)
{
	CHECK("sched", "sched_switch", { "sched", "sched_switch" });
	CHECK("ftrace", "function", { "ftrace", "function" }); /* without a newline */
}
END_TEST

START_TEST(test_selects_by_globs)
{
	CHECK("sched", "*", { "sched", "sched_switch" }, { "sched", "sched_waking" });
	CHECK("*", "*_read", { "syscalls", "sys_enter_read" }, { "syscalls", "sys_exit_read" });
	CHECK("s*", "*_s*", { "sched", "sched_switch" });
	CHECK("ext?", "ext4_*_[a-f]*", { "ext4", "ext4_sync_file_enter" });
}
END_TEST

static void check_none(const char *category, const char *name, const char *text, const char *alike)
{
	struct found_functions found = { 0 };

	ck_assert_int_eq(tracepoints__select(&found, category, name, text), -ENOENT);
	ck_assert_uint_eq(found.count, 0);
	ck_assert_str_eq(found.alike.best, alike);
	ck_assert_ptr_null(found.alike.wanted);
	found_functions__free(&found);
}

START_TEST(test_suggests_tracepoints)
{
	check_none("sched", "sched_swich", events, "sched:sched_switch");
	check_none("syscall", "sys_exit_read", events, "syscalls:sys_exit_read");
	check_none("nothing", "like_it_at_all", events, "");
	check_none("sched", "", events, "");
	check_none("sched", "sched_switch", "", "");
	check_none("sched", "sched_switch", "\n\n:\n", "");
}
END_TEST

/* Longer names than any tracepoint has are ignored. */
START_TEST(test_long_lines)
{
	struct found_functions found = { 0 };
	char text[700], name[300];

	memset(name, 'x', sizeof(name) - 1);
	name[sizeof(name) - 1] = '\0';
	snprintf(text, sizeof(text), "sched:%s\nsched:short\n", name);
	ck_assert_int_eq(tracepoints__select(&found, "sched", "*", text), 0);
	ck_assert_uint_eq(found.count, 1);
	ck_assert_str_eq(found.at[0].name, "short");
	found_functions__free(&found);
	check_none(name, name, text, "");
}
END_TEST

START_TEST(test_memory_runs_out)
{
	long blocks = fail_alloc__blocks();
	unsigned failures = 0;

	for (unsigned nth = 1; nth; nth++) {
		struct found_functions found = { 0 };
		int err;

		fail_alloc__begin(nth);
		err = tracepoints__select(&found, "sched", "*", events);
		nth = fail_alloc__end() ? nth : UINT32_MAX;
		ck_assert_int_eq(err, nth == UINT32_MAX ? 0 : -ENOMEM);
		failures += err != 0;
		found_functions__free(&found);
	}
	ck_assert_uint_lt(failures, 20);
	ck_assert_int_eq(fail_alloc__blocks(), blocks);
}
END_TEST

SUITE(10)
{
	tcase_add_test(tests, test_selects_by_name);
	tcase_add_test(tests, test_selects_by_globs);
	tcase_add_test(tests, test_suggests_tracepoints);
	tcase_add_test(tests, test_long_lines);
	tcase_add_test(tests, test_memory_runs_out);
}

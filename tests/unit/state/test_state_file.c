// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* test_state_file.c: the file is replaced as a whole, and other files are put aside. */
#include <errno.h>
#include <string.h>
#include <unistd.h>

#include <peat/log.h>

#include "state/state.h"
#include "support/machine/scratch.h"
#include "unit/suite.h"

#define WHOLE "peat-agent state 1\nagent start_ns 3 agents 4\nend\n"

static void no_message(enum peat_log_level level, const char *text)
{
	(void)level;
	(void)text;
}

START_TEST(test_file_is_replaced)
{
	struct state state;

	scratch__make();
	ck_assert_int_eq(state_file__read(&state, scratch__path("state")), -ENOENT);
	ck_assert_int_eq(state_file__write(scratch__path("state"), WHOLE, false), 0);
	ck_assert_int_eq(state_file__write(scratch__path("state"), WHOLE, true), 0);
	ck_assert_int_eq(state_file__read(&state, scratch__path("state")), 0);
	ck_assert_uint_eq(state.agents, 4);
	ck_assert_int_ne(access(scratch__path("state.new"), F_OK), 0);
	state__free(&state);
	ck_assert_int_eq(state_file__write(scratch__path("none/state"), WHOLE, false), -ENOENT);
	ck_assert_int_eq(state_file__read(&state, scratch__dir()), -EISDIR);
	scratch__remove();
}
END_TEST

/* A file that a killed agent left half written does not matter, nor where it leads. */
START_TEST(test_unfinished_file_is_replaced)
{
	struct state state;

	scratch__make();
	ck_assert_int_eq(symlink("elsewhere", scratch__path("state.new")), 0);
	ck_assert_int_eq(state_file__write(scratch__path("state"), WHOLE, false), 0);
	ck_assert_int_eq(state_file__read(&state, scratch__path("state")), 0);
	ck_assert_int_ne(access(scratch__path("elsewhere"), F_OK), 0);
	state__free(&state);
	scratch__remove();
}
END_TEST

START_TEST(test_other_file_is_put_aside)
{
	struct state state;

	scratch__make();
	peat_set_print(no_message);
	close(scratch__file("state", "something else\n"));
	ck_assert_int_eq(state_file__read(&state, scratch__path("state")), -EBADMSG);
	ck_assert_int_eq(state_file__put_aside(scratch__path("state")), 0);
	ck_assert_int_eq(access(scratch__path("state.damaged"), F_OK), 0);
	ck_assert_int_eq(state_file__put_aside(scratch__path("state")), -ENOENT);
	scratch__remove();
}
END_TEST

SUITE(10)
{
	tcase_add_test(tests, test_file_is_replaced);
	tcase_add_test(tests, test_unfinished_file_is_replaced);
	tcase_add_test(tests, test_other_file_is_put_aside);
}

// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* test_refusals.c: messages about programs that cannot be loaded or attached. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include <peat/peat.h>

#include "support/machine/harness.h"
#include "support/machine/object.h"

EMBED_OBJECT(functions)
EMBED_OBJECT(refused)

static char logged[2048];

static void note(enum peat_log_level level, const char *text)
{
	if (level == PEAT_LOG_ERROR)
		snprintf(logged, sizeof(logged), "%s", text);
}

static void setup(void)
{
	peat_set_print(note);
	logged[0] = '\0';
}

/* The reason is in the message of the session: no other message is needed. */
static void check_refused(const char *program, int err, const char *words)
{
	static const char *const all[] = { "past_end", "no_argument", "no_file", "no_function" };
	struct peat_session *session = peat_session__new(NULL);

	ck_assert_ptr_nonnull(session);
	ck_assert_int_eq(
		peat_session__add(session, "refused", refused_object.bytes, *refused_object.count),
		0);
	for (size_t i = 0; i < sizeof(all) / sizeof(*all); i++)
		if (strcmp(all[i], program))
			ck_assert_int_eq(peat_session__leave_out(session, all[i]), 0);
	ck_assert_int_eq(peat_session__start(session, NULL), err);
	ck_assert_int_eq(errno, -err);
	ck_assert_ptr_nonnull(strstr(logged, program));
	ck_assert_msg(strstr(logged, words), "'%s' has no '%s'", logged, words);
	ck_assert_ptr_null(strstr(logged, "-v"));
	ck_assert_ptr_null(strstr(logged, "seccomp"));
	peat_session__free(session);
}

START_TEST(test_tracepoint_record_too_short)
{
	check_refused("past_end", -EACCES, "past the end of the tracepoint's record");
}
END_TEST

START_TEST(test_raw_tracepoint_argument)
{
	check_refused("no_argument", -EINVAL, "more arguments than the tracepoint has");
}
END_TEST

START_TEST(test_uprobe_without_file)
{
	check_refused("no_file", -EINVAL, "write uprobe/FILE:FUNCTION");
}
END_TEST

START_TEST(test_uprobe_without_function)
{
	check_refused("no_function", -ENOENT, "no function");
}
END_TEST

/* No file can be opened any more. */
START_TEST(test_too_few_files)
{
	struct peat_session *session = peat_session__new(NULL);
	struct rlimit all, few;
	int next = dup(0), err;

	ck_assert_ptr_nonnull(session);
	ck_assert_int_ge(next, 0);
	ck_assert_int_eq(
		peat_session__add(session, "refused", refused_object.bytes, *refused_object.count),
		0);
	ck_assert_int_eq(getrlimit(RLIMIT_NOFILE, &all), 0);
	few = (struct rlimit){ (rlim_t)next + 1, all.rlim_max };
	ck_assert_int_eq(setrlimit(RLIMIT_NOFILE, &few), 0);
	err = peat_session__start(session, NULL);
	ck_assert_int_eq(setrlimit(RLIMIT_NOFILE, &all), 0);
	ck_assert_int_eq(err, -EMFILE);
	ck_assert_msg(strstr(logged, "RLIMIT_NOFILE"), "%s", logged);
	ck_assert_ptr_null(strstr(logged, "bpf_object__"));
	peat_session__free(session);
	close(next);
}
END_TEST

/* Kernels without programs for functions say no more than EPERM. */
START_TEST(test_function_programs)
{
	static const char *const names[] = { "function", "hook" };

	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++) {
		struct peat_session *session = peat_session__new(NULL);
		int err;

		ck_assert_ptr_nonnull(session);
		logged[0] = '\0';
		ck_assert_int_eq(peat_session__add(session, "functions", functions_object.bytes,
						   *functions_object.count),
				 0);
		ck_assert_int_eq(peat_session__leave_out(session, names[!i]), 0);
		err = peat_session__start(session, NULL);
		if (err == -EPERM)
			ck_assert_msg(strstr(logged, "refuses even an empty program"), "%s",
				      logged);
		else if (err)
			ck_assert_msg(strstr(logged, names[i]), "%s", logged);
		peat_session__free(session);
	}
}
END_TEST

static Suite *refusals_suite(void)
{
	TCase *tests;
	Suite *suite = harness__suite("refusals", 60, &tests);

	tcase_add_checked_fixture(tests, setup, NULL);
	tcase_add_test(tests, test_tracepoint_record_too_short);
	tcase_add_test(tests, test_raw_tracepoint_argument);
	tcase_add_test(tests, test_uprobe_without_file);
	tcase_add_test(tests, test_uprobe_without_function);
	tcase_add_test(tests, test_function_programs);
	tcase_add_test(tests, test_too_few_files);
	return suite;
}

int main(int argc, char **argv)
{
	static const suite_fn suites[] = { refusals_suite };

	return harness__main(argc, argv, suites, 1);
}

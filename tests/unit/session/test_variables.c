// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* test_variables.c: variables of a compiled object, found and read. */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include <peat/log.h>
#include <peat/session.h>

#include "session/parts/session.h"
#include "support/machine/object.h"
#include "unit/fail_alloc.h"
#include "unit/suite.h"

EMBED_OBJECT(variables)

static char logged[2048];

static void note(enum peat_log_level level, const char *text)
{
	if (level == PEAT_LOG_ERROR)
		snprintf(logged, sizeof(logged), "%s", text);
}

static void add(struct peat_session *session, const char *name)
{
	ck_assert_int_eq(
		peat_session__add(session, name, variables_object.bytes, *variables_object.count),
		0);
}

static struct peat_session *new_session(void)
{
	struct peat_session *session = peat_session__new(NULL);

	peat_set_print(note);
	logged[0] = '\0';
	ck_assert_ptr_nonnull(session);
	add(session, "variables");
	return session;
}

static uint64_t number(const struct peat_session *session, const char *name)
{
	uint64_t value = 0;
	int err = peat_session__read_number(session, name, &value);

	ck_assert_msg(!err, "%s: %s: %s", name, strerror(-err), logged);
	return value;
}

static void check_text(const struct peat_session *session, const char *name, const char *text)
{
	char read[64];
	int bytes = peat_session__read_variable(session, name, read, sizeof(read));

	ck_assert_msg(bytes == (int)strlen(text), "%s: %d: %s", name, bytes, logged);
	ck_assert_str_eq(read, text);
}

START_TEST(test_reads_numbers)
{
	struct peat_session *session = new_session();

	ck_assert_uint_eq(number(session, "byte"), 200);
	ck_assert_int_eq((int64_t)number(session, "tiny"), -3);
	ck_assert_int_eq((int64_t)number(session, "offset"), -1000);
	ck_assert_uint_eq(number(session, "args.pid"), 5);
	ck_assert_uint_eq(number(session, "args.small"), 5);
	ck_assert_uint_eq(number(session, "args.large"), 100);
	ck_assert_uint_eq(number(session, "key[2]"), 3);
	ck_assert_uint_eq(number(session, "split"), 9);
	ck_assert_int_eq(peat_session__set_variable(session, "args.limits[1].high", "77"), 0);
	ck_assert_uint_eq(number(session, "args.limits[1].high"), 77);
	ck_assert_int_eq(peat_session__set_variable(session, "counters[1][2]", "-8"), 0);
	ck_assert_int_eq((int64_t)number(session, "counters[1][2]"), -8);
	ck_assert_uint_eq(number(session, "counters[1][1]"), 0);
	peat_session__free(session);
}
END_TEST

START_TEST(test_reads_texts)
{
	struct peat_session *session = new_session();
	char read[4];

	check_text(session, "byte", "200");
	check_text(session, "color", "GREEN");
	check_text(session, "prefix", "usr");
	check_text(session, "delay", "1us");
	check_text(session, "counters", "[[0 0 0] [0 0 0]]");
	check_text(session, "args.limits[0]", "{low=0 high=0}");
	ck_assert_int_eq(peat_session__read_variable(session, "color", read, sizeof(read)), 5);
	ck_assert_str_eq(read, "GRE");
	peat_session__free(session);
}
END_TEST

static void check_unread(const struct peat_session *session, const char *name, int err,
			 const char *words)
{
	uint64_t value = 0;

	ck_assert_int_eq(peat_session__read_number(session, name, &value), err);
	ck_assert_int_eq(errno, -err);
	ck_assert_msg(strstr(logged, words), "%s: '%s' does not say '%s'", name, logged, words);
}

START_TEST(test_names_that_are_none)
{
	struct peat_session *session = new_session();
	char text[8];

	check_unread(session, "nothing", -ENOENT, "no variable 'nothing'");
	check_unread(session, "byt", -ENOENT, "no variable 'byt'");
	check_unread(session, "peat_own", -ENOENT, "no variable");
	check_unread(session, "args.nothing", -ENOENT, "no member 'nothing'");
	check_unread(session, "key[4]", -ENOENT, "it has 4 elements");
	check_unread(session, "args", -EINVAL, "peat_session__read_variable()");
	ck_assert_int_eq(peat_session__read_variable(session, "nothing", text, sizeof(text)),
			 -ENOENT);
	add(session, "again");
	check_unread(session, "byte", -EINVAL, "both variables and again");
	peat_session__free(session);
}
END_TEST

START_TEST(test_lends_memory)
{
	struct peat_session *session = new_session();
	struct peat_variable variable = { .sz = sizeof(variable) }, again = variable;
	char text[16];

	ck_assert_int_eq(peat_session__variable(session, "color", &variable), 0);
	ck_assert_str_eq(variable.name, "color");
	ck_assert_uint_eq(variable.bytes, 4);
	ck_assert(variable.is_constant);
	peat_field__text(variable.field, variable.memory, 4, text, sizeof(text));
	ck_assert_str_eq(text, "GREEN");
	ck_assert_int_eq(peat_session__variable(session, "color", &again), 0);
	ck_assert_ptr_eq(variable.field, again.field);
	ck_assert_int_eq(peat_session__variable(session, "counters", &variable), 0);
	ck_assert(!variable.is_constant && variable.bytes == 24);
	ck_assert_int_eq(peat_session__variable(session, "args.pid", &variable), -EINVAL);
	ck_assert_int_eq(peat_session__variable(session, "nothing", &variable), -ENOENT);
	variable.sz = 0;
	ck_assert_int_eq(peat_session__variable(session, "color", &variable), -EINVAL);
	peat_session__free(session);
}
END_TEST

/* After the start, only constants cannot be set. */
START_TEST(test_started_session_sets_no_constants)
{
	struct peat_session *session = new_session();

	session->reader = (struct peat_reader *)session;
	ck_assert_int_eq(peat_session__set_variable(session, "byte", "1"), -EBUSY);
	ck_assert_ptr_nonnull(strstr(logged, "constant 'byte' cannot be set"));
	ck_assert_int_eq(peat_session__set_variable(session, "split", "1"), 0);
	ck_assert_uint_eq(number(session, "split"), 1);
	session->reader = NULL;
	peat_session__free(session);
}
END_TEST

START_TEST(test_no_memory)
{
	struct peat_session *session = new_session();
	struct peat_variable variable = { .sz = sizeof(variable) };
	int err;

	for (unsigned nth = 1; nth; nth++) {
		fail_alloc__begin(nth);
		err = peat_session__variable(session, "args", &variable);
		if (!fail_alloc__end())
			break;
		ck_assert_int_eq(err, -ENOMEM);
	}
	ck_assert_int_eq(err, 0);
	peat_session__free(session);
}
END_TEST

SUITE(10)
{
	tcase_add_test(tests, test_reads_numbers);
	tcase_add_test(tests, test_reads_texts);
	tcase_add_test(tests, test_names_that_are_none);
	tcase_add_test(tests, test_lends_memory);
	tcase_add_test(tests, test_started_session_sets_no_constants);
	tcase_add_test(tests, test_no_memory);
}

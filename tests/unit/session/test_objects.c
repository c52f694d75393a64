// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* test_objects.c: libbpf's objects and maps of a session that is not started. */
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <bpf/libbpf.h>

#include <peat/log.h>
#include <peat/session.h>

#include "support/machine/object.h"
#include "unit/fail_alloc.h"
#include "unit/suite.h"

EMBED_OBJECT(variables)

static char logged[1024];

static void note(enum peat_log_level level, const char *text)
{
	if (level == PEAT_LOG_ERROR)
		snprintf(logged, sizeof(logged), "%s", text);
}

static struct peat_session *new_session(const char *second)
{
	struct peat_session *session = peat_session__new(NULL);

	peat_set_print(note);
	ck_assert_ptr_nonnull(session);
	ck_assert_int_eq(peat_session__add(session, "one.bpf.o", variables_object.bytes,
					   *variables_object.count),
			 0);
	if (second)
		ck_assert_int_eq(peat_session__add(session, second, variables_object.bytes,
						   *variables_object.count),
				 0);
	return session;
}

START_TEST(test_objects_by_number)
{
	struct peat_session *session = new_session("two.bpf.o");
	struct bpf_object *one = peat_session__object(session, 0);
	struct bpf_object *two = peat_session__object(session, 1);

	ck_assert(one && two && one != two);
	ck_assert_ptr_nonnull(bpf_object__find_program_by_name(one, "variables"));
	ck_assert_ptr_null(peat_session__object(session, 2));
	peat_session__free(session);
}
END_TEST

START_TEST(test_maps_by_name)
{
	struct peat_session *session = new_session(NULL);
	struct bpf_map *map = peat_session__map(session, ".data.split");

	ck_assert_ptr_nonnull(map);
	ck_assert_ptr_eq(peat_session__map(session, "one..data.split"), map);
	ck_assert_ptr_null(peat_session__map(session, "nothing"));
	ck_assert_int_eq(errno, ENOENT);
	ck_assert_ptr_nonnull(strstr(logged, "no map 'nothing'"));
	ck_assert_int_eq(peat_session__map_fd(session, "nothing"), -ENOENT);
	ck_assert_int_eq(peat_session__map_fd(session, ".data.split"), -EINVAL);
	ck_assert_ptr_nonnull(strstr(logged, "call peat_session__start() first"));
	peat_session__free(session);
}
END_TEST

START_TEST(test_maps_of_two_objects)
{
	struct peat_session *session = new_session("one.bpf.o");
	struct bpf_map *first, *second;

	ck_assert_ptr_null(peat_session__map(session, ".data.split"));
	ck_assert_int_eq(errno, EINVAL);
	ck_assert_ptr_nonnull(strstr(logged, "several objects have a map"));
	first = peat_session__map(session, "one..data.split");
	second = peat_session__map(session, "one-2..data.split");
	ck_assert(first && second && first != second);
	peat_session__free(session);
}
END_TEST

START_TEST(test_no_memory)
{
	struct peat_session *session = new_session(NULL);
	struct bpf_map *map;
	int err;

	fail_alloc__begin(1);
	map = peat_session__map(session, "nothing");
	err = errno;
	ck_assert_ptr_null(map);
	ck_assert_int_eq(err, fail_alloc__end() ? ENOMEM : ENOENT);
	peat_session__free(session);
}
END_TEST

SUITE(10)
{
	tcase_add_test(tests, test_objects_by_number);
	tcase_add_test(tests, test_maps_by_name);
	tcase_add_test(tests, test_maps_of_two_objects);
	tcase_add_test(tests, test_no_memory);
}

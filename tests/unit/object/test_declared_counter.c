// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* test_declared_counter.c: PEAT_COUNTER() in compiled objects. */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include <peat/log.h>
#include <peat/object_file.h>

#include "support/machine/harness.h"
#include "support/machine/object.h"
#include "unit/suite.h"

EMBED_OBJECT(counters_declared)
EMBED_OBJECT(counters_wrong)
EMBED_OBJECT(counters_nameless)

static char message[1024];

static void keep_message(enum peat_log_level level, const char *text)
{
	if (level == PEAT_LOG_ERROR)
		snprintf(message, sizeof(message), "%s", text);
}

static struct peat_object *open_object(const struct object_file *file)
{
	*message = '\0';
	peat_set_print(keep_message);
	return peat_object__open(file->bytes, *file->count, file->name);
}

START_TEST(test_counters_have_events)
{
	struct peat_object_counter counter = { .sz = sizeof(counter) };
	struct peat_object *object = open_object(&counters_declared_object);

	ck_assert_msg(object, "%s", message);
	ck_assert_int_eq(peat_object__counter(object, 0, &counter), 1);
	ck_assert_str_eq(counter.name, "required");
	ck_assert_str_eq(counter.event, "page-faults");
	ck_assert_str_eq(counter.doc, "a few words");
	ck_assert(!counter.optional);
	ck_assert_int_eq(peat_object__counter(object, 1, &counter), 1);
	ck_assert_str_eq(counter.name, "optional");
	ck_assert_str_eq(counter.event, "cpu/event=0x3c,umask=0x0/u");
	ck_assert_ptr_null(counter.doc);
	ck_assert(counter.optional);
	ck_assert_int_eq(peat_object__counter(object, 2, &counter), 0);
	counter.sz = 1;
	ck_assert_int_eq(peat_object__counter(object, 0, &counter), -EINVAL);
	peat_object__free(object);
}
END_TEST

START_TEST(test_other_map_is_no_counter)
{
	ck_assert_ptr_null(open_object(&counters_wrong_object));
	ck_assert_int_eq(errno, EINVAL);
	ck_assert_str_eq(message,
			 "cannot use the map hash of counters_wrong as a counter: its type "
			 "is no perf event array: declare it by PEAT_COUNTER()");
}
END_TEST

START_TEST(test_counter_without_event)
{
	ck_assert_ptr_null(open_object(&counters_nameless_object));
	ck_assert_int_eq(errno, EINVAL);
	ck_assert_str_eq(message, "the counter nameless of counters_nameless names no event: "
				  "PEAT_COUNTER(nameless, \"cycles\")");
}
END_TEST

SUITE(4)
{
	tcase_add_test(tests, test_counters_have_events);
	tcase_add_test(tests, test_other_map_is_no_counter);
	tcase_add_test(tests, test_counter_without_event);
}

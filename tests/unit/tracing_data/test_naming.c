// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* test_naming.c: names of written tracepoints. */
#include <stdio.h>
#include <string.h>

#include <peat/log.h>

#include "tracing_data/format_write.h"
#include "tracing_data/naming.h"
#include "unit/suite.h"

static char logged[512];

static void note(enum peat_log_level level, const char *text)
{
	(void)level;
	snprintf(logged, sizeof(logged), "%s", text);
}

static void check_name(const char *event, const char *wanted)
{
	char name[NAMING_BYTES];

	memset(name, 'x', sizeof(name));
	naming__event(event, name);
	ck_assert_str_eq(name, wanted);
}

START_TEST(test_names_become_identifiers)
{
	check_name("exec", "peat:exec");
	check_name("a-b.c:D9_", "peat:a_b_c_D9_");
	check_name("x", "peat:x");
	check_name("", "peat:_");
}
END_TEST

START_TEST(test_long_name)
{
	char event[NAMING_BYTES * 2], name[NAMING_BYTES];

	memset(event, 'e', sizeof(event) - 1);
	event[sizeof(event) - 1] = '\0';
	naming__event(event, name);
	ck_assert_uint_eq(strlen(name), strlen("peat:") + FORMAT_WRITE_NAME_MAX);
}
END_TEST

START_TEST(test_warns_about_fields)
{
	struct payload_format format = { .fields = 55 };

	peat_set_print(note);
	naming__warn(&format, "event");
	ck_assert_str_eq(logged, "");
	format.fields = 56;
	naming__warn(&format, "event");
	ck_assert_ptr_nonnull(strstr(logged, "event: 56 fields: perf's python scripts"));
	format = (struct payload_format){ .left_out = 1 };
	naming__warn(&format, "event");
	ck_assert_ptr_nonnull(strstr(logged, "event: 1 fields left out"));
}
END_TEST

SUITE(5)
{
	tcase_add_test(tests, test_names_become_identifiers);
	tcase_add_test(tests, test_long_name);
	tcase_add_test(tests, test_warns_about_fields);
}

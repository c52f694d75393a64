// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* test_json_identity.c: the container, pod and unit of events, in JSON, lines and columns. */
#include <string.h>

#include <peat/identity.h>

#include "field/sampled.h"
#include "print/line.h"
#include "sink_output.h"
#include "unit/suite.h"

struct plain {
	uint32_t count;
};

struct alike {
	uint32_t unit;
};

static struct peat_field plain_fields[] = { FIELD(struct plain, count, PEAT_FIELD_UNSIGNED) };
static struct peat_field alike_fields[] = { FIELD(struct alike, unit, PEAT_FIELD_UNSIGNED) };
static struct peat_schema plain = SCHEMA("plain", plain_fields);
static struct peat_schema alike = SCHEMA("alike", alike_fields);
static struct peat_identity identity = {
	sizeof(identity), "lxc", "con\"tainer", "", "a.service", "", "", ""
};

static const char *print(const struct peat_schema *schema, const char *fields, bool json,
			 const struct peat_identity *of)
{
	struct peat_sink_opts opts = { .sz = sizeof(opts), .fields = fields, .columns = NULL };
	uint32_t number = 7;
	struct peat_event event = an_event(schema, &number, sizeof(number));
	int fd = new_output();
	struct peat_sink *sink;
	const char *text;

	plain.sampled = alike.sampled = SAMPLED_OWNER;
	event.identity = of;
	sink = json ? peat_sink__new_json(fd, &opts) : peat_sink__new_text(fd, &opts);
	ck_assert_ptr_nonnull(sink);
	ck_assert_int_eq(peat_sink__write(sink, &event), 0);
	text = output(sink, fd);
	peat_sink__free(sink);
	close(fd);
	return text;
}

static void has(const char *text, const char *part)
{
	ck_assert_msg(strstr(text, part), "no %s in %s", part, text);
}

START_TEST(test_json_members)
{
	has(print(&plain, NULL, true, &identity),
	    "\"container\":\"con\\\"tainer\",\"pod\":\"\",\"unit\":\"a.service\",\"count\":7}");
	ck_assert_ptr_null(strstr(print(&plain, NULL, true, NULL), "container"));
}
END_TEST

START_TEST(test_own_field_comes_first)
{
	has(print(&alike, NULL, true, &identity),
	    "\"container\":\"con\\\"tainer\",\"pod\":\"\",\"unit\":7}");
	has(print(&alike, "unit", true, &identity), "{\"type\":\"alike\",\"unit\":7}");
}
END_TEST

START_TEST(test_chosen_parts)
{
	has(print(&plain, "unit,count,container", true, &identity),
	    "{\"type\":\"plain\",\"unit\":\"a.service\",\"count\":7,\"container\":"
	    "\"con\\\"tainer\"}");
	has(print(&plain, "unit", true, NULL), "{\"type\":\"plain\",\"unit\":null}");
	has(print(&plain, "unit,pod,count", false, &identity), " unit=a.service pod=- count=7\n");
}
END_TEST

START_TEST(test_lines_have_parts)
{
	has(print(&plain, NULL, false, &identity),
	    " container=con\"tainer unit=a.service count=7\n");
	ck_assert_ptr_null(strstr(print(&plain, NULL, false, NULL), "unit"));
}
END_TEST

static void check_columns(uint32_t width, bool has_parts)
{
	struct peat_sink_opts opts = {
		.sz = sizeof(opts), .columns = &plain, .identity = true, .width = width
	};
	uint32_t number = 7;
	struct peat_event event = an_event(&plain, &number, sizeof(number));
	int fd = new_output();
	struct peat_sink *sink;
	const char *text;

	plain.sampled = SAMPLED_OWNER;
	event.identity = &identity;
	sink = peat_sink__new_text(fd, &opts);
	ck_assert_ptr_nonnull(sink);
	ck_assert_int_eq(peat_sink__write(sink, &event), 0);
	text = output(sink, fd);
	ck_assert_int_eq(strstr(text, "CONTAINER ") != NULL, has_parts);
	ck_assert_int_eq(strstr(text, "con\"tainer ") != NULL, has_parts);
	ck_assert_int_eq(strstr(text, "a.service ") != NULL, has_parts);
	has(text, "COUNT");
	peat_sink__free(sink);
	close(fd);
}

START_TEST(test_columns_have_parts)
{
	check_columns(0, true);
	check_columns(200, true);
	check_columns(36, false);
}
END_TEST

SUITE(10)
{
	tcase_add_test(tests, test_lines_have_parts);
	tcase_add_test(tests, test_columns_have_parts);
	tcase_add_test(tests, test_json_members);
	tcase_add_test(tests, test_own_field_comes_first);
	tcase_add_test(tests, test_chosen_parts);
}

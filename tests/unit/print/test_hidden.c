// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* test_hidden.c: hidden members of structs in events: PEAT_HIDDEN. */
#include <stdio.h>
#include <string.h>

#include <peat/sink.h>

#include "unit/print/sink_output.h"
#include "unit/schema/event_btf.h"
#include "unit/suite.h"

static const uint8_t event[] = { 1, 2, 3 };
static struct peat_schema *schema;

/* An event with a struct `in` of three members, one of which is hidden. */
static void make(int hidden)
{
	int inner = begin("inner", 3), outer;

	member("a", u8, 0);
	member("b", u8, 1);
	member("c", u8, 2);
	known(btf__add_decl_tag(btf, "peat:hidden", inner, hidden));
	outer = begin("outer", 3);
	member("in", inner, 0);
	schema = peat_schema__new(btf, (uint32_t)outer);
	ck_assert_ptr_nonnull(schema);
}

static void free_schema(void)
{
	peat_schema__free(schema);
	schema = NULL;
}

static void free_all(void)
{
	free_schema();
	teardown();
}

/* The output of a sink; `fields` as in peat_sink_opts. */
static const char *printed(struct peat_sink *(*new_sink)(int, const struct peat_sink_opts *),
			   const char *fields, const struct peat_schema *columns)
{
	struct peat_sink_opts opts = { .sz = sizeof(opts), .fields = fields };
	struct peat_event data = an_event(schema, event, sizeof(event));
	int fd = new_output();
	struct peat_sink *sink;
	const char *text;

	opts.columns = columns;
	sink = new_sink(fd, &opts);
	ck_assert_ptr_nonnull(sink);
	ck_assert_int_eq(peat_sink__write(sink, &data), 0);
	ck_assert_int_eq(peat_sink__finish(sink), 0);
	text = output(sink, fd);
	peat_sink__free(sink);
	close(fd);
	return text;
}

static void expect(const char *text, const char *expected)
{
	ck_assert_msg(strstr(text, expected), "no %s in %s", expected, text);
}

START_TEST(test_hidden_in_text)
{
	static const char *const shown[] = { "{b=2 c=3}", "{a=1 c=3}", "{a=1 b=2}" };
	char text[32];

	for (int hidden = 0; hidden < 3; hidden++) {
		make(hidden);
		peat_field__text(schema->fields, event, sizeof(event), text, sizeof(text));
		ck_assert_str_eq(text, shown[hidden]);
		expect(printed(peat_sink__new_text, NULL, NULL), shown[hidden]);
		expect(printed(peat_sink__new_text, "in", NULL), shown[hidden]);
		free_schema();
	}
}
END_TEST

/* There is a comma between the members that are shown only. */
START_TEST(test_hidden_in_json)
{
	static const char *const shown[] = { "{\"b\":2,\"c\":3}}\n", "{\"a\":1,\"c\":3}}\n",
					     "{\"a\":1,\"b\":2}}\n" };

	for (int hidden = 0; hidden < 3; hidden++) {
		make(hidden);
		expect(printed(peat_sink__new_json, NULL, NULL), shown[hidden]);
		expect(printed(peat_sink__new_json, "in", NULL), shown[hidden]);
		free_schema();
	}
}
END_TEST

START_TEST(test_hidden_columns)
{
	make(1);
	expect(printed(peat_sink__new_text, NULL, schema), "IN.A");
	ck_assert_ptr_null(strstr(printed(peat_sink__new_text, NULL, schema), "IN.B"));
	expect(printed(peat_sink__new_text, "in", schema), "IN.C");
	ck_assert_ptr_null(strstr(printed(peat_sink__new_text, "in", schema), "IN.B"));
}
END_TEST

START_TEST(test_hidden_but_chosen)
{
	make(1);
	expect(printed(peat_sink__new_text, "in.a,in.b", schema), "IN.B");
	expect(printed(peat_sink__new_text, "in.b", NULL), " in.b=2\n");
	expect(printed(peat_sink__new_json, "in.b", NULL), "\"in.b\":2}");
}
END_TEST

/* Its members are the event's own. */
START_TEST(test_hidden_in_anonymous_struct)
{
	int inner = begin(NULL, 2), outer;

	member("a", u8, 0);
	member("b", u8, 1);
	known(btf__add_decl_tag(btf, "peat:hidden", inner, 0));
	outer = begin("outer", 2);
	member(NULL, inner, 0);
	schema = peat_schema__new(btf, (uint32_t)outer);
	ck_assert_ptr_nonnull(schema);
	ck_assert_ptr_null(strstr(printed(peat_sink__new_text, NULL, NULL), " a="));
	expect(printed(peat_sink__new_text, NULL, NULL), " b=2 ");
}
END_TEST

SUITE(10)
{
	tcase_add_checked_fixture(tests, setup, free_all);
	tcase_add_test(tests, test_hidden_in_text);
	tcase_add_test(tests, test_hidden_in_json);
	tcase_add_test(tests, test_hidden_columns);
	tcase_add_test(tests, test_hidden_but_chosen);
	tcase_add_test(tests, test_hidden_in_anonymous_struct);
}

// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* test_call_tags.c: PEAT_CALL_ARGS(), PEAT_HIDDEN, and numbers with PEAT_LEN(). */
#include <stddef.h>
#include <string.h>

#include <peat/sink.h>

#include "field/fields.h"
#include "unit/print/sink_output.h"
#include "unit/schema/event_btf.h"
#include "unit/suite.h"

struct call_event {
	uint32_t call;
	uint8_t hidden, used;
	uint64_t count;
	uint64_t args[2];
};

static struct peat_schema *schema;

static void tag(int type, int index, const char *text)
{
	ck_assert_int_gt(btf__add_decl_tag(btf, text, type, index), 0);
}

/* Makes the schema of a struct call_event. */
static void make(const char *args_tag)
{
	int call = known(btf__add_enum(btf, "call_name", 4)), args, id;

	ck_assert_int_eq(btf__add_enum_value(btf, "read", 0), 0);
	ck_assert_int_eq(btf__add_enum_value(btf, "kill", 62), 0);
	args = array(u64, 2);
	id = begin("called", sizeof(struct call_event));
	member("call", call, offsetof(struct call_event, call));
	member("hidden", u8, offsetof(struct call_event, hidden));
	member("used", u8, offsetof(struct call_event, used));
	member("count", u64, offsetof(struct call_event, count));
	member("args", args, offsetof(struct call_event, args));
	tag(id, 1, "peat:hidden");
	tag(id, 2, "peat:hidden");
	tag(id, 3, "peat:len:used");
	tag(id, 4, args_tag);
	schema = peat_schema__new(btf, (uint32_t)id);
	ck_assert_ptr_nonnull(schema);
}

static void free_all(void)
{
	peat_schema__free(schema);
	schema = NULL;
	teardown();
}

static const char *printed(struct peat_sink *(*new_sink)(int, const struct peat_sink_opts *),
			   const struct peat_sink_opts *opts, const struct call_event *data)
{
	static char text[512];
	struct peat_event event = { .kind = PEAT_EVENT_DATA,
				    .schema = schema,
				    .data = data,
				    .size = sizeof(*data),
				    .pid = 7,
				    .tid = 7,
				    .comm = "x" };
	int fd = new_output();
	struct peat_sink *sink = new_sink(fd, opts);
	ssize_t bytes;

	ck_assert_ptr_nonnull(sink);
	ck_assert_int_eq(peat_sink__write(sink, &event), 0);
	ck_assert_int_eq(peat_sink__finish(sink), 0);
	peat_sink__free(sink);
	bytes = pread(fd, text, sizeof(text) - 1, 0);
	ck_assert_int_gt(bytes, 0);
	text[bytes] = '\0';
	close(fd);
	return text;
}

static const struct call_event killed = { 62, 5, 8, 4711, { 3, 9 } };

static struct peat_sink *new_text(int fd, const struct peat_sink_opts *opts)
{
	return peat_sink__new_text(fd, opts);
}

static struct peat_sink *new_json(int fd, const struct peat_sink_opts *opts)
{
	return peat_sink__new_json(fd, opts);
}

static void expect(const char *text, const char *expected)
{
	ck_assert_msg(strstr(text, expected), "no %s in %s", expected, text);
}

START_TEST(test_arguments_of_a_call)
{
	make("peat:call_args:call");
	ck_assert_ptr_eq(schema->call.args, peat_schema__find(schema, "args", NULL));
	expect(printed(new_text, NULL, &killed),
	       " call=kill count=4711 args={pid=3 sig=SIGKILL}\n");
	expect(printed(new_json, NULL, &killed), "\"call\":\"kill\",\"count\":4711,\"args\":[3,9],"
						 "\"args_text\":\"pid=3 sig=SIGKILL\"}\n");
	ck_assert_uint_eq(warnings, 0);
}
END_TEST

START_TEST(test_columns_of_a_call)
{
	struct peat_sink_opts opts = { .sz = sizeof(opts) };

	make("peat:call_args:call");
	opts.columns = schema;
	expect(printed(new_text, &opts, &killed), "kill");
	expect(printed(new_text, &opts, &killed), "  pid=3 sig=SIGKILL\n");
	ck_assert_ptr_null(strstr(printed(new_text, &opts, &killed), "HIDDEN"));
}
END_TEST

START_TEST(test_hidden_fields_can_be_chosen)
{
	struct peat_sink_opts opts = { .sz = sizeof(opts) };

	make("peat:call_args:call");
	ck_assert(peat_schema__find(schema, "hidden", NULL)->is_hidden);
	ck_assert(!peat_schema__find(schema, "call", NULL)->is_hidden);
	opts.fields = "hidden,args";
	expect(printed(new_text, &opts, &killed), " hidden=5 args={");
	expect(printed(new_json, &opts, &killed),
	       "\"hidden\":5,\"args\":[3,9],\"args_text\":\"pid");
}
END_TEST

START_TEST(test_number_without_its_bytes)
{
	struct call_event uncounted = killed;
	uint64_t number;

	make("peat:call_args:call");
	uncounted.used = 0;
	expect(printed(new_text, NULL, &uncounted), " count=- ");
	expect(printed(new_json, NULL, &uncounted), "\"count\":null,");
	ck_assert(!peat_field__number(peat_schema__find(schema, "count", NULL), &uncounted,
				      sizeof(uncounted), &number));
	ck_assert_uint_eq(warnings, 0);
}
END_TEST

START_TEST(test_wrong_call_is_logged)
{
	make("peat:call_args:hidden");
	ck_assert_uint_eq(warnings, 1);
	ck_assert_ptr_null(schema->call.args);
	expect(printed(new_text, NULL, &killed), " args=[3 9]\n");
}
END_TEST

SUITE(5)
{
	tcase_add_checked_fixture(tests, setup, free_all);
	tcase_add_test(tests, test_arguments_of_a_call);
	tcase_add_test(tests, test_columns_of_a_call);
	tcase_add_test(tests, test_hidden_fields_can_be_chosen);
	tcase_add_test(tests, test_number_without_its_bytes);
	tcase_add_test(tests, test_wrong_call_is_logged);
}

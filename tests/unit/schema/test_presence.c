// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* test_presence.c: members that events can lack: PEAT_PRESENT(). */
#include <stdio.h>
#include <string.h>

#include <peat/sink.h>

#include "unit/print/sink_output.h"
#include "unit/schema/event_btf.h"
#include "unit/suite.h"

struct inner {
	uint8_t has; /* bit 0: inode; bit 1: name */
	uint8_t pad[3];
	uint32_t links;
	uint64_t inode;
	char name[8];
};

struct outer {
	uint8_t has; /* bit 0: delay; bit 1: bytes; bits 2 and 3: numbers */
	uint8_t pad[3];
	uint32_t bytes;
	uint64_t delay;
	uint32_t numbers[2];
	struct inner file;
};

static const struct outer whole = {
	.has = 1 | 2 | 8,
	.bytes = 0x01020304,
	.delay = 5,
	.numbers = { 6, 7 },
	.file = { .has = 3, .links = 1, .inode = 42, .name = "a" },
};

static struct peat_schema *schema;

static void tag(int type, int index, const char *text)
{
	known(btf__add_decl_tag(btf, text, type, index));
}

static int add_inner(void)
{
	int text = array(letter, 8), id = begin("inner", sizeof(struct inner));

	bit_member("has_inode", u8, 0, 1);
	bit_member("has_name", u8, 1, 1);
	member("links", u32, offsetof(struct inner, links));
	member("inode", u64, offsetof(struct inner, inode));
	member("name", text, offsetof(struct inner, name));
	tag(id, 0, "peat:hidden");
	tag(id, 1, "peat:hidden");
	tag(id, 3, "peat:present:has_inode");
	tag(id, 4, "peat:present:has_name");
	return id;
}

/* Its own presence fields are not hidden. */
static void make(void)
{
	int inner = add_inner(), address = array(u8, 4), numbers = array(u32, 2);
	int id = begin("outer", sizeof(struct outer));

	bit_member("has_delay", u8, 0, 1);
	bit_member("has_bytes", u8, 1, 1);
	bit_member("has_numbers", u8, 2, 2);
	member("bytes", address, offsetof(struct outer, bytes));
	member("delay", u64, offsetof(struct outer, delay));
	member("numbers", numbers, offsetof(struct outer, numbers));
	member("file", inner, offsetof(struct outer, file));
	tag(id, 3, "peat:present:has_bytes");
	tag(id, 4, "peat:as:duration");
	tag(id, 4, "peat:present:has_delay");
	tag(id, 5, "peat:present:has_numbers");
	schema = peat_schema__new(btf, (uint32_t)id);
	ck_assert_ptr_nonnull(schema);
	ck_assert_uint_eq(warnings, 0);
}

static void free_all(void)
{
	peat_schema__free(schema);
	schema = NULL;
	teardown();
}

static const struct peat_field *field_of(const char *path, uint32_t *base)
{
	const struct peat_field *field = peat_schema__find(schema, path, base);

	ck_assert_msg(field, "%s", path);
	return field;
}

static const char *text_of(const char *path, const struct outer *event, uint32_t bytes)
{
	static char text[128];
	uint32_t base;
	const struct peat_field *field = field_of(path, &base);

	peat_field__text(field, (const char *)event + base, bytes > base ? bytes - base : 0, text,
			 sizeof(text));
	return text;
}

static const char *json_of(const struct outer *data, const char *fields)
{
	struct peat_sink_opts opts = { .sz = sizeof(opts), .fields = fields };
	struct peat_event event = an_event(schema, data, sizeof(*data));
	int fd = new_output();
	struct peat_sink *sink = peat_sink__new_json(fd, &opts);
	const char *text;

	ck_assert_ptr_nonnull(sink);
	ck_assert_int_eq(peat_sink__write(sink, &event), 0);
	text = output(sink, fd);
	peat_sink__free(sink);
	close(fd);
	return text;
}

static const char *printed(const struct outer *data, const char *fields, bool has_columns)
{
	struct peat_sink_opts opts = { .sz = sizeof(opts), .fields = fields };
	struct peat_event event = an_event(schema, data, sizeof(*data));
	int fd = new_output();
	struct peat_sink *sink;
	const char *text;

	opts.columns = has_columns ? schema : NULL;
	sink = peat_sink__new_text(fd, &opts);
	ck_assert_ptr_nonnull(sink);
	ck_assert_int_eq(peat_sink__write(sink, &event), 0);
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

/* ---- presence -------------------------------------------------------------------------------- */

START_TEST(test_tags_name_a_number)
{
	make();
	ck_assert_ptr_eq(field_of("delay", NULL)->presence, field_of("has_delay", NULL));
	ck_assert_ptr_eq(field_of("file.inode", NULL)->presence, field_of("file.has_inode", NULL));
	ck_assert_ptr_null(field_of("has_delay", NULL)->presence);
	ck_assert_ptr_null(field_of("file", NULL)->presence);
	ck_assert(!field_of("has_delay", NULL)->is_hidden);
	ck_assert(field_of("file.has_inode", NULL)->is_hidden);
}
END_TEST

START_TEST(test_text_of_absent_fields)
{
	struct outer event = whole;

	make();
	ck_assert_str_eq(text_of("delay", &event, sizeof(event)), "5ns");
	ck_assert_str_eq(text_of("numbers", &event, sizeof(event)), "[6 7]");
	ck_assert_str_eq(text_of("file", &event, sizeof(event)), "{links=1 inode=42 name=a}");
	event.has = 2;
	event.file.has = 2;
	ck_assert_str_eq(text_of("delay", &event, sizeof(event)), "-");
	ck_assert_str_ne(text_of("bytes", &event, sizeof(event)), "-");
	ck_assert_str_eq(text_of("numbers", &event, sizeof(event)), "-");
	ck_assert_str_eq(text_of("file", &event, sizeof(event)), "{links=1 inode=- name=a}");
	event.has = event.file.has = 0;
	ck_assert_str_eq(text_of("bytes", &event, sizeof(event)), "-");
	ck_assert_str_eq(text_of("file.name", &event, sizeof(event)), "-");
}
END_TEST

START_TEST(test_number_of_absent_fields)
{
	struct outer event = whole;
	uint32_t base;
	const struct peat_field *inode;
	uint64_t number;

	make();
	inode = field_of("file.inode", &base);
	ck_assert(peat_field__number(inode, &event.file, sizeof(event.file), &number));
	ck_assert_uint_eq(number, 42);
	event.file.has = 2;
	ck_assert(!peat_field__number(inode, &event.file, sizeof(event.file), &number));
	ck_assert(
		!peat_field__number(inode, &whole.file, offsetof(struct inner, name) - 1, &number));
}
END_TEST

/* The event ends before the number that says whether the field is there. */
START_TEST(test_presence_after_the_end)
{
	const struct {
		uint32_t value;
		uint8_t has;
	} event = { 7, 1 };
	int id = begin("event", 8);
	char text[8];

	member("value", u32, 0);
	member("has", u8, 4);
	tag(id, 0, "peat:present:has");
	schema = peat_schema__new(btf, (uint32_t)id);
	peat_field__text(schema->fields, &event, 5, text, sizeof(text));
	ck_assert_str_eq(text, "7");
	peat_field__text(schema->fields, &event, 4, text, sizeof(text));
	ck_assert_str_eq(text, "-");
}
END_TEST

START_TEST(test_json_of_absent_fields)
{
	struct outer event = whole;

	make();
	expect(json_of(&event, NULL), "\"delay\":5,\"numbers\":[6,7],\"file\":{\"links\":1,"
				      "\"inode\":42,\"name\":\"a\"}}\n");
	event.has = event.file.has = 0;
	expect(json_of(&event, NULL), "\"has_numbers\":0,\"bytes\":null,\"delay\":null,"
				      "\"numbers\":null,\"file\":{\"links\":1,\"inode\":null,"
				      "\"name\":null}}\n");
	expect(json_of(&event, "file.inode,delay"), ",\"file.inode\":null,\"delay\":null}");
}
END_TEST

START_TEST(test_columns_of_absent_fields)
{
	struct outer event = whole;
	char cells[3][8];
	const char *text;

	make();
	event.has = event.file.has = 0;
	text = printed(&event, "delay,file.inode,file.links", true);
	ck_assert_msg(sscanf(text, "%*s %*s %*s %7s %7s %7s", cells[0], cells[1], cells[2]) == 3,
		      "%s", text);
	ck_assert_str_eq(cells[0], "-");
	ck_assert_str_eq(cells[1], "-");
	ck_assert_str_eq(cells[2], "1");
	expect(printed(&event, NULL, false), " delay=- numbers=- file={links=1 inode=- name=-}\n");
}
END_TEST

/* ---- tags that are ignored ------------------------------------------------------------------- */

/* `type` 0: the tagged member is no field. */
static void check_warned(int type, const char *text)
{
	int id = begin("event", 40);

	warnings = 0;
	member("x", type, 0);
	member("n", u32, 32);
	tag(id, 0, text);
	schema = peat_schema__new(btf, (uint32_t)id);
	ck_assert_ptr_nonnull(schema);
	ck_assert_msg(warnings == 1, "%s: %u warnings", text, warnings);
	ck_assert_ptr_null(schema->fields[0].presence);
	peat_schema__free(schema);
	schema = NULL;
}

START_TEST(test_ignored_tags)
{
	int inner = add_inner();

	check_warned(u32, "peat:present:m");
	check_warned(u32, "peat:present:");
	check_warned(u32, "peat:present:x");
	check_warned(inner, "peat:present:n");
	check_warned(0, "peat:present:n");
}
END_TEST

/* A presence could depend on itself without end. */
START_TEST(test_presence_has_none)
{
	static const char *const tags[][2] = { { "peat:present:b", "peat:present:a" },
					       { "peat:present:b", "peat:len:a" },
					       { "peat:len:b", "peat:present:a" } };

	for (size_t i = 0; i < 3; i++) {
		int id = begin("event", 8);

		member("a", u32, 0);
		member("b", u32, 4);
		tag(id, 0, tags[i][0]);
		tag(id, 1, tags[i][1]);
		warnings = 0;
		schema = peat_schema__new(btf, (uint32_t)id);
		ck_assert_ptr_nonnull(schema);
		ck_assert_uint_eq(warnings, 2);
		for (uint32_t field = 0; field < 2; field++) {
			ck_assert_ptr_null(schema->fields[field].presence);
			ck_assert_ptr_null(schema->fields[field].length);
		}
		peat_schema__free(schema);
	}
	schema = NULL;
}
END_TEST

START_TEST(test_length_and_presence)
{
	const struct {
		uint8_t has, used, data[6];
	} event = { 1, 2, { 1, 2, 3 } }, absent = { 0, 2, { 1, 2, 3 } };
	int data = array(u8, 6), id = begin("event", 8);
	char text[16];

	member("has", u8, 0);
	member("used", u8, 1);
	member("data", data, 2);
	tag(id, 2, "peat:len:used");
	tag(id, 2, "peat:present:has");
	schema = peat_schema__new(btf, (uint32_t)id);
	peat_field__text(&schema->fields[2], &event, sizeof(event), text, sizeof(text));
	ck_assert_str_eq(text, "0102");
	peat_field__text(&schema->fields[2], &absent, sizeof(absent), text, sizeof(text));
	ck_assert_str_eq(text, "-");
	ck_assert_uint_eq(warnings, 0);
}
END_TEST

SUITE(10)
{
	tcase_add_checked_fixture(tests, setup, free_all);
	tcase_add_test(tests, test_tags_name_a_number);
	tcase_add_test(tests, test_text_of_absent_fields);
	tcase_add_test(tests, test_number_of_absent_fields);
	tcase_add_test(tests, test_presence_after_the_end);
	tcase_add_test(tests, test_json_of_absent_fields);
	tcase_add_test(tests, test_columns_of_absent_fields);
	tcase_add_test(tests, test_ignored_tags);
	tcase_add_test(tests, test_presence_has_none);
	tcase_add_test(tests, test_length_and_presence);
}

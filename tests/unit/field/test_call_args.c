// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* test_call_args.c: the fields of a system call, and what is printed of them. */
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "field/call_fields.h"
#include "field/field_text.h"
#include "field/fields.h"
#include "unit/suite.h"

struct event {
	uint32_t call;
	uint8_t texts;
	uint16_t path_bytes;
	uint64_t args[6];
	char path[32];
	uint8_t peer[ENDPOINT_BYTES];
};

static const struct peat_name names[] = {
	{ 0, "read" }, { 39, "getpid" }, { 42, "connect" }, { 82, "rename" }, { 999, "unheard_of" },
};

static const struct peat_name arm64_names[] = { { 56, "openat" }, { 63, "read" } };

#define AT(member)                                                                                 \
	.offset = offsetof(struct event, member), .bytes = sizeof(((struct event *)0)->member)

static struct peat_field fields[8];
static struct peat_schema schema;
static struct event event;

enum { CALL, TEXTS, PATH_BYTES, ARGS, ELEMENT, PATH, PEER };

static void setup(void)
{
	const struct peat_field all[] = {
		[CALL] = { .name = "call",
			   .kind = PEAT_FIELD_ENUM,
			   .span = 1,
			   AT(call),
			   .names = names,
			   .name_count = 5 },
		[TEXTS] = { .name = "texts", .kind = PEAT_FIELD_UNSIGNED, .span = 1, AT(texts) },
		[PATH_BYTES] = { .name = "path_bytes",
				 .kind = PEAT_FIELD_UNSIGNED,
				 .span = 1,
				 AT(path_bytes) },
		[ARGS] = { .name = "args",
			   .kind = PEAT_FIELD_ARRAY,
			   .span = 2,
			   AT(args),
			   .count = 6 },
		[ELEMENT] = { .name = "", .kind = PEAT_FIELD_HEX, .span = 1, .bytes = 8 },
		[PATH] = { .name = "path",
			   .kind = PEAT_FIELD_STRING,
			   .span = 1,
			   AT(path),
			   .length = &fields[PATH_BYTES] },
		[PEER] = { .name = "peer", .kind = PEAT_FIELD_ENDPOINT, .span = 1, AT(peer) },
	};

	memcpy(fields, all, sizeof(all));
	schema = (struct peat_schema){ .name = "syscall",
				       .bytes = sizeof(event),
				       .count = 7,
				       .fields = fields,
				       .stacks_fd = -1 };
	for (uint32_t i = 0; i < schema.count; i++)
		fields[i].schema = &schema;
	event = (struct event){ .args = { 3, 0x10, 16, 0x44, 0x55, 0x66 } };
}

static void check(uint32_t call, const char *expected)
{
	char text[256];

	event.call = call;
	peat_field__text(&fields[ARGS], &event, sizeof(event), text, sizeof(text));
	ck_assert_str_eq(text, expected);
}

#define NUMBERS "[0x3 0x10 0x10 0x44 0x55 0x66]"

START_TEST(test_call_by_its_name)
{
	ck_assert(call_fields__bind(&schema, ARGS, "call"));
	ck_assert(call_fields__are(&fields[ARGS]));
	ck_assert(!call_fields__are(&fields[PATH]));
	check(0, "fd=3 buf=0x10 count=16");
	check(39, "");
	fields[CALL].names = arm64_names;
	fields[CALL].name_count = 2;
	check(63, "fd=3 buf=0x10 count=16");
	event.args[2] = 040000;
	check(56, "dfd=3 filename=0x10 flags=O_RDONLY|O_DIRECTORY");
}
END_TEST

/* A call without a name, or without a row in the table. */
START_TEST(test_unknown_calls_are_numbers)
{
	check(0, NUMBERS);
	ck_assert(call_fields__bind(&schema, ARGS, "call"));
	check(1, NUMBERS);
	check(999, NUMBERS);
}
END_TEST

START_TEST(test_texts_and_peer)
{
	memcpy(event.path, "/a\0/b", 6);
	event.path_bytes = 6;
	event.texts = 3;
	event.peer[15] = 1;
	event.peer[17] = 9;
	ck_assert(call_fields__bind(&schema, ARGS, "call, texts,path , peer"));
	check(82, "oldname=\"/a\" newname=\"/b\"");
	event.path_bytes = 3;
	check(82, "oldname=\"/a\" newname=0x10");
	event.path_bytes = 1000;
	check(82, "oldname=\"/a\" newname=\"/b\"");
	event.path_bytes = 0;
	event.texts = 2;
	check(42, "fd=3 addr=[::1]:9 addrlen=16");
}
END_TEST

/* Each prefix of an event, as a recording may be damaged. */
START_TEST(test_cut_events)
{
	char text[256];

	ck_assert(call_fields__bind(&schema, ARGS, "call, texts, path, peer"));
	memcpy(event.path, "/a\0/b", 6);
	event.path_bytes = sizeof(event.path);
	event.texts = 0xff;
	event.call = 82;
	for (uint32_t bytes = 0; bytes < sizeof(event); bytes++) {
		char *copy = malloc(bytes + 1);

		memcpy(copy, &event, bytes);
		peat_field__text(&fields[ARGS], copy, bytes, text, sizeof(text));
		if (bytes <= offsetof(struct event, args))
			ck_assert_str_eq(text, "-");
		else if (bytes < offsetof(struct event, path))
			ck_assert_msg(*text == '[' || strstr(text, "0x10"), "%s", text);
		free(copy);
	}
}
END_TEST

START_TEST(test_among_other_values)
{
	struct strbuf out = { 0 };

	ck_assert(call_fields__bind(&schema, ARGS, "call"));
	field_text__append_quoted(&out, &fields[ARGS], &event, sizeof(event), SYMBOLS_ALL);
	strbuf__char(&out, 0);
	ck_assert_str_eq(out.bytes, "{fd=3 buf=0x10 count=16}");
	strbuf__free(&out);
}
END_TEST

START_TEST(test_refused_fields)
{
	ck_assert(!call_fields__bind(&schema, ARGS, ""));
	ck_assert(!call_fields__bind(&schema, ARGS, "texts"));
	ck_assert(!call_fields__bind(&schema, ARGS, "nothing"));
	ck_assert(!call_fields__bind(&schema, PATH, "call"));
	ck_assert(!call_fields__bind(&schema, ARGS, "call, texts"));
	ck_assert(!call_fields__bind(&schema, ARGS, "call, path, texts"));
	ck_assert(!call_fields__bind(&schema, ARGS, "call, texts, path, path"));
	fields[ARGS].count = 7;
	ck_assert(!call_fields__bind(&schema, ARGS, "call"));
	fields[ARGS].count = 6;
	fields[ELEMENT].bytes = 4;
	ck_assert(!call_fields__bind(&schema, ARGS, "call"));
	ck_assert_ptr_null(schema.call.args);
}
END_TEST

/* An array that is shorter than the call. */
START_TEST(test_fewer_arguments)
{
	fields[ARGS].count = 2;
	ck_assert(call_fields__bind(&schema, ARGS, "call"));
	check(0, "[0x3 0x10]");
	check(82, "oldname=0x3 newname=0x10");
}
END_TEST

SUITE(5)
{
	tcase_add_checked_fixture(tests, setup, NULL);
	tcase_add_test(tests, test_call_by_its_name);
	tcase_add_test(tests, test_unknown_calls_are_numbers);
	tcase_add_test(tests, test_texts_and_peer);
	tcase_add_test(tests, test_cut_events);
	tcase_add_test(tests, test_among_other_values);
	tcase_add_test(tests, test_refused_fields);
	tcase_add_test(tests, test_fewer_arguments);
}

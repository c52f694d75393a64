// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* test_several_strings.c: arrays of characters with several strings. */
#include <stddef.h>
#include <string.h>

#include "field/fields.h"
#include "field/several_strings.h"
#include "unit/suite.h"

struct exec {
	uint32_t args_size;
	char args[60];
};

static struct peat_schema schema;

static struct peat_field fields[] = {
	{ .name = "args_size",
	  .kind = PEAT_FIELD_UNSIGNED,
	  .span = 1,
	  .bytes = 4,
	  .schema = &schema },
	{ .name = "args",
	  .kind = PEAT_FIELD_STRING,
	  .span = 1,
	  .offset = 4,
	  .bytes = 60,
	  .schema = &schema },
};

static struct exec event;

static void setup(void)
{
	schema = (struct peat_schema){
		.name = "exec", .bytes = sizeof(event), .count = 2, .fields = fields
	};
	fields[0].name = "args_size";
	fields[1].length = NULL;
	memset(&event, 'x', sizeof(event));
}

/* The text of an event with so many bytes of arguments, with blanks for NULs. */
static const char *text_of(const char *args, uint32_t size, uint32_t bytes)
{
	static char text[2 * sizeof(event)];

	memcpy(event.args, args, size);
	several_strings__init(&schema);
	peat_field__text(&fields[1], &event, 4 + bytes, text, sizeof(text));
	return text;
}

#define ARGS  "ls\0-l\0/etc/hostname"
#define BYTES ((uint32_t)sizeof(ARGS))

/* Events are padded: what follows the length is not text. */
START_TEST(test_stated_length)
{
	event.args_size = BYTES;
	for (uint32_t padding = 0; padding < 8; padding++)
		ck_assert_str_eq(text_of(ARGS, BYTES, BYTES + padding), "ls -l /etc/hostname");
	ck_assert_str_eq(text_of(ARGS, BYTES, sizeof(event.args)), "ls -l /etc/hostname");
	event.args_size = 6;
	ck_assert_str_eq(text_of(ARGS, BYTES, 6), "ls -l");
	event.args_size = 7;
	ck_assert_str_eq(text_of("ls\0\0-l", 7, 7), "ls \"\" -l");
}
END_TEST

/* A number that is not the length of this text, or of another one. */
START_TEST(test_other_lengths)
{
	event.args_size = sizeof(event.args);
	ck_assert_str_eq(text_of(ARGS, BYTES, sizeof(event.args)), "ls");
	event.args_size = 1000;
	ck_assert_str_eq(text_of(ARGS, BYTES, sizeof(event.args)), "ls");
	event.args_size = BYTES;
	fields[0].name = "path_size";
	schema.has_text_lengths = false;
	ck_assert_str_eq(text_of(ARGS, BYTES, sizeof(event.args)), "ls");
}
END_TEST

/* Without a length: a string that begins in the last 7 bytes may be padding. */
START_TEST(test_event_ends_in_the_array)
{
	fields[0].name = "number";
	ck_assert_str_eq(text_of(ARGS, BYTES, BYTES), "ls -l /etc/hostname");
	ck_assert_str_eq(text_of(ARGS, BYTES, BYTES + 7), "ls -l /etc/hostname");
	ck_assert_str_eq(text_of("ls\0-l\0/etc/hostname\0\0\0\0\0\0\0\0", BYTES + 8, BYTES + 8),
			 "ls");
	ck_assert_str_eq(text_of("cat\0a\0b\0c", 10, 10), "cat");
	ck_assert_str_eq(text_of("cat\0a\0b\0c", 10, 12), "cat a");
	ck_assert_str_eq(text_of("ls\0-l", 6, 6), "ls");
	ck_assert_str_eq(text_of("ls", 3, 3), "ls");
	ck_assert_str_eq(text_of("ls", 2, 2), "ls");
}
END_TEST

/* All of the array is there, so the rest may be left over from earlier use. */
START_TEST(test_whole_array)
{
	fields[0].name = "number";
	ck_assert_str_eq(text_of(ARGS, BYTES, sizeof(event.args)), "ls");
	fields[1].length = &fields[0];
	event.args_size = BYTES;
	ck_assert_str_eq(text_of(ARGS, BYTES, sizeof(event.args)), "ls -l /etc/hostname");
}
END_TEST

START_TEST(test_no_text)
{
	event.args_size = 12;
	ck_assert_str_eq(text_of("ls\0-l\0\1\2xxx", 12, 12), "ls -l");
	ck_assert_str_eq(text_of("ls\0\x7f-l\0xxxx", 12, 12), "ls");
	ck_assert_str_eq(text_of("ls\0a\tb\0\n\0\0\0", 12, 12), "ls a\\tb \\n");
}
END_TEST

START_TEST(test_has_length)
{
	several_strings__init(&schema);
	ck_assert(several_strings__has_length(&fields[1]));
	ck_assert(!several_strings__has_length(&fields[0]));
	fields[0].name = "size";
	several_strings__init(&schema);
	schema.has_text_lengths = true; /* of another field */
	ck_assert(!several_strings__has_length(&fields[1]));
	fields[1].length = &fields[0];
	schema.has_text_lengths = false;
	ck_assert(several_strings__has_length(&fields[1]));
}
END_TEST

SUITE(5)
{
	tcase_add_checked_fixture(tests, setup, NULL);
	tcase_add_test(tests, test_stated_length);
	tcase_add_test(tests, test_other_lengths);
	tcase_add_test(tests, test_event_ends_in_the_array);
	tcase_add_test(tests, test_whole_array);
	tcase_add_test(tests, test_no_text);
	tcase_add_test(tests, test_has_length);
}

// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* test_object_file.c: a compiled object, described without loading it. */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <peat/log.h>
#include <peat/object_file.h>

#include "support/machine/harness.h"
#include "support/machine/object.h"
#include "unit/suite.h"

EMBED_OBJECT(kinds_of_fields)
EMBED_OBJECT(no_table)

static struct peat_object *open_kinds(void)
{
	struct peat_object *object = peat_object__open(kinds_of_fields_object.bytes,
						       *kinds_of_fields_object.count, "kinds");

	ck_assert_msg(object, "%s", strerror(errno));
	return object;
}

static const struct peat_field *find(const struct peat_schema *schema, const char *path,
				     enum peat_field_kind kind)
{
	uint32_t offset;
	const struct peat_field *field = peat_schema__find(schema, path, &offset);

	ck_assert_msg(field, "no field %s", path);
	ck_assert_msg(field->kind == kind, "%s is of kind %d", path, (int)field->kind);
	return field;
}

START_TEST(test_types_of_an_object)
{
	struct peat_object *object = open_kinds();
	const struct peat_schema *kinds = peat_object__type(object, 0);

	ck_assert_str_eq(peat_object__name(object), "kinds");
	ck_assert(peat_object__has_channel(object));
	ck_assert_str_eq(peat_schema__name(kinds), "kinds");
	ck_assert_str_eq(peat_schema__doc(kinds), "one of each");
	ck_assert_str_eq(peat_schema__name(peat_object__type(object, 1)), "small");
	ck_assert_ptr_null(peat_schema__doc(peat_object__type(object, 1)));
	ck_assert_ptr_null(peat_object__type(object, 2));
	peat_object__free(object);
	peat_object__free(NULL);
}
END_TEST

START_TEST(test_tables_of_an_object)
{
	struct peat_object_table table = { .sz = sizeof(table) };
	struct peat_object *object = open_kinds();

	ck_assert_int_eq(peat_object__table(object, 0, &table), 1);
	ck_assert_str_eq(table.name, "by_mode");
	ck_assert_str_eq(table.doc, "how many of each mode");
	ck_assert_ptr_null(table.unit);
	ck_assert_uint_eq(table.keys, 1);
	find(table.schema, "key", PEAT_FIELD_ENUM);
	find(table.schema, "value", PEAT_FIELD_SIZE);
	ck_assert_int_eq(peat_object__table(object, 1, &table), 1);
	ck_assert_str_eq(table.name, "delays");
	ck_assert_str_eq(table.unit, "ns");
	ck_assert_ptr_null(table.doc);
	find(table.schema, "slots", PEAT_FIELD_ARRAY);
	ck_assert_int_eq(peat_object__table(object, 2, &table), 0);
	peat_object__free(object);
}
END_TEST

static char message[512];

static void keep_error(enum peat_log_level level, const char *text)
{
	if (level == PEAT_LOG_ERROR)
		strncpy(message, text, sizeof(message) - 1);
}

START_TEST(test_map_that_is_no_table)
{
	peat_set_print(keep_error);
	ck_assert_ptr_null(peat_object__open(no_table_object.bytes, *no_table_object.count, "no"));
	ck_assert_int_eq(errno, EINVAL);
	ck_assert_str_eq(message,
			 "cannot show the map events of no as a table: its type is no hash table "
			 "or array: choose such a type, or remove PEAT_TABLE or PEAT_HIST");
}
END_TEST

static void check_numbers(const struct peat_schema *schema)
{
	const struct peat_field *field = find(schema, "mode", PEAT_FIELD_ENUM);

	ck_assert_uint_eq(field->name_count, 3);
	ck_assert_str_eq(field->names[0].name, "MODE_OFF");
	ck_assert_str_eq(field->names[2].name, "MODE_WEIRD");
	ck_assert_uint_eq(field->names[2].value, UINT64_MAX);
	ck_assert(field->is_signed);
	ck_assert_uint_eq(find(schema, "access", PEAT_FIELD_FLAGS)->name_count, 3);
	ck_assert_str_eq(find(schema, "delta", PEAT_FIELD_SIGNED)->doc, "how far");
	find(schema, "pid_", PEAT_FIELD_UNSIGNED);
	find(schema, "done", PEAT_FIELD_BOOL);
	find(schema, "pointer", PEAT_FIELD_HEX);
	find(schema, "duration", PEAT_FIELD_DURATION);
	find(schema, "result", PEAT_FIELD_ERRNO);
	find(schema, "port", PEAT_FIELD_PORT);
	field = find(schema, "middle", PEAT_FIELD_UNSIGNED);
	ck_assert_uint_eq(field->bits, 5);
	ck_assert_uint_eq(field->bytes, 1);
	ck_assert_uint_eq(field->bit_offset, __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__ ? 3 : 0);
}

START_TEST(test_fields_of_a_compiled_struct)
{
	struct peat_object *object = open_kinds();
	const struct peat_schema *schema = peat_object__type(object, 0);
	const struct peat_field *field;
	uint32_t offset;

	check_numbers(schema);
	ck_assert_uint_eq(find(schema, "address", PEAT_FIELD_IPV4)->span, 1);
	find(schema, "network", PEAT_FIELD_IPV4);
	field = find(schema, "addresses", PEAT_FIELD_ARRAY);
	ck_assert_uint_eq(field->count, 3);
	ck_assert_int_eq(field[1].kind, PEAT_FIELD_KADDR);
	field = find(schema, "path", PEAT_FIELD_ARRAY);
	ck_assert_uint_eq(field->span, 4);
	ck_assert_uint_eq(field->bytes, 16);
	ck_assert_int_eq(field[1].kind, PEAT_FIELD_STRUCT);
	ck_assert_uint_eq(find(schema, "key", PEAT_FIELD_ARRAY)->span, 3);
	find(schema, "number", PEAT_FIELD_UNSIGNED);
	find(schema, "bytes", PEAT_FIELD_BYTES);
	find(schema, "name", PEAT_FIELD_STRING);
	ck_assert_uint_eq(find(schema, "args", PEAT_FIELD_STRINGS)->bytes, 0);
	field = peat_schema__find(schema, "from.column", &offset);
	ck_assert_uint_eq(offset + field->offset,
			  find(schema, "from", PEAT_FIELD_STRUCT)->offset + 4);
	peat_object__free(object);
}
END_TEST

static struct peat_option option_called(const struct peat_object *object, const char *name)
{
	struct peat_option option = { .sz = sizeof(option) };

	for (uint32_t i = 0; peat_object__option(object, i, &option) == 1; i++)
		if (!strcmp(option.name, name))
			return option;
	ck_abort_msg("no option %s", name);
}

START_TEST(test_options_of_an_object)
{
	struct peat_object *object = open_kinds();
	struct peat_option option = option_called(object, "min_time");
	uint32_t count = 0;

	ck_assert_int_eq(option.kind, PEAT_FIELD_DURATION);
	ck_assert_str_eq(option.doc, "only what takes as long");
	ck_assert_uint_eq(option.value, 1500);
	ck_assert_uint_eq(option.bytes, 8);
	option = option_called(object, "loud");
	ck_assert_int_eq(option.kind, PEAT_FIELD_BOOL);
	ck_assert_uint_eq(option.value, 1);
	option = option_called(object, "offset");
	ck_assert_int_eq(option.kind, PEAT_FIELD_SIGNED);
	ck_assert_int_eq((int64_t)option.value, -5);
	option = option_called(object, "prefix");
	ck_assert_int_eq(option.kind, PEAT_FIELD_STRING);
	ck_assert_str_eq(option.text, "usr");
	ck_assert_uint_eq(option.bytes, 8);
	option = option_called(object, "mask");
	ck_assert_int_eq(option.kind, PEAT_FIELD_HEX);
	ck_assert_uint_eq(option.value, 0xff00);
	while (peat_object__option(object, count, &option) == 1)
		count++;
	ck_assert_uint_eq(count, 5);
	option.sz = 0;
	ck_assert_int_eq(peat_object__option(object, 0, &option), -EINVAL);
	peat_object__free(object);
}
END_TEST

START_TEST(test_hooks_of_an_object)
{
	static const char *const sections[] = { "raw_tp/sys_enter", "raw_tp/sys_exit",
						"raw_tp/sched_switch" };
	struct peat_object *object = open_kinds();
	struct peat_hook hook = { .sz = sizeof(hook) };
	uint32_t seen = 0;

	for (uint32_t i = 0; peat_object__hook(object, i, &hook) == 1; i++) {
		for (uint32_t j = 0; j < 3; j++)
			if (!strcmp(hook.section, sections[j]))
				seen |= 1U << j;
		ck_assert(hook.optional == !strcmp(hook.program, "second"));
	}
	ck_assert_uint_eq(seen, 7);
	ck_assert_int_eq(peat_object__hook(object, 3, &hook), 0);
	peat_object__free(object);
}
END_TEST

START_TEST(test_opens_files)
{
	char path[] = "/tmp/peat-XXXXXX.bpf.o";
	int fd = mkstemps(path, 6);
	struct peat_object *object;

	ck_assert_int_ge(fd, 0);
	ck_assert_int_eq(write(fd, kinds_of_fields_object.bytes, *kinds_of_fields_object.count),
			 (ssize_t)*kinds_of_fields_object.count);
	close(fd);
	object = peat_object__open_file(path);
	unlink(path);
	ck_assert_ptr_nonnull(object);
	ck_assert_uint_eq(strlen(peat_object__name(object)), strlen("peat-XXXXXX"));
	ck_assert(!strncmp(peat_object__name(object), "peat-", 5));
	peat_object__free(object);
	errno = 0;
	ck_assert_ptr_null(peat_object__open_file(path));
	ck_assert_int_eq(errno, ENOENT);
}
END_TEST

static uint32_t warned;

static void count_errors(enum peat_log_level level, const char *text)
{
	warned += level == PEAT_LOG_ERROR && strstr(text, "rubbish");
}

START_TEST(test_not_an_object)
{
	static const uint64_t rubbish[64] = { 0x464c457f };

	peat_set_print(count_errors);
	ck_assert_ptr_null(peat_object__open(rubbish, sizeof(rubbish), "rubbish"));
	ck_assert_int_ne(errno, 0);
	ck_assert_ptr_null(peat_object__open(kinds_of_fields_object.bytes, 1000, "rubbish"));
	ck_assert_uint_eq(warned, 2);
}
END_TEST

SUITE(10)
{
	tcase_add_test(tests, test_types_of_an_object);
	tcase_add_test(tests, test_tables_of_an_object);
	tcase_add_test(tests, test_map_that_is_no_table);
	tcase_add_test(tests, test_fields_of_a_compiled_struct);
	tcase_add_test(tests, test_options_of_an_object);
	tcase_add_test(tests, test_hooks_of_an_object);
	tcase_add_test(tests, test_opens_files);
	tcase_add_test(tests, test_not_an_object);
}

// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* test_tracepoint_record.c: members of tracepoints' records become fields of events. */
#include <stdlib.h>

#include "function_btf.h"
#include "functions/tracepoint_record.h"
#include "unit/fail_alloc.h"

#define HEAD                                                                                       \
	"name: x\nID: 7\nformat:\n"                                                                \
	"\tfield:unsigned short common_type;\toffset:0;\tsize:2;\tsigned:0;\n"                     \
	"\tfield:int common_pid;\toffset:4;\tsize:4;\tsigned:1;\n\n"
#define FIELD(declaration, offset, size, sign)                                                     \
	"\tfield:" declaration ";\toffset:" #offset ";\tsize:" #size ";\tsigned:" #sign ";\n"
#define PRINT(format) "\nprint fmt: " format "\n"

static struct tracepoint_record record;

static void setup_record(void)
{
	record = (struct tracepoint_record){ 0 };
	begin_types();
}

static void teardown_record(void)
{
	tracepoint_record__free(&record);
	end_types();
}

static int parse(const char *category, const char *text)
{
	char *copy = strdup(text);

	ck_assert_ptr_nonnull(copy);
	tracepoint_record__free(&record);
	return tracepoint_record__parse(&record, category, copy);
}

static struct function_field make(const char *name)
{
	struct function_field made = { 0 };
	struct strbuf reason = { 0 };
	int err = tracepoint_record__field(&made, &types, &record, name, &reason);

	ck_assert_msg(!err, "%s: %s: %.*s", name, strerror(-err), (int)reason.count, reason.bytes);
	ck_assert_uint_eq(reason.count, 0);
	ck_assert_str_eq(made.path, name);
	return made;
}

static void refused_field(const char *name, int wanted, const char *text)
{
	struct function_field made = { 0 };
	struct strbuf reason = { 0 };

	ck_assert_int_eq(tracepoint_record__field(&made, &types, &record, name, &reason), wanted);
	ck_assert_ptr_null(made.path);
	strbuf__char(&reason, '\0');
	ck_assert_str_eq(reason.bytes, text);
	strbuf__free(&reason);
}

/* The schema of an event with this field, as the made BTF has it. */
static struct peat_schema *made_schema(const char *name, struct plan_read *read)
{
	struct function_field made = make(name);
	struct function_plan plan;
	struct peat_schema *schema = schema_of(&made, 1, 0, &plan);

	*read = plan.read[0];
	ck_assert_uint_eq(read->source, PLAN_CTX);
	return schema;
}

/* A field that is copied from `offset` of the record. */
static void check(const char *name, enum peat_field_kind kind, int offset, uint32_t bytes,
		  bool is_signed)
{
	struct plan_read read;
	struct peat_schema *schema = made_schema(name, &read);
	const struct peat_field *field = find_field(schema, name);
	bool is_number = read.width;

	ck_assert_msg(field->kind == kind, "%s: %d, not %d", name, field->kind, kind);
	ck_assert_uint_eq(field->bytes, bytes);
	ck_assert_int_eq(field->is_signed, is_signed);
	ck_assert_uint_eq(read.steps, 1);
	ck_assert_int_eq(read.offset[0], offset);
	ck_assert_uint_eq(is_number ? read.width : read.bytes, bytes);
	peat_schema__free(schema);
}

/* ---- numbers --------------------------------------------------------------------------------- */

START_TEST(test_numbers_of_all_sizes)
{
	ck_assert_int_eq(
		parse("sys", HEAD FIELD("u8 a", 8, 1, 0) FIELD("s8 b", 9, 1, 1)
				     FIELD("unsigned short c", 10, 2, 0) FIELD("short d", 12, 2, 1)
					     FIELD("u32 e", 16, 4, 0) FIELD("int f", 20, 4, 1)
						     FIELD("unsigned long g", 24, 8, 0)
							     FIELD("s64 h", 32, 8, 1)),
		0);
	check("a", PEAT_FIELD_UNSIGNED, 8, 1, false);
	check("b", PEAT_FIELD_SIGNED, 9, 1, true);
	check("c", PEAT_FIELD_UNSIGNED, 10, 2, false);
	check("d", PEAT_FIELD_SIGNED, 12, 2, true);
	check("e", PEAT_FIELD_UNSIGNED, 16, 4, false);
	check("f", PEAT_FIELD_SIGNED, 20, 4, true);
	check("g", PEAT_FIELD_UNSIGNED, 24, 8, false);
	check("h", PEAT_FIELD_SIGNED, 32, 8, true);
}
END_TEST

START_TEST(test_numbers_with_a_meaning)
{
	ck_assert_int_eq(
		parse("sys",
		      HEAD FIELD("bool ok", 8, 1, 0) FIELD("void * skb", 16, 8, 0)
			      FIELD("u32 mask", 24, 4, 0) FIELD("__be16 port", 28, 2, 0) FIELD(
				      "__be32 from", 32, 4, 0) FIELD("unsigned long ip", 40, 8, 0)
				      PRINT("\"mask=%x ip=%pS\", REC->mask, (void *)REC->ip")),
		0);
	check("ok", PEAT_FIELD_BOOL, 8, 1, false);
	check("skb", PEAT_FIELD_HEX, 16, 8, false);
	check("mask", PEAT_FIELD_HEX, 24, 4, false);
	check("port", PEAT_FIELD_PORT, 28, 2, false);
	check("from", PEAT_FIELD_IPV4, 32, 4, false);
	check("ip", PEAT_FIELD_KADDR, 40, 8, false);
}
END_TEST

static void check_name(const struct peat_field *field, uint64_t value, const char *name)
{
	for (uint32_t i = 0; i < field->name_count; i++)
		if (field->names[i].value == value) {
			ck_assert_str_eq(field->names[i].name, name);
			return;
		}
	ck_abort_msg("%s has no name of %llx", field->name, (unsigned long long)value);
}

static void check_names(const char *name, enum peat_field_kind kind, uint64_t value,
			const char *wanted)
{
	struct plan_read read;
	struct peat_schema *schema = made_schema(name, &read);
	const struct peat_field *field = find_field(schema, name);

	ck_assert_int_eq(field->kind, kind);
	ck_assert_uint_eq(field->bytes, read.width);
	ck_assert_uint_eq(field->name_count, 2);
	check_name(field, 1, "ONE");
	check_name(field, value, wanted);
	peat_schema__free(schema);
}

#define SYMBOLS(name, value)                                                                       \
	"__print_symbolic(REC->" name ", { 1, \"ONE\" }, { " value ", \"other\" })"
#define BITS(name, value)                                                                          \
	"__print_flags(REC->" name ", \"|\", { 1, \"ONE\" }, { " value ", \"other\" })"

START_TEST(test_names_of_numbers)
{
	ck_assert_int_eq(
		parse("sys",
		      HEAD FIELD("u8 a", 8, 1, 0) FIELD("short b", 10, 2, 1) FIELD(
			      "int c", 12, 4, 1) FIELD("u64 d", 16, 8, 0) FIELD("s64 e", 24, 8, 1)
			      FIELD("unsigned int f", 32, 4, 0) FIELD("unsigned long g", 40, 8, 0) PRINT(
				      "\"%s %s %s %s %s %s %s\", " SYMBOLS("a", "255") ", " SYMBOLS("b", "2") ", " SYMBOLS("c", "-5") ", " SYMBOLS(
					      "d",
					      "0x8000000000000000") ", " SYMBOLS("e",
										 "-1") ", " BITS("f",
												 "0"
												 "x"
												 "8"
												 "0"
												 "0"
												 "0"
												 "0"
												 "0"
												 "0"
												 "0") ", " BITS("g",
														"0x100000000"))),
		0);
	check_names("a", PEAT_FIELD_ENUM, 255, "other");
	check_names("b", PEAT_FIELD_ENUM, 2, "other");
	check_names("c", PEAT_FIELD_ENUM, (uint64_t)-5, "other");
	check_names("d", PEAT_FIELD_ENUM, 0x8000000000000000, "other");
	check_names("e", PEAT_FIELD_ENUM, UINT64_MAX, "other");
	check_names("f", PEAT_FIELD_FLAGS, 0x80000000, "other");
	check_names("g", PEAT_FIELD_FLAGS, 0x100000000, "other");
}
END_TEST

/* ---- texts and bytes ------------------------------------------------------------------------- */

static void check_text(const char *name, unsigned flags, unsigned steps, int offset, uint32_t bytes)
{
	struct plan_read read;
	struct peat_schema *schema = made_schema(name, &read);
	const struct peat_field *field = find_field(schema, name);

	ck_assert_int_eq(field->kind, PEAT_FIELD_STRING);
	ck_assert_uint_eq(field->bytes, bytes);
	ck_assert_uint_eq(read.bytes, bytes);
	ck_assert_uint_eq(read.width, 0);
	ck_assert_uint_eq(read.flags, flags);
	ck_assert_uint_eq(read.steps, steps);
	ck_assert_int_eq(read.offset[0], offset);
	ck_assert_int_eq(read.offset[1], 0);
	peat_schema__free(schema);
}

START_TEST(test_texts_in_the_record)
{
	ck_assert_int_eq(parse("sys", HEAD FIELD("char prev_comm[16]", 8, 16,
						 0) FIELD("__data_loc char[] name", 24, 4, 0)
					      FIELD("char longest[256]", 28, 256, 0)
						      FIELD("const char * pointer", 288, 8, 0)),
			 0);
	check_text("prev_comm", 0, 1, 8, 16);
	check_text("name", PLAN_LOC, 1, 24, types.text_bytes);
	check_text("longest", 0, 1, 28, PLAN_TEXT_BYTES);
	check("pointer", PEAT_FIELD_HEX, 288, 8, false);
}
END_TEST

/* Buffers that a system call fills in are no texts. */
START_TEST(test_texts_of_system_calls)
{
	ck_assert_int_eq(parse("syscalls",
			       HEAD FIELD("int __syscall_nr", 8, 4, 1)
				       FIELD("const char * filename", 16, 8, 0)
					       FIELD("char * buf", 24, 8, 0)
						       FIELD("const char * const * argv", 32, 8, 0)
							       FIELD("umode_t mode", 40, 8, 0)),
			 0);
	check_text("filename", PLAN_LAST_USER, 2, 16, types.text_bytes);
	check("buf", PEAT_FIELD_HEX, 24, 8, false);
	check("argv", PEAT_FIELD_HEX, 32, 8, false);
	check("__syscall_nr", PEAT_FIELD_SIGNED, 8, 4, true);
}
END_TEST

static void check_bytes(const char *name, enum peat_field_kind kind, int offset, uint32_t bytes)
{
	struct plan_read read;
	struct peat_schema *schema = made_schema(name, &read);

	ck_assert_uint_eq(read.flags, PLAN_RAW);
	peat_schema__free(schema);
	check(name, kind, offset, bytes, false);
}

START_TEST(test_addresses_and_bytes)
{
	ck_assert_int_eq(
		parse("sys", HEAD FIELD("__u8 from[4]", 8, 4, 0) FIELD("__u8 from6[16]", 12, 16, 0)
				     FIELD("u8 mac[6]", 28, 6, 0) FIELD("u8 id[5]", 34, 5, 0)
					     FIELD("struct foo foo", 40, 12, 0) PRINT(
						     "\"%pI4 %pI6c %pM\", REC->from, REC->from6, "
						     "REC->mac")),
		0);
	check("from", PEAT_FIELD_IPV4, 8, 4, false);
	check_bytes("from6", PEAT_FIELD_IPV6, 12, 16);
	check_bytes("mac", PEAT_FIELD_MAC, 28, 6);
	check_bytes("id", PEAT_FIELD_BYTES, 34, 5);
	check_bytes("foo", PEAT_FIELD_BYTES, 40, 12);
}
END_TEST

/* ---- refusals -------------------------------------------------------------------------------- */

static const char some_arrays[] = HEAD FIELD("u32 words[4]", 8, 16, 0) FIELD("int first", 24, 4, 1)
	FIELD("__data_loc u64[] list", 28, 4, 0) FIELD("__rel_loc char[] name", 32, 4, 0)
		FIELD("char path[257]", 36, 257, 0) FIELD("u8 data[300]", 296, 300, 0)
			FIELD("int pid", 600, 4, 1);

START_TEST(test_arrays_are_refused)
{
	static const char *const names[] = { "words", "list", "name", "path", "data" };

	ck_assert_int_eq(parse("sys", some_arrays), 0);
	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++)
		refused_field(names[i], -EINVAL, "an array, or too long");
	check("first", PEAT_FIELD_SIGNED, 24, 4, true);
}
END_TEST

#define FIELDS "its fields are words, first, list, name, path, data, pid_"

START_TEST(test_missing_fields)
{
	ck_assert_int_eq(parse("sys", some_arrays), 0);
	refused_field("frist", -ENOENT, "it has no such field: did you mean \"first\"? " FIELDS);
	refused_field("nothing_like_it", -ENOENT, "it has no such field: " FIELDS);
	refused_field("common_type", -ENOENT, "it has no such field: " FIELDS);
}
END_TEST

START_TEST(test_all_fields_that_can_be)
{
	struct function_field made[PLAN_READS] = { 0 };
	int count;

	ck_assert_int_eq(parse("sys", some_arrays), 0);
	count = tracepoint_record__fields(made, PLAN_READS, &types, &record);
	ck_assert_int_eq(count, 2);
	ck_assert_str_eq(made[0].path, "first");
	ck_assert_str_eq(made[1].path, "pid_");
	for (int i = 0; i < count; i++)
		function_field__free(&made[i]);
	count = tracepoint_record__fields(made, 1, &types, &record);
	ck_assert_int_eq(count, 1);
	ck_assert_str_eq(made[0].path, "first");
	function_field__free(&made[0]);
}
END_TEST

START_TEST(test_invalid_formats)
{
	ck_assert_int_eq(parse("sys", ""), -EBADMSG);
	ck_assert_ptr_null(record.text);
	ck_assert_int_eq(parse("sys", "name: x\nformat:\n"), -EBADMSG);
	ck_assert_int_eq(parse("sys", HEAD "\tfield:int;\toffset:8;\n"), -EBADMSG);
}
END_TEST

START_TEST(test_memory_runs_out)
{
	unsigned failures = 0;

	ck_assert_int_eq(parse("sys", HEAD FIELD("int first", 8, 4, 1)), 0);
	for (unsigned nth = 1; nth; nth++) {
		struct function_field made = { 0 };
		struct strbuf reason = { 0 };
		int err;

		fail_alloc__begin(nth);
		err = tracepoint_record__field(&made, &types, &record, "first", &reason);
		nth = fail_alloc__end() ? nth : UINT32_MAX;
		ck_assert_int_eq(err, nth == UINT32_MAX ? 0 : -ENOMEM);
		ck_assert(!made.path == (err != 0));
		failures += err != 0;
		free(made.path);
		strbuf__free(&reason);
	}
	ck_assert_uint_lt(failures, 20);
}
END_TEST

START_TEST(test_memory_runs_out_after_a_field)
{
	unsigned failures = 0;

	ck_assert_int_eq(parse("sys", some_arrays), 0);
	for (unsigned nth = 1; nth; nth++) {
		struct function_field made[PLAN_READS] = { 0 };
		int count;

		fail_alloc__begin(nth);
		count = tracepoint_record__fields(made, PLAN_READS, &types, &record);
		nth = fail_alloc__end() ? nth : UINT32_MAX;
		/* The reason of an array needs memory as well, and is dropped. */
		ck_assert(count == 2 || (count == -ENOMEM && nth != UINT32_MAX));
		for (uint32_t i = 0; i < PLAN_READS; i++) {
			ck_assert(!made[i].path || count > (int)i);
			free(made[i].path);
		}
		failures += count < 0;
	}
	ck_assert_uint_lt(failures, 40);
}
END_TEST

SUITE(10)
{
	tcase_add_checked_fixture(tests, setup_record, teardown_record);
	tcase_add_test(tests, test_numbers_of_all_sizes);
	tcase_add_test(tests, test_numbers_with_a_meaning);
	tcase_add_test(tests, test_names_of_numbers);
	tcase_add_test(tests, test_texts_in_the_record);
	tcase_add_test(tests, test_texts_of_system_calls);
	tcase_add_test(tests, test_addresses_and_bytes);
	tcase_add_test(tests, test_arrays_are_refused);
	tcase_add_test(tests, test_missing_fields);
	tcase_add_test(tests, test_all_fields_that_can_be);
	tcase_add_test(tests, test_invalid_formats);
	tcase_add_test(tests, test_memory_runs_out);
	tcase_add_test(tests, test_memory_runs_out_after_a_field);
}

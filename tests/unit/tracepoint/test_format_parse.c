// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* test_format_parse.c: format texts become schemas that decode payloads. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "field/fields.h"
#include "tracepoint/format_parse.h"

#include "support/machine/harness.h"
#include "unit/record/record_bytes.h"
#include "unit/suite.h"

#define HEAD                                                                                       \
	"name: x\nID: 7\nformat:\n"                                                                \
	"\tfield:unsigned short common_type;\toffset:0;\tsize:2;\tsigned:0;\n"                     \
	"\tfield:unsigned char common_flags;\toffset:2;\tsize:1;\tsigned:0;\n"                     \
	"\tfield:unsigned char common_preempt_count;\toffset:3;\tsize:1;\tsigned:0;\n"             \
	"\tfield:int common_pid;\toffset:4;\tsize:4;\tsigned:1;\n\n"

/* The rest of a line is ignored. */
#define FIELD(type, offset, size, sign)                                                            \
	"\tfield:" type ";\toffset:" #offset ";\tsize:" #size ";\tsigned:" #sign ";\n"

static struct trace_format format;
static const char *why;

static void teardown(void)
{
	format_parse__free(&format);
}

/* The text ends where its memory ends. */
static int read_bytes(const char *text, size_t bytes, uint32_t long_bytes)
{
	char *copy = malloc(bytes + !bytes);
	int err;

	memcpy(copy, text, bytes);
	format_parse__free(&format);
	err = format_parse__text(&format, "sys", copy, bytes, long_bytes, &why);
	free(copy);
	return err;
}

static void read_text(const char *text)
{
	int err = read_bytes(text, strlen(text), 8);

	ck_assert_msg(!err, "%s: %s", err == -EBADMSG ? why : strerror(-err), text);
}

static const struct peat_field *find(const char *name)
{
	const struct peat_field *field;
	uint32_t offset;

	field = peat_schema__find(format.schema, name, &offset);
	ck_assert_msg(field, "no %s", name);
	return field;
}

/* The only field of a format. */
static const struct peat_field *only_field(const char *line)
{
	char text[4096];

	snprintf(text, sizeof(text), HEAD "%s", line);
	read_text(text);
	return format.schema->count ? format.schema->fields : NULL;
}

static void expect_kind(const char *line, enum peat_field_kind kind)
{
	const struct peat_field *field = only_field(line);

	ck_assert_msg(field && field->kind == kind, "kind %d: %s", field ? (int)field->kind : -1,
		      line);
}

static void expect_elements(const char *line, enum peat_field_kind kind, uint32_t count,
			    uint32_t each)
{
	const struct peat_field *field = only_field(line);

	ck_assert_msg(field && field->kind == PEAT_FIELD_ARRAY, "%s", line);
	ck_assert_uint_eq(field->span, 2);
	ck_assert_uint_eq(field->count, count);
	ck_assert_uint_eq(field->bytes, count * each);
	ck_assert_uint_eq(field[1].kind, kind);
	ck_assert_uint_eq(field[1].bytes, each);
	ck_assert_uint_eq(field[1].offset, 0);
}

static void expect_text(const char *name, const void *data, size_t bytes, const char *wanted)
{
	char *copy = memcpy(malloc(bytes + !bytes), data, bytes), text[512];

	peat_field__text(find(name), copy, (uint32_t)bytes, text, sizeof(text));
	ck_assert_msg(!strcmp(text, wanted), "%s is %s, not %s", name, text, wanted);
	free(copy);
}

/* ---- whole formats --------------------------------------------------------------------------- */

static const char sched_switch[] =
	"name: sched_switch\n"
	"ID: 372\n"
	"format:\n"
	"\tfield:unsigned short common_type;\toffset:0;\tsize:2;\tsigned:0;\n"
	"\tfield:unsigned char common_flags;\toffset:2;\tsize:1;\tsigned:0;\n"
	"\tfield:unsigned char common_preempt_count;\toffset:3;\tsize:1;\tsigned:0;\n"
	"\tfield:int common_pid;\toffset:4;\tsize:4;\tsigned:1;\n"
	"\n"
	"\tfield:char prev_comm[16];\toffset:8;\tsize:16;\tsigned:0;\n"
	"\tfield:pid_t prev_pid;\toffset:24;\tsize:4;\tsigned:1;\n"
	"\tfield:int prev_prio;\toffset:28;\tsize:4;\tsigned:1;\n"
	"\tfield:long prev_state;\toffset:32;\tsize:8;\tsigned:1;\n"
	"\tfield:char next_comm[16];\toffset:40;\tsize:16;\tsigned:0;\n"
	"\tfield:pid_t next_pid;\toffset:56;\tsize:4;\tsigned:1;\n"
	"\tfield:int next_prio;\toffset:60;\tsize:4;\tsigned:1;\n"
	"\n"
	"print fmt: \"prev_comm=%s prev_pid=%d prev_prio=%d prev_state=%s%s ==> next_comm=%s "
	"next_pid=%d next_prio=%d\", REC->prev_comm, REC->prev_pid, REC->prev_prio, "
	"(REC->prev_state & (((0x00000001 | 0x00000002) + 1) << 1)) ? "
	"__print_flags(REC->prev_state & (((0x00000001) + 1) << 1), \"|\", { 0x00000001, \"S\" }) "
	": \"R\", REC->prev_state & 256 ? \"+\" : \"\", REC->next_comm, REC->next_pid, "
	"REC->next_prio\n";

struct sched_switch {
	uint16_t type;
	uint8_t flags, preempt_count;
	int32_t pid;
	char prev_comm[16];
	int32_t prev_pid, prev_prio;
	int64_t prev_state;
	char next_comm[16];
	int32_t next_pid, next_prio;
};

START_TEST(test_sched_switch)
{
	const struct sched_switch event = {
		372, 0, 2, -1, "swapper/0", 0, 120, 0, "cat a", 77, -5
	};

	read_text(sched_switch);
	ck_assert_uint_eq(format.id, 372);
	ck_assert_str_eq(peat_schema__name(format.schema), "sys:sched_switch");
	ck_assert_uint_eq(peat_schema__bytes(format.schema), sizeof(event));
	ck_assert_uint_eq(format.schema->count, 7);
	expect_text("prev_comm", &event, sizeof(event), "swapper/0");
	expect_text("prev_prio", &event, sizeof(event), "120");
	expect_text("prev_state", &event, sizeof(event), "0");
	expect_text("next_comm", &event, sizeof(event), "cat a");
	expect_text("next_pid", &event, sizeof(event), "77");
	expect_text("next_prio", &event, sizeof(event), "-5");
	expect_text("next_prio", &event, sizeof(event) - 1, "-");
	expect_text("next_comm", &event, 42, "ca");
}
END_TEST

START_TEST(test_without_system)
{
	ck_assert_int_eq(
		format_parse__text(&format, NULL, sched_switch, strlen(sched_switch), 8, &why), 0);
	ck_assert_str_eq(peat_schema__name(format.schema), "sched_switch");
}
END_TEST

/* Names that JSON uses for the task, and duplicate names, are changed. */
START_TEST(test_names_become_unique)
{
	read_text(HEAD FIELD("int nr", 8, 4, 1) FIELD("int pid", 12, 4, 1) FIELD(
		"long nr", 16, 8, 1) FIELD("u32 pid_", 24, 4, 0) FIELD("int nr[2]", 28, 8, 1));
	ck_assert_uint_eq(find("nr")->offset, 8);
	ck_assert_uint_eq(find("nr_")->offset, 16);
	ck_assert_uint_eq(find("nr__")->offset, 28);
	ck_assert_uint_eq(find("pid__")->offset, 12);
	ck_assert_uint_eq(find("pid_")->offset, 24);
}
END_TEST

/* Old kernels: fewer attributes, and "field special:". */
START_TEST(test_old_formats)
{
	read_text("name: old\nID: 3\nformat:\n"
		  "\tfield:unsigned short common_type;\toffset:0;\tsize:2;\n"
		  "\tfield:int common_lock_depth;\toffset:8;\tsize:4;\n"
		  "\n"
		  "\tfield:char comm[TASK_COMM_LEN];\toffset:12;\tsize:16;\n"
		  "\tfield:pid_t who;\toffset:28;\tsize:4;\n"
		  "\tfield:char[8] name;\toffset:32;\tsize:8;\n"
		  "\tfield special:char buf;\toffset:40;\tsize:0;\n"
		  "\n"
		  "print fmt: \"task %s:%d\", REC->comm, REC->who\n");
	ck_assert_uint_eq(find("comm_")->kind, PEAT_FIELD_STRING);
	ck_assert_uint_eq(find("who")->kind, PEAT_FIELD_SIGNED);
	ck_assert_uint_eq(find("name")->kind, PEAT_FIELD_STRING);
	ck_assert_uint_eq(format.schema->count, 3);
}
END_TEST

/* ---- types ----------------------------------------------------------------------------------- */

START_TEST(test_parses_numbers)
{
	expect_kind(FIELD("u64 a", 8, 8, 0), PEAT_FIELD_UNSIGNED);
	expect_kind(FIELD("unsigned long a", 8, 4, 0), PEAT_FIELD_UNSIGNED);
	expect_kind(FIELD("const int a", 8, 4, 1), PEAT_FIELD_SIGNED);
	expect_kind(FIELD("enum foo_bar a", 8, 4, 0), PEAT_FIELD_UNSIGNED);
	expect_kind(FIELD("char a", 8, 1, 1), PEAT_FIELD_SIGNED);
	expect_kind(FIELD("xfs_foo_t a", 8, 2, 0), PEAT_FIELD_UNSIGNED);
	expect_kind(FIELD("bool a", 8, 1, 0), PEAT_FIELD_BOOL);
	expect_kind(FIELD("_Bool a", 8, 1, 0), PEAT_FIELD_BOOL);
	expect_kind(FIELD("const void *const * a", 8, 8, 0), PEAT_FIELD_HEX);
	expect_kind(FIELD("struct foo *a", 8, 4, 0), PEAT_FIELD_HEX);
	expect_kind(FIELD("const void*a", 8, 8, 0), PEAT_FIELD_HEX);
	expect_kind(FIELD("__be16 a", 8, 2, 0), PEAT_FIELD_PORT);
	expect_kind(FIELD("__be32 a", 8, 4, 0), PEAT_FIELD_IPV4);
	expect_kind(FIELD("struct foo a", 8, 8, 0), PEAT_FIELD_BYTES);
	expect_kind(FIELD("u128 a", 8, 16, 0), PEAT_FIELD_BYTES);
	ck_assert(only_field(FIELD("__be64 a", 8, 8, 0))->big_endian);
	ck_assert_ptr_null(only_field(FIELD("struct empty a", 8, 0, 0)));
}
END_TEST

START_TEST(test_parses_arrays)
{
	expect_kind(FIELD("char a[16]", 8, 16, 0), PEAT_FIELD_STRING);
	expect_kind(FIELD("char a[TASK_COMM_LEN]", 8, 16, 1), PEAT_FIELD_STRING);
	expect_kind(FIELD("char a[]", 8, 0, 0), PEAT_FIELD_STRING);
	expect_kind(FIELD("u8 a[16]", 8, 16, 0), PEAT_FIELD_BYTES);
	expect_kind(FIELD("unsigned char a[6]", 8, 6, 0), PEAT_FIELD_BYTES);
	expect_kind(FIELD("struct foo a[2]", 8, 16, 0), PEAT_FIELD_BYTES);
	expect_kind(FIELD("u32 a[3]", 8, 13, 0), PEAT_FIELD_BYTES);
	expect_elements(FIELD("unsigned long a[6]", 8, 48, 0), PEAT_FIELD_UNSIGNED, 6, 8);
	expect_elements(FIELD("unsigned long a[6]", 8, 24, 0), PEAT_FIELD_UNSIGNED, 6, 4);
	expect_elements(FIELD("unsigned long a[MAX]", 8, 24, 0), PEAT_FIELD_UNSIGNED, 3, 8);
	expect_elements(FIELD("long a[3]", 8, 24, 1), PEAT_FIELD_SIGNED, 3, 8);
	expect_elements(FIELD("s8 a[3]", 8, 3, 1), PEAT_FIELD_SIGNED, 3, 1);
	expect_elements(FIELD("bool a[3]", 8, 3, 0), PEAT_FIELD_BOOL, 3, 1);
	expect_elements(FIELD("void *a[3]", 8, 24, 0), PEAT_FIELD_HEX, 3, 8);
	expect_elements(FIELD("u32 a[2][3]", 8, 24, 0), PEAT_FIELD_UNSIGNED, 6, 4);
	expect_elements(FIELD("foo_t a[4]", 8, 8, 0), PEAT_FIELD_UNSIGNED, 4, 2);
	expect_elements(FIELD("u32 a[]", 8, 0, 0), PEAT_FIELD_UNSIGNED, 0, 4);
	expect_elements(FIELD("__data_loc u64[] a", 8, 4, 0), PEAT_FIELD_UNSIGNED, 0, 8);
	expect_elements(FIELD("__data_loc unsigned int[] a", 8, 4, 0), PEAT_FIELD_UNSIGNED, 0, 4);
	expect_elements(FIELD("__rel_loc int32_t[] a", 8, 4, 0), PEAT_FIELD_SIGNED, 0, 4);
	expect_elements(FIELD("__data_loc cpumask_t a", 8, 4, 0), PEAT_FIELD_HEX, 0, 8);
	expect_elements(FIELD("__data_loc char[] a[2]", 8, 8, 0), PEAT_FIELD_HEX, 2, 4);
	expect_kind(FIELD("__data_loc u8[] a", 8, 4, 0), PEAT_FIELD_BYTES);
	expect_kind(FIELD("__data_loc struct foo[] a", 8, 4, 0), PEAT_FIELD_BYTES);
	ck_assert_uint_eq(only_field(FIELD("__data_loc char[] a", 8, 4, 0))->place,
			  PEAT_PLACE_DATA_LOC);
	ck_assert_uint_eq(only_field(FIELD("__rel_loc char[] a", 8, 4, 0))->place,
			  PEAT_PLACE_REL_LOC);
}
END_TEST

/* A 32-bit kernel, a 64-bit reader. */
START_TEST(test_short_longs)
{
	static const char text[] = HEAD FIELD("__data_loc unsigned long[] a", 8, 4, 0);
	const uint32_t event[] = { 0, 0, 8 << 16 | 12, 5, 6 };

	ck_assert_int_eq(read_bytes(text, strlen(text), 4), 0);
	expect_text("a", event, sizeof(event), "[5 6]");
}
END_TEST

START_TEST(test_dynamic_fields)
{
	char event[32] = { 0 };

	read_text(HEAD FIELD("__data_loc char[] file", 8, 4, 0)
			  FIELD("__rel_loc char[] dir", 12, 4, 0) FIELD("u32 n", 16, 4, 0));
	memcpy(event + 8, (uint32_t[]){ 4 << 16 | 20, 5 << 16 | 8, 3 }, 12);
	memcpy(event + 20, "abc\0/tmp", 9);
	expect_text("file", event, sizeof(event), "abc");
	expect_text("dir", event, sizeof(event), "/tmp");
	expect_text("dir", event, 26, "/t");
	expect_text("dir", event, 24, "-");
	expect_text("n", event, sizeof(event), "3");
}
END_TEST

/* ---- as it is printed ------------------------------------------------------------------------ */

static void read_printed(const char *fields, const char *print)
{
	char text[4096];

	snprintf(text, sizeof(text), HEAD "%s\nprint fmt: %s\n", fields, print);
	read_text(text);
}

START_TEST(test_printed_numbers)
{
	const int32_t event[] = { 0, 0, -2, -2, -2, -2, -2 };

	read_printed(FIELD("int a", 8, 4, 1) FIELD("int b", 12, 4, 1) FIELD("int c", 16, 4, 1)
			     FIELD("int d", 20, 4, 1) FIELD("int e[1]", 24, 4, 1),
		     "\"100%% %d %-*s 0x%08lx,%x %pS, %#llx\", REC->a, 3, \"x, y)\", "
		     "((unsigned long)(REC->b)), REC->c & 0xff, (void *)REC->d, REC->e[0]");
	expect_text("a", event, sizeof(event), "-2");
	expect_text("b", event, sizeof(event), "0xfffffffe");
	expect_text("c", event, sizeof(event), "-2");
	expect_text("d", event, sizeof(event), "0xfffffffe");
	expect_text("e", event, sizeof(event), "[0xfffffffe]");
}
END_TEST

/* Addresses of kernel code, by the letter after %p. */
START_TEST(test_printed_symbols)
{
	read_printed(FIELD("void *plain", 8, 8, 0) FIELD("unsigned long site", 16, 8, 0)
			     FIELD("void *function", 24, 8, 0) FIELD("void *caller", 32, 8, 0)
				     FIELD("unsigned int half", 40, 4, 0),
		     "\"%p %pS function=%ps, %pB %pS\", REC->plain, (void *)REC->site, "
		     "REC->function, (void *)REC->caller, (void *)REC->half");
	ck_assert_int_eq(find("plain")->kind, PEAT_FIELD_HEX);
	ck_assert_int_eq(find("site")->kind, PEAT_FIELD_KADDR);
	ck_assert_int_eq(find("function")->kind, PEAT_FIELD_KADDR);
	ck_assert_int_eq(find("caller")->kind, PEAT_FIELD_KADDR);
	ck_assert_int_eq(find("half")->kind, PEAT_FIELD_HEX);
}
END_TEST

START_TEST(test_printed_addresses)
{
	const uint8_t event[34] = { [8] = 127, 0, 0, 1, [12 + 15] = 1, [28] = 2, 0, 0, 0, 0, 1 };

	read_printed(FIELD("__u8 four[4]", 8, 4, 0) FIELD("__u8 six[16]", 12, 16, 0)
			     FIELD("u8 mac[6]", 28, 6, 0),
		     "\"%pI4 %pI6c %pM\", REC->four, &REC->six, REC->mac");
	expect_text("four", event, sizeof(event), "127.0.0.1");
	expect_text("six", event, sizeof(event), "::1");
	expect_text("mac", event, sizeof(event), "02:00:00:00:00:01");
}
END_TEST

/* Bytes that are printed by %s. */
START_TEST(test_printed_chars)
{
	char event[20] = { 0 };

	memcpy(event + 8, (uint32_t[]){ 4 << 16 | 16, 3 << 16 | 16 }, 8);
	memcpy(event + 16, "a\0b", 4);
	read_printed(FIELD("__data_loc unsigned char[] text", 8, 4, 0)
			     FIELD("__data_loc unsigned char[] bytes", 12, 4, 0),
		     "\"%s %s\", __get_str(text), __print_hex(__get_dynamic_array(bytes), 3)");
	expect_text("text", event, sizeof(event), "a\\x00b");
	expect_text("bytes", event, sizeof(event), "610062");
	expect_text("text", event, 18, "a\\x00"); /* cut */
	read_printed(FIELD("__data_loc unsigned char[] text", 8, 4, 0), "\"%s\", __get_str(");
	ck_assert_int_eq(find("text")->kind, PEAT_FIELD_BYTES);
}
END_TEST

START_TEST(test_printed_names)
{
	const int32_t event[] = { 0, 0, 2, -1, 0x11, 0x12 };

	read_printed(FIELD("int a", 8, 4, 1) FIELD("int b", 12, 4, 1) FIELD("u32 c", 16, 4, 0)
			     FIELD("u32 d", 20, 4, 0),
		     "\"%s %s %s 0x%x %s\", __print_symbolic(REC->a, { 1, \"ONE\" }, "
		     "{ ZONE_DMA, \"DMA\" }, { (1 << 1), \"TWO\" }), "
		     "__print_symbolic((u8)REC->b, {0xffffffffUL, \"NEG\"}), "
		     "REC->c ? __print_flags(REC->c, \"|\", { 0x1, \"A\" }, { (4UL << 2), \"B\" }) "
		     ": \"none\", REC->d, __print_flags(REC->d, \"\", { 2, \"x\" })");
	expect_text("a", event, sizeof(event), "TWO");
	expect_text("b", event, sizeof(event), "NEG");
	expect_text("c", event, sizeof(event), "A|B");
	expect_text("d", event, sizeof(event), "x|0x10");
}
END_TEST

static void check_zero(const char *print, const char *text)
{
	const int32_t event[] = { 0, 0, 0 };

	read_printed(FIELD("u32 a", 8, 4, 0), print);
	expect_text("a", event, sizeof(event), text);
}

/* A name for 0, given by a condition: only if it is on the same field. */
START_TEST(test_printed_name_of_zero)
{
	check_zero("\"%s\", REC->a ? __print_flags(REC->a, \"|\", { 1, \"A\" }) : \"NONE\"",
		   "NONE");
	check_zero("\"%s\", (REC->a) ? __print_symbolic(REC->a, { 1, \"A\" }) : \"NONE\"", "NONE");
	check_zero("\"%s\", REC->a ? __print_flags(REC->a, \"|\", { 1, \"A\" }) : \"0\"", "0");
	check_zero("\"%s\", REC->a & 2 ? __print_flags(REC->a, \"|\", { 1, \"A\" }) : \"NO\"", "0");
	check_zero("\"%s\", REC->a ? __print_flags(REC->a, \"|\", { 1, \"A\" }) : \"N\\\"\"", "0");
	check_zero("\"%s\", REC->a ? __print_flags(REC->a, \"|\", { 1, \"A\" }) : \"N", "0");
	check_zero("\"%s\", REC->a ? __print_flags(REC->a, \"|\", { 1, \"A\" }) :", "0");
	check_zero("\"%s\", REC->a ? __print_flags(REC->a, \"|\", { 1, \"A\" })", "0");
}
END_TEST

/* A name that is the number itself is ignored. */
START_TEST(test_printed_redundant_names)
{
	const int32_t event[] = { 0, 0, 7 }, other[] = { 0, 0, 8 };

	read_printed(FIELD("u32 a", 8, 4, 0),
		     "\"%s\", __print_symbolic(REC->a, { 7, \"7\" }, { 8, \"9\" })");
	ck_assert_uint_eq(find("a")->name_count, 1);
	expect_text("a", event, sizeof(event), "7");
	expect_text("a", other, sizeof(other), "9");
}
END_TEST

/* Nothing is recognised, and the fields stay as they are. */
START_TEST(test_unsupported_print)
{
	static const char *const prints[] = {
		"",
		"\"",
		"\"%",
		"\"%x",
		"\"%x\"",
		"\"%x\",",
		"\"%x\", REC->",
		"\"%x\", (((REC->a",
		"\"%x\" \"%x\", REC->a, REC->a",
		"\"%*x\", REC->a",
		"\"%s\", __print_symbolic(",
		"\"%s\", __print_symbolic(REC->a",
		"\"%s\", __print_symbolic(REC->a)",
		"\"%s\", __print_symbolic(REC->a, {})",
		"\"%s\", __print_symbolic(REC->a, { 1 }, { 1, }, { 1, \"}, {\"x\", 1})",
		"\"%s\", __print_symbolic(REC->a, { 1, \"\" }, { 1 << 64, \"x\" }, { 1 1, \"x\" })",
		"\"%s\", __print_symbolic(REC->a & 1, { 1, \"ONE\" })",
		"\"%x\", ((((((((((((((((((((REC->a))))))))))))))))))))",
		"\"%x\", REC->a[0]",
		"\"%x\", REC->b",
		"\"%x\", )",
	};
	const int32_t event[] = { 0, 0, 1 };

	for (size_t i = 0; i < sizeof(prints) / sizeof(*prints); i++) {
		read_printed(FIELD("int a", 8, 4, 1), prints[i]);
		expect_text("a", event, sizeof(event), "1");
	}
}
END_TEST

/* ---- texts that are none --------------------------------------------------------------------- */

START_TEST(test_cut_everywhere)
{
	size_t fields_end = (size_t)(strstr(sched_switch, "\nprint") - sched_switch);
	size_t first = (size_t)(strchr(strstr(sched_switch, "common_type"), '\n') - sched_switch);

	for (size_t bytes = 0; bytes <= strlen(sched_switch); bytes++) {
		int err = read_bytes(sched_switch, bytes, 8);

		ck_assert(err == 0 || (err == -EBADMSG && why && !format.schema));
		if (bytes <= first)
			ck_assert_int_eq(err, -EBADMSG);
		if (bytes >= fields_end)
			ck_assert_msg(!err && format.schema->count == 7, "%zu: %s", bytes, why);
	}
}
END_TEST

static void expect_bad(const char *text)
{
	ck_assert_msg(read_bytes(text, strlen(text), 8) == -EBADMSG, "taken: %s", text);
	ck_assert_ptr_nonnull(why);
	ck_assert_ptr_null(format.schema);
}

START_TEST(test_bad_formats_are_refused)
{
	expect_bad("");
	expect_bad("name: x\nID: 1\n");
	expect_bad("name: x\n" FIELD("int a", 0, 4, 1));
	expect_bad("ID: 1\n" FIELD("int a", 0, 4, 1));
	expect_bad("name: \nID: 1\n" FIELD("int a", 0, 4, 1));
	expect_bad("name: x\nID: -1\n" FIELD("int a", 0, 4, 1));
	expect_bad("name: x\nID: 4294967296\n" FIELD("int a", 0, 4, 1));
	expect_bad(HEAD "\tfield:int a;\n");
	expect_bad(HEAD "\tfield:int a;\toffset:8;\n");
	expect_bad(HEAD "\tfield:int a;\toffset:8;\tsize:4\n");
	expect_bad(HEAD "\tfield:int a;\toffset:;\tsize:4;\n");
	expect_bad(HEAD FIELD("int a", -8, 4, 1));
	expect_bad(HEAD FIELD("int a", 8x, 4, 1));
	expect_bad(HEAD FIELD("int", 8, 4, 1));
	expect_bad(HEAD FIELD("int *", 8, 8, 1));
	expect_bad(HEAD FIELD("", 8, 4, 1));
	expect_bad(HEAD FIELD("int a", 65532, 4, 1));
	expect_bad(HEAD FIELD("int a", 4294967295, 4294967295, 1));
	expect_bad(HEAD FIELD("int a", 99999999999999999999, 4, 1));
	expect_bad(HEAD FIELD("__data_loc char[] a", 8, 8, 0));
}
END_TEST

/* Formats that would print hundreds of megabytes for an event of 64 KiB. */
START_TEST(test_too_much)
{
	char *text = malloc(1 << 20), *at = text + sprintf(text, HEAD);

	for (int i = 0; i < 200; i++)
		at += sprintf(at, FIELD("__data_loc char[] f%d", 8, 4, 0), i);
	expect_bad(text);
	at = text + sprintf(text, HEAD);
	for (int i = 0; i < 5000; i++)
		at += sprintf(at, FIELD("u8 f%d", 8, 1, 0), i);
	expect_bad(text);
	at = text + sprintf(text, HEAD);
	for (int i = 0; i < 20; i++)
		at += sprintf(at, FIELD("u8 f", 8, 1, 0));
	expect_bad(text);
	free(text);
	text = calloc(1, 17 << 20);
	ck_assert_int_eq(read_bytes(text, 17 << 20, 8), -EBADMSG);
	free(text);
}
END_TEST

/* ---- the other byte order -------------------------------------------------------------------- */

static void put_event(struct bytes *b, bool swapped)
{
	b->len = 0;
	b->swapped = swapped;
	put_u16(b, 7);
	put_data(b, "\1\2", 2);
	put_u32(b, 1234);
	put_u64(b, 0x1122334455667788);
	put_data(b, "text", 4);
	put_u32(b, 16u << 16 | 44); /* numbers */
	put_u32(b, 5u << 16 | 32);  /* string: relative, at 28 */
	put_u16(b, 0x1234);
	put_u16(b, 0x5678);
	put_data(b, "\x01\xbb", 2); /* port 443 */
	put_data(b, "\0\0", 2);
	put_u32(b, 77); /* two fields in one place */
	put_data(b, "\1\2\3\4", 4);
	put_u64(b, 5);
	put_u64(b, 0x99aabbccddeeff00);
	put_data(b, "host", 5);
}

START_TEST(test_to_host)
{
	struct bytes ours, theirs;
	uint8_t out[128];

	read_text(HEAD FIELD("u64 a", 8, 8, 0) FIELD("char s[4]", 16, 4, 0)
			  FIELD("__data_loc u64[] l", 20, 4, 0) FIELD("__rel_loc char[] t", 24, 4,
								      0) FIELD("u16 h[2]", 28, 4, 0)
				  FIELD("__be16 p", 32, 2, 0) FIELD("int u", 36, 4, 1)
					  FIELD("u32 v", 36, 4, 0) FIELD("u8 b[4]", 40, 4, 0));
	put_event(&ours, false);
	put_event(&theirs, true);
	ck_assert_int_ne(memcmp(ours.at, theirs.at, ours.len), 0);
	format_parse__to_host(&format, theirs.at, theirs.len, out);
	ck_assert_mem_eq(out, ours.at, ours.len);
	expect_text("l", out, ours.len, "[5 11072869122414935808]");
	expect_text("t", out, ours.len, "host");
	expect_text("p", out, ours.len, "443");
	for (size_t bytes = 0; bytes < theirs.len; bytes++) {
		uint8_t *from = memcpy(malloc(bytes + !bytes), theirs.at, bytes);
		uint8_t *to = malloc(bytes + !bytes);

		format_parse__to_host(&format, from, bytes, to);
		free(from);
		free(to);
	}
}
END_TEST

SUITE(20)
{
	tcase_add_checked_fixture(tests, NULL, teardown);
	tcase_add_test(tests, test_sched_switch);
	tcase_add_test(tests, test_without_system);
	tcase_add_test(tests, test_names_become_unique);
	tcase_add_test(tests, test_old_formats);
	tcase_add_test(tests, test_parses_numbers);
	tcase_add_test(tests, test_parses_arrays);
	tcase_add_test(tests, test_short_longs);
	tcase_add_test(tests, test_dynamic_fields);
	tcase_add_test(tests, test_printed_numbers);
	tcase_add_test(tests, test_printed_symbols);
	tcase_add_test(tests, test_printed_addresses);
	tcase_add_test(tests, test_printed_chars);
	tcase_add_test(tests, test_printed_names);
	tcase_add_test(tests, test_printed_name_of_zero);
	tcase_add_test(tests, test_printed_redundant_names);
	tcase_add_test(tests, test_unsupported_print);
	tcase_add_test(tests, test_cut_everywhere);
	tcase_add_test(tests, test_bad_formats_are_refused);
	tcase_add_test(tests, test_too_much);
	tcase_add_test(tests, test_to_host);
}

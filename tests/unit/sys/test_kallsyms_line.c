// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* test_kallsyms_line.c: lines of /proc/kallsyms. */
#include <stdlib.h>
#include <string.h>

#include "sys/kallsyms_line.h"

#include "unit/suite.h"

/* The sanitizer detects reads beyond the copy. */
static char *copy;

static bool parse(struct kallsyms_line *line, const char *text)
{
	size_t bytes = strlen(text);

	free(copy);
	copy = memcpy(malloc(bytes + !bytes), text, bytes);
	return kallsyms_line__parse(line, copy, copy + bytes);
}

static void check_text(const char *at, size_t bytes, const char *wanted)
{
	ck_assert_uint_eq(bytes, strlen(wanted));
	ck_assert_mem_eq(at, wanted, bytes);
}

START_TEST(test_parses_functions)
{
	struct kallsyms_line line;

	ck_assert(parse(&line, "ffffffff81001000 t vfs_read"));
	ck_assert_uint_eq(line.address, 0xffffffff81001000);
	ck_assert_int_eq(line.type, 't');
	check_text(line.name, line.name_bytes, "vfs_read");
	check_text(line.owner, line.owner_bytes, "");
	ck_assert(kallsyms_line__is_function(&line));
	ck_assert(!kallsyms_line__is_passing(&line));
	ck_assert(parse(&line, "0000000000000000 W nf_hook\t[nf_tables]"));
	ck_assert_uint_eq(line.address, 0);
	check_text(line.name, line.name_bytes, "nf_hook");
	check_text(line.owner, line.owner_bytes, "[nf_tables]");
	ck_assert(kallsyms_line__is_function(&line));
	ck_assert(!kallsyms_line__is_passing(&line));
}
END_TEST

START_TEST(test_tells_kinds_of_symbols)
{
	struct kallsyms_line line;

	ck_assert(parse(&line, "ffffffff81001000 D jiffies"));
	ck_assert(!kallsyms_line__is_function(&line));
	ck_assert(parse(&line, "ffffffffc0001000 t bpf_prog_17\t[bpf]"));
	ck_assert(kallsyms_line__is_passing(&line));
	ck_assert(parse(&line, "ffffffffc0001000 t ftrace_trampoline\t[__builtin__ftrace]"));
	ck_assert(kallsyms_line__is_passing(&line));
	ck_assert(parse(&line, "ffffffffc0001000 t f\t[bpf_other]"));
	ck_assert(!kallsyms_line__is_passing(&line));
}
END_TEST

START_TEST(test_refuses_other_lines)
{
	static const char *const lines[] = {
		"",
		"f",
		"ffffffff81001000",
		"ffffffff81001000 ",
		"ffffffff81001000 t",
		"ffffffff81001000 t ",
		"ffffffff81001000 t \t[mod]",
		"ffffffff81001000  t f",
		"ffffffff81001000 tt f",
		"0ffffffff81001000 t f",
		"xffffffff8100100 t f",
		" t f",
		"ffffffff81001000 t f g",
		"ffffffff81001000 t f\"",
		"ffffffff81001000 t f\\",
		"ffffffff81001000 t f\x7f",
		"ffffffff81001000 t f\xc3\xa4",
	};
	struct kallsyms_line line;
	char text[600] = "1 t ";

	for (size_t i = 0; i < sizeof(lines) / sizeof(*lines); i++)
		ck_assert_msg(!parse(&line, lines[i]), "%s", lines[i]);
	memset(text + 4, 'f', 511);
	ck_assert(parse(&line, text));
	text[4 + 511] = 'f';
	ck_assert(!parse(&line, text));
}
END_TEST

SUITE(5)
{
	tcase_add_test(tests, test_parses_functions);
	tcase_add_test(tests, test_tells_kinds_of_symbols);
	tcase_add_test(tests, test_refuses_other_lines);
}

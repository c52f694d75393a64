// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* test_kallsyms.c: names of kernel addresses. */
#include <stdlib.h>
#include <string.h>

#include "sys/kallsyms.h"

#include "support/machine/harness.h"
#include "unit/suite.h"

static struct kallsyms *parse_some(const char *text, enum symbols which)
{
	/*
	 * Parses a copy at the end of its allocation, so that the sanitizer detects reads beyond
	 * it.
	 */
	size_t bytes = strlen(text);
	char *copy = memcpy(malloc(bytes + !bytes), text, bytes);
	struct kallsyms *symbols = kallsyms__parse(copy, bytes, which);

	ck_assert_ptr_nonnull(symbols);
	free(copy);
	return symbols;
}

static struct kallsyms *parse(const char *text)
{
	return parse_some(text, SYMBOLS_ALL);
}

static void check(const struct kallsyms *symbols, uint64_t address, const char *name,
		  uint64_t wanted)
{
	uint64_t offset = 0;
	const char *found = kallsyms__find(symbols, address, &offset);

	if (!name) {
		ck_assert_ptr_null(found);
		return;
	}
	ck_assert_ptr_nonnull(found);
	ck_assert_str_eq(found, name);
	ck_assert_uint_eq(offset, wanted);
}

START_TEST(test_finds_functions)
{
	struct kallsyms *symbols = parse("ffffffff81000000 T _stext\n"
					 "ffffffff81000000 T _text\n"
					 "ffffffffc0001000 t nf_conntrack_in\t[nf_conntrack]\n"
					 "ffffffff81002000 W weak\n"
					 "ffffffff81001800 D data\n"
					 "ffffffff81001000 t vfs_read\n"
					 "ffffffffc0002000 w last");

	ck_assert_uint_eq(kallsyms__count(symbols), 5);
	check(symbols, 0xffffffff81000000, "_text", 0); /* the last of two names */
	check(symbols, 0xffffffff81000fff, "_text", 0xfff);
	check(symbols, 0xffffffff81001010, "vfs_read", 0x10);
	check(symbols, 0xffffffff81001900, "vfs_read", 0x900); /* data symbols are skipped */
	check(symbols, 0xffffffffc0001005, "nf_conntrack_in", 5);
	check(symbols, 0xffffffffc0002000, "last", 0);
	check(symbols, 0xffffffff80ffffff, NULL, 0);
	check(symbols, 0, NULL, 0);
	check(symbols, 0xffffffff81022000, NULL, 0); /* too far after the last function */
	check(symbols, UINT64_MAX, NULL, 0);
	kallsyms__free(symbols);
}
END_TEST

/* As perf names them. */
START_TEST(test_prefers_last_names)
{
	struct kallsyms *symbols = parse("ffffffff81000000 t __do_sys_getpid\n"
					 "ffffffff81000000 T __ia32_sys_getpid\n"
					 "ffffffff81000000 T __x64_sys_getpid\n"
					 "ffffffff81001000 T next");

	ck_assert_uint_eq(kallsyms__count(symbols), 2);
	check(symbols, 0xffffffff81000010, "__x64_sys_getpid", 0x10);
	kallsyms__free(symbols);
}
END_TEST

START_TEST(test_hostile_lines)
{
	struct kallsyms *symbols = parse("\n"
					 "ffffffff81000000\n"
					 "ffffffff81000000 T\n"
					 "ffffffff81000000 T \n"
					 "ffffffff81000000 TT name\n"
					 "ffffffff81000000T name\n"
					 " T name\n"
					 "0xffffffff81000000 T name\n"
					 "1ffffffff81000000 T name\n"
					 "ffffffff81000000 T na\x1b[31mme\n"
					 "ffffffff81000000 T na\"me\n"
					 "ffffffff81000000 T n\\ame\n"
					 "ffffffff81000000 T n\xc3\xbcme\n"
					 "0000000000000000 T hidden\n"
					 "10 T good\n"
					 "ffffffff81000000 T cut");

	ck_assert_uint_eq(kallsyms__count(symbols), 2);
	check(symbols, 0x11, "good", 1);
	check(symbols, 0xffffffff81000001, "cut", 1);
	kallsyms__free(symbols);
}
END_TEST

/*
 * Symbols that are no functions may be at 0 although addresses are shown, and so may one of several
 * functions.
 */
START_TEST(test_hidden_if_functions_are_0)
{
	static const struct {
		const char *text;
		bool are_hidden;
	} cases[] = {
		{ "0000000000000000 T _stext\n0000000000000000 t vfs_read\n", true },
		{ "0000000000000000 A fixed_percpu_data\n0000000000000000 T _stext\n", true },
		{ "0000000000000000 A fixed_percpu_data\n", false },
		{ "0000000000000000 T _stext\n0000000000001000 t vfs_read\n", false },
		{ "", false },
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		struct kallsyms *symbols = parse(cases[i].text);

		ck_assert_msg(kallsyms__are_hidden(symbols) == cases[i].are_hidden, "%s",
			      cases[i].text);
		kallsyms__free(symbols);
	}
}
END_TEST

START_TEST(test_long_name)
{
	static char text[2048];
	struct kallsyms *symbols;

	strcpy(text, "1000 T ");
	memset(text + 7, 'a', 512);
	strcpy(text + 7 + 512, "\n2000 T ");
	memset(text + 7 + 512 + 8, 'b', 511);
	symbols = parse(text);
	ck_assert_uint_eq(kallsyms__count(symbols), 1);
	kallsyms__free(symbols);
}
END_TEST

START_TEST(test_nothing_has_no_symbols)
{
	struct kallsyms *symbols = parse("");

	ck_assert_uint_eq(kallsyms__count(symbols), 0);
	check(symbols, 1, NULL, 0);
	kallsyms__free(symbols);
	kallsyms__free(NULL);
}
END_TEST

START_TEST(test_many_symbols_are_sorted)
{
	struct strbuf text = { 0 };
	struct kallsyms *symbols;

	for (uint64_t i = 5000; i; i--) {
		strbuf__hex(&text, 0xffffffff81000000 + i * 64);
		memmove(text.bytes + text.count - 18, text.bytes + text.count - 16, 16);
		text.count -= 2;
		strbuf__text(&text, " t f");
		strbuf__unsigned(&text, i);
		strbuf__char(&text, '\n');
	}
	symbols = kallsyms__parse(text.bytes, text.count, SYMBOLS_ALL);
	ck_assert_uint_eq(kallsyms__count(symbols), 5000);
	check(symbols, 0xffffffff81000000 + 64, "f1", 0);
	check(symbols, 0xffffffff81000000 + 777 * 64 + 63, "f777", 63);
	check(symbols, 0xffffffff81000000 + 5000 * 64 + 1, "f5000", 1);
	kallsyms__free(symbols);
	strbuf__free(&text);
}
END_TEST

START_TEST(test_no_stack)
{
	uint64_t address = 7;

	ck_assert_uint_eq(kallsyms__stack(-1, 0, &address, 1), 0);
	ck_assert_uint_eq(kallsyms__stack(0, 0, &address, 0), 0);
}
END_TEST

/* A user who may not read addresses gets the number. */
START_TEST(test_unnamed_address)
{
	struct strbuf out = { 0 };

	kallsyms__append(&out, 0x10, SYMBOLS_ALL);
	strbuf__char(&out, 0);
	ck_assert_str_eq(out.bytes, "0x10");
	strbuf__free(&out);
}
END_TEST

/*
 * Code that comes and goes has no symbol in recordings; neither has code that follows the last
 * function of a module, beyond its page.
 */
START_TEST(test_lasting_symbols_leave_out_programs)
{
	static const char text[] = "ffffffff81000000 T _text\n"
				   "ffffffff81008000 T far\n"
				   "ffffffffc0000100 t mod_a\t[mod]\n"
				   "ffffffffc0000800 t mod_b\t[mod]\n"
				   "ffffffffc0002000 t bpf_prog_17\t[bpf]\n"
				   "ffffffffc0003000 t trampoline\t[__builtin__ftrace]\n"
				   "ffffffffc0004000 t bpf_other\t[bpf_mod]";
	struct kallsyms *all = parse_some(text, SYMBOLS_ALL);
	struct kallsyms *lasting = parse_some(text, SYMBOLS_LASTING);

	ck_assert_uint_eq(kallsyms__count(all), 7);
	ck_assert_uint_eq(kallsyms__count(lasting), 5);
	check(all, 0xffffffffc0002010, "bpf_prog_17", 0x10);
	check(all, 0xffffffffc0003010, "trampoline", 0x10);
	check(lasting, 0xffffffffc0002010, NULL, 0);
	check(lasting, 0xffffffffc0003010, NULL, 0);
	check(lasting, 0xffffffff81007fff, "_text", 0x7fff);
	check(lasting, 0xffffffff81008fff, "far", 0xfff);
	check(lasting, 0xffffffff81009000, NULL, 0);
	check(lasting, 0xffffffffc0000110, "mod_a", 0x10);
	check(lasting, 0xffffffffc0000fff, "mod_b", 0x7ff);
	check(lasting, 0xffffffffc0001000, NULL, 0);
	check(all, 0xffffffffc0001000, "mod_b", 0x800);
	check(lasting, 0xffffffffc0004001, "bpf_other", 1);
	kallsyms__free(all);
	kallsyms__free(lasting);
}
END_TEST

START_TEST(test_no_symbols)
{
	uint64_t offset;

	ck_assert_ptr_null(kallsyms__name(UINT64_C(0xffffffff81000000), SYMBOLS_NONE, &offset));
}
END_TEST

SUITE(20)
{
	tcase_add_test(tests, test_finds_functions);
	tcase_add_test(tests, test_prefers_last_names);
	tcase_add_test(tests, test_hostile_lines);
	tcase_add_test(tests, test_hidden_if_functions_are_0);
	tcase_add_test(tests, test_long_name);
	tcase_add_test(tests, test_nothing_has_no_symbols);
	tcase_add_test(tests, test_many_symbols_are_sorted);
	tcase_add_test(tests, test_no_stack);
	tcase_add_test(tests, test_unnamed_address);
	tcase_add_test(tests, test_lasting_symbols_leave_out_programs);
	tcase_add_test(tests, test_no_symbols);
}

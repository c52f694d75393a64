// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* test_source.c: sources that name functions, and what is wrong with others. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "functions/source.h"

#include "unit/fail_alloc.h"
#include "unit/suite.h"

static void check_part(const char *part, const char *wanted)
{
	if (!wanted)
		ck_assert_ptr_null(part);
	else
		ck_assert_str_eq(part ? part : "(null)", wanted);
}

static struct function_source parse(const char *text)
{
	struct function_source source;
	const char *why = NULL;

	ck_assert_msg(function_source__is(text), "%s", text);
	ck_assert_msg(!function_source__parse(&source, text, &why), "%s: %s", text, why);
	return source;
}

static void check(const char *text, const char *file, const char *group, const char *pattern,
		  uint64_t offset)
{
	struct function_source source = parse(text);

	check_part(source.file, file);
	check_part(source.group, group);
	check_part(source.pattern, pattern);
	ck_assert_msg(source.offset == offset, "%s", text);
	ck_assert_msg(!source.is_glob, "%s", text);
	function_source__free(&source);
}

static void check_glob(const char *text, const char *group, const char *pattern)
{
	struct function_source source = parse(text);

	check_part(source.group, group);
	check_part(source.pattern, pattern);
	ck_assert_msg(source.is_glob, "%s", text);
	function_source__free(&source);
}

static void check_fails(const char *text, const char *wanted)
{
	struct function_source source;
	const char *why = NULL;

	ck_assert_int_eq(function_source__parse(&source, text, &why), -EINVAL);
	ck_assert_ptr_nonnull(why);
	ck_assert_str_eq(why, wanted);
}

START_TEST(test_functions_of_the_kernel)
{
	check("kprobe:vfs_read", NULL, NULL, "vfs_read", 0);
	check("kretprobe:vfs_read", NULL, NULL, "vfs_read", 0);
	check("kprobe:vfs_read+0x1f", NULL, NULL, "vfs_read", 0x1f);
	check("kprobe:vfs_read+16", NULL, NULL, "vfs_read", 16);
	check("kprobe:f.isra.0", NULL, NULL, "f.isra.0", 0);
	check_glob("kprobe:vfs_*", NULL, "vfs_*");
	check_glob("kprobe:vfs_rea?", NULL, "vfs_rea?");
	check_glob("kretprobe:[vw]fs_read", NULL, "[vw]fs_read");
}
END_TEST

START_TEST(test_functions_of_programs)
{
	check("uprobe:/bin/bash:readline", "/bin/bash", NULL, "readline", 0);
	check("uretprobe:bash:readline", "bash", NULL, "readline", 0);
	check("uprobe:/bin/bash:readline+0x4", "/bin/bash", NULL, "readline", 4);
	check("uprobe:/bin/bash:0x1234", "/bin/bash", NULL, NULL, 0x1234);
	check("uretprobe:/bin/bash:0xffffffffffffffff", "/bin/bash", NULL, NULL, UINT64_MAX);
	check_glob("uprobe:/bin/bash:read*", NULL, "read*");
}
END_TEST

START_TEST(test_colons_of_files_and_names)
{
	check("uprobe:./x:ns::f", "./x", NULL, "ns::f", 0);
	check("uprobe:./a:b.so:main", "./a:b.so", NULL, "main", 0);
	check("uprobe:./a:b.so:ns::box<int>::spin", "./a:b.so", NULL, "ns::box<int>::spin", 0);
	check("uprobe:./a::b.so:main", "./a::b.so", NULL, "main", 0);
	check("uprobe:./x:::f", "./x", NULL, "::f", 0);
	check("uprobe:a:b:c", "a:b", NULL, "c", 0);
	check("uprobe:./a:b.so:0x10", "./a:b.so", NULL, NULL, 0x10);
	check("usdt:./a:b.so:python:gc__start", "./a:b.so", "python", "gc__start", 0);
}
END_TEST

/* Plus signs of C++ and Rust names. */
START_TEST(test_names_with_plus)
{
	check("uprobe:x:operator+", "x", NULL, "operator+", 0);
	check("uprobe:x:ns::operator+=", "x", NULL, "ns::operator+=", 0);
	check("uprobe:x:operator++0x8", "x", NULL, "operator+", 8);
	check("uprobe:x:<dyn A + B>::f", "x", NULL, "<dyn A + B>::f", 0);
}
END_TEST

START_TEST(test_tracepoints_and_usdt)
{
	check("tracepoint:sched:sched_switch", NULL, "sched", "sched_switch", 0);
	check("usdt:/bin/python3:python:gc__start", "/bin/python3", "python", "gc__start", 0);
	check_glob("tracepoint:sched:*", "sched", "*");
	check_glob("tracepoint:*:sched_switch", "*", "sched_switch");
	check_glob("usdt:x:python:gc*", "python", "gc*");
}
END_TEST

START_TEST(test_empty_parts)
{
	check_fails("kprobe:", "no function: expected kprobe:FUNCTION");
	check_fails("kretprobe:", "no function: expected kretprobe:FUNCTION");
	check_fails("kprobe:+0x10", "no function: expected kprobe:FUNCTION");
	check_fails("uprobe:", "expected uprobe:FILE:FUNCTION");
	check_fails("uprobe:/bin/bash", "expected uprobe:FILE:FUNCTION");
	check_fails("uprobe:/bin/bash:", "no function: expected uprobe:FILE:FUNCTION");
	check_fails("uprobe::readline", "no file: expected uprobe:FILE:FUNCTION");
	check_fails("uretprobe:a::b", "expected uretprobe:FILE:FUNCTION");
	check_fails("usdt:/bin/x:gc__start", "expected usdt:FILE:PROVIDER:NAME");
	check_fails("usdt::p:n", "no file: expected usdt:FILE:PROVIDER:NAME");
	check_fails("usdt:x:p:", "no name: expected usdt:FILE:PROVIDER:NAME");
	check_fails("tracepoint:sched", "expected tracepoint:CATEGORY:NAME");
	check_fails("tracepoint:sched:", "no name: expected tracepoint:CATEGORY:NAME");
	check_fails("tracepoint::x", "no category: expected tracepoint:CATEGORY:NAME");
	check_fails("usdt:x::n", "expected usdt:FILE:PROVIDER:NAME");
}
END_TEST

START_TEST(test_too_many_parts)
{
	check_fails("kprobe:nf_tables:nf_hook", "expected kprobe:FUNCTION");
	check_fails("tracepoint:a:b:c", "expected tracepoint:CATEGORY:NAME");
}
END_TEST

START_TEST(test_invalid_offsets)
{
	static const char number[] = "invalid offset: expected a number such as 0x10 after the +";
	static const char place[] = "invalid offset in the file: expected a number such as 0x1234";

	check_fails("kprobe:f+0x", number);
	check_fails("kprobe:f+0xg", number);
	check_fails("kprobe:f+1f", number);
	check_fails("kprobe:f+0x10 ", number);
	check_fails("kprobe:f+0x10000000000000000", number);
	check_fails("kprobe:f+18446744073709551616", number);
	check_fails("uprobe:x:0x", place);
	check_fails("uprobe:x:0x12zz", place);
	check_fails("uprobe:x:0x-1", place);
	check_fails("uprobe:x:0x10+0x4", place);
	check_fails("kretprobe:f+0x10", "a return has no offset: remove it, or trace the call");
	check_fails("uretprobe:x:f+1", "a return has no offset: remove it, or trace the call");
	check_fails("kprobe:vfs_*+0x10", "a glob has no offset: name one function");
}
END_TEST

START_TEST(test_other_texts_are_no_sources)
{
	static const char *const texts[] = { "",	  "exec",      "kprobe",     "kprobes:f",
					     "./x.bpf.o", ":kprobe:f", "tracepoint", "Kprobe:f" };

	for (size_t i = 0; i < sizeof(texts) / sizeof(*texts); i++) {
		ck_assert_msg(!function_source__is(texts[i]), "%s", texts[i]);
		check_fails(texts[i], "expected kprobe:, kretprobe:, uprobe:, uretprobe:, usdt: or "
				      "tracepoint:");
	}
}
END_TEST

START_TEST(test_kinds_of_sources)
{
	static const struct {
		const char *word, *text;
		bool is_user, is_return;
	} kinds[] = {
		{ "kprobe", "kprobe:f", false, false },
		{ "kretprobe", "kretprobe:f", false, true },
		{ "uprobe", "uprobe:x:f", true, false },
		{ "uretprobe", "uretprobe:x:f", true, true },
		{ "usdt", "usdt:x:p:n", true, false },
		{ "tracepoint", "tracepoint:c:n", false, false },
	};

	for (size_t i = 0; i < sizeof(kinds) / sizeof(*kinds); i++) {
		struct function_source source = parse(kinds[i].text);

		ck_assert_str_eq(function_source__word(source.kind), kinds[i].word);
		ck_assert(function_source__is_user(&source) == kinds[i].is_user);
		ck_assert(function_source__is_return(&source) == kinds[i].is_return);
		function_source__free(&source);
	}
}
END_TEST

START_TEST(test_memory_runs_out)
{
	long blocks = fail_alloc__blocks();
	struct function_source source;
	unsigned failures = 0;
	const char *why;

	for (unsigned nth = 1; nth; nth++) {
		int err;

		fail_alloc__begin(nth);
		err = function_source__parse(&source, "usdt:x:p:n", &why);
		nth = fail_alloc__end() ? nth : UINT32_MAX;
		ck_assert_int_eq(err, nth == UINT32_MAX ? 0 : -ENOMEM);
		failures += err != 0;
	}
	function_source__free(&source);
	ck_assert_uint_le(failures, 4); /* the text, and three parts */
	ck_assert_int_eq(fail_alloc__blocks(), blocks);
}
END_TEST

SUITE(10)
{
	tcase_add_test(tests, test_functions_of_the_kernel);
	tcase_add_test(tests, test_functions_of_programs);
	tcase_add_test(tests, test_colons_of_files_and_names);
	tcase_add_test(tests, test_names_with_plus);
	tcase_add_test(tests, test_tracepoints_and_usdt);
	tcase_add_test(tests, test_empty_parts);
	tcase_add_test(tests, test_too_many_parts);
	tcase_add_test(tests, test_invalid_offsets);
	tcase_add_test(tests, test_other_texts_are_no_sources);
	tcase_add_test(tests, test_kinds_of_sources);
	tcase_add_test(tests, test_memory_runs_out);
}

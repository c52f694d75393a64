// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* test_find_functions.c: functions of sources, and the messages if there are none. */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include <peat/log.h>

#include "functions/find_functions.h"

#include "support/symbols/made_elf.h"
#include "unit/suite.h"

#define VADDR 0x400000
#define SYMBOL(name, offset, type)                                                                 \
	{                                                                                          \
		name, VADDR + (offset), 8, STB_GLOBAL, type, 0, 0                                  \
	}

static const struct made_symbol symbols[] = {
	SYMBOL("first", 0x1100, STT_FUNC),
	SYMBOL("second", 0x1200, STT_FUNC),
	SYMBOL("chosen", 0x1300, STT_GNU_IFUNC),
};

static char path[64], message[512];
static unsigned messages;

static void keep_message(enum peat_log_level level, const char *text)
{
	if (level != PEAT_LOG_ERROR)
		return;
	messages++;
	snprintf(message, sizeof(message), "%s", text);
}

static void make_file(int class, size_t count)
{
	struct made_elf made = made_elf__own();

	made.class = class;
	made.vaddr = VADDR;
	made.symbols = symbols;
	made.symbols_count = count;
	snprintf(path, sizeof(path), "/proc/self/fd/%d", made_elf__fd(&made));
}

static void setup(void)
{
	peat_set_print(keep_message);
	messages = 0;
	make_file(ELFCLASS64, sizeof(symbols) / sizeof(*symbols));
}

static int find(struct found_functions *found, const char *text, uint32_t most)
{
	struct function_source source;
	const char *why;
	int err;

	*found = (struct found_functions){ 0 };
	ck_assert_int_eq(function_source__parse(&source, text, &why), 0);
	err = find_functions__run(found, &source, source.file ? path : NULL, most);
	function_source__free(&source);
	return err;
}

/* `wanted`: with %s for the path. */
__attribute__((format(printf, 3, 0))) static void check_fails(const char *source, int err,
							      const char *wanted)
{
	struct found_functions found;
	char text[512];

	messages = 0;
	snprintf(text, sizeof(text), wanted, path);
	ck_assert_int_eq(find(&found, source, 2), err);
	ck_assert_uint_eq(messages, 1);
	ck_assert_str_eq(message, text);
	found_functions__free(&found);
}

START_TEST(test_finds_functions_of_files)
{
	struct found_functions found;

	ck_assert_int_eq(find(&found, "uprobe:x:fir*", 1), 0);
	ck_assert_uint_eq(found.count, 1);
	ck_assert_str_eq(found.at[0].name, "first");
	ck_assert_uint_eq(found.at[0].place, 0x1100);
	found_functions__free(&found);
	ck_assert_int_eq(find(&found, "uretprobe:x:*", 2), 0);
	ck_assert_uint_eq(found.count, 2);
	found_functions__free(&found);
	ck_assert_uint_eq(messages, 0);
}
END_TEST

/* An offset is named by itself. */
START_TEST(test_offset_in_a_file)
{
	struct found_functions found;

	ck_assert_int_eq(find(&found, "uprobe:x:0x1104", 1), 0);
	ck_assert_uint_eq(found.count, 1);
	ck_assert_str_eq(found.at[0].name, "0x1104");
	ck_assert_uint_eq(found.at[0].place, 0);
	found_functions__free(&found);
}
END_TEST

START_TEST(test_messages_of_functions)
{
	check_fails("uprobe:x:secnod", -ENOENT,
		    "uprobe:x:secnod: no such function: did you mean \"second\"?");
	check_fails("uprobe:x:like_no_other", -ENOENT,
		    "uprobe:x:like_no_other: no such function: peat list 'uprobe:x:*' lists them");
	check_fails("uprobe:x:chosen", -ENOENT,
		    "uprobe:x:chosen: 1 function matches, and cannot be probed");
}
END_TEST

START_TEST(test_messages_of_files)
{
	check_fails("usdt:x:*:*", -ENODATA, "usdt:x:*:*: %s has no USDT");
	make_file(ELFCLASS64, 0);
	check_fails("uprobe:x:f", -ENODATA,
		    "uprobe:x:f: %s has no symbols of functions, it was stripped: an offset in "
		    "the file can be probed, such as 0x1234");
	make_file(ELFCLASS32, 2);
	check_fails("uprobe:x:first", -EOPNOTSUPP,
		    "uprobe:x:first: %s is a 32-bit file: only functions of 64-bit files can be "
		    "probed");
	check_fails("uprobe:x:0x1104", -EOPNOTSUPP,
		    "uprobe:x:0x1104: %s is a 32-bit file: only functions of 64-bit files can be "
		    "probed");
	check_fails("usdt:x:*:*", -EOPNOTSUPP,
		    "usdt:x:*:*: %s is a 32-bit file: only functions of 64-bit files can be "
		    "probed");
	snprintf(path, sizeof(path), "/etc/passwd");
	check_fails("usdt:x:*:*", -ENOEXEC,
		    "usdt:x:*:*: %s is no program or library: no ELF file, or an invalid one");
	check_fails("uretprobe:x:f", -ENOEXEC,
		    "uretprobe:x:f: %s is no program or library: no ELF file, or an invalid one");
}
END_TEST

START_TEST(test_too_many_functions)
{
	struct found_functions found;

	ck_assert_int_eq(find(&found, "uprobe:x:*", 1), -E2BIG);
	ck_assert_str_eq(message, "uprobe:x:*: 2 functions match, more than 1: choose fewer, or "
				  "allow more (peat_function_opts.most)");
	found_functions__free(&found);
}
END_TEST

SUITE(10)
{
	tcase_add_checked_fixture(tests, setup, NULL);
	tcase_add_test(tests, test_finds_functions_of_files);
	tcase_add_test(tests, test_offset_in_a_file);
	tcase_add_test(tests, test_messages_of_functions);
	tcase_add_test(tests, test_messages_of_files);
	tcase_add_test(tests, test_too_many_functions);
}

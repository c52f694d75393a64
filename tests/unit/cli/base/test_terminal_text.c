// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* test_terminal_text.c: names in messages, in tables and for a shell. */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/base/json_text.h"
#include "cli/base/shell_word.h"
#include "cli/base/terminal_text.h"
#include "support/recording/json_lines.h"
#include "unit/suite.h"

/* The characters of all classes: C0, DEL, C1 as UTF-8 and as a byte, direction, no UTF-8. */
#define NAME	     "a\x1b[2J\x7f\xc2\x9b\x9b\xe2\x80\xae\xff\xc3\xa9"
#define ESCAPED_NAME "a\\x1b[2J\\x7f\\xc2\\x9b\\x9b\\xe2\\x80\\xae\\xff\xc3\xa9"

static char *text;
static size_t bytes;

static FILE *open_text(void)
{
	FILE *to;

	free(text);
	text = NULL;
	to = open_memstream(&text, &bytes);
	ck_assert_ptr_nonnull(to);
	return to;
}

static void check_text(FILE *to, const char *wanted)
{
	ck_assert_int_eq(fclose(to), 0);
	ck_assert_str_eq(text, wanted);
}

static void teardown(void)
{
	free(text);
	text = NULL;
}

START_TEST(test_put_escapes_and_pads)
{
	FILE *to = open_text();

	terminal_text__put(to, NAME, 0);
	check_text(to, ESCAPED_NAME);
	ck_assert_uint_eq(terminal_text__columns(NAME), strlen(ESCAPED_NAME) - 1);
	to = open_text();
	terminal_text__put(to, "\xc3\xa9\n", 5);
	terminal_text__put(to, "abc", 3);
	terminal_text__put(to, "abc", 2);
	check_text(to, "\xc3\xa9\\n  abcabc");
}
END_TEST

/* The newline of the format ends a line, and no other. */
START_TEST(test_print_keeps_last_newline)
{
	FILE *to = open_text();

	terminal_text__print(to, "  pinned  %s, %u\n", NAME "\n", 3u);
	terminal_text__print(to, "%s", "b\n");
	terminal_text__print(to, "%s", "");
	terminal_text__print(to, "\n");
	check_text(to, "  pinned  " ESCAPED_NAME "\\n, 3\nb\\n\n");
}
END_TEST

__attribute__((format(printf, 2, 3))) static void print_message(FILE *to, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	terminal_text__message(to, format, args);
	va_end(args);
}

START_TEST(test_message_escapes_arguments)
{
	FILE *to = open_text();

	print_message(to, "cannot read %s: no", NAME);
	check_text(to, "cannot read " ESCAPED_NAME ": no");
	to = open_text();
	print_message(to, "bad expression:\n  pid == \n         ^");
	check_text(to, "bad expression:\n  pid == \n         ^");
	to = open_text();
	print_message(to, "cannot read %s: no", "x\npeat: all is well\r");
	check_text(to, "cannot read x\n  peat: all is well\\r: no");
	to = open_text();
	print_message(to, "libbpf: a\tb\n\tc\n");
	check_text(to, "libbpf: a\tb\n\tc\n");
}
END_TEST

static void check_word(const char *word, const char *wanted)
{
	FILE *to = open_text();

	shell_word__print(to, word);
	check_text(to, wanted);
}

START_TEST(test_shell_words)
{
	check_word("./a.bpf.o", "./a.bpf.o");
	check_word("", "''");
	check_word("a b", "'a b'");
	check_word("it's", "'it'\\''s'");
	check_word("a\\b", "'a\\b'");
	check_word("\x1b'\\\n", "$'\\x1b\\'\\\\\\n'");
	check_word("\xe2\x80\xae", "$'\\xe2\\x80\\xae'");
}
END_TEST

/* bash reads what was printed as the same word. */
START_TEST(test_shell_words_by_bash)
{
	static const char word[] = NAME "'\\\n\t\"$`";
	char line[512];
	FILE *to = open_text(), *bash;
	size_t count;

	fputs("printf %s ", to);
	shell_word__print(to, word);
	ck_assert_int_eq(fclose(to), 0);
	ck_assert_int_eq(setenv("LINE", text, 1), 0);
	bash = popen("bash -c \"$LINE\"", "re");
	ck_assert_ptr_nonnull(bash);
	count = fread(line, 1, sizeof(line) - 1, bash);
	line[count] = '\0';
	ck_assert_int_eq(pclose(bash), 0);
	ck_assert_str_eq(line, word);
}
END_TEST

START_TEST(test_json_escapes_control_characters)
{
	FILE *to = open_text();
	size_t at;

	json_text__print_to(to, NAME "\xd8\x9c\xe2\x81\xa6\"\\");
	check_text(
		to,
		"\"a\\u001b[2J\\u007f\\u009b\\u009b\\u202e\\u00ff\xc3\xa9\\u061c\\u2066\\\"\\\\\"");
	to = open_text();
	fputs("{\"name\":", to);
	json_text__print_to(to, NAME);
	fputs("}\n", to);
	ck_assert_int_eq(fclose(to), 0);
	ck_assert_msg(!json_lines__check(text, bytes, &at), "%s", text);
}
END_TEST

SUITE(10)
{
	tcase_add_checked_fixture(tests, NULL, teardown);
	tcase_add_test(tests, test_put_escapes_and_pads);
	tcase_add_test(tests, test_print_keeps_last_newline);
	tcase_add_test(tests, test_message_escapes_arguments);
	tcase_add_test(tests, test_shell_words);
	tcase_add_test(tests, test_shell_words_by_bash);
	tcase_add_test(tests, test_json_escapes_control_characters);
}

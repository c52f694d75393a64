// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* test_parse.c: the grammar of expressions, and errors with their columns. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/strbuf.h"
#include "where/node.h"
#include "unit/fail_alloc.h"
#include "unit/suite.h"
#include "unit/where/where_schema.h"

/* ---- the tree as text ------------------------------------------------------------------------ */

static void print_value(struct strbuf *out, const struct where_value *value)
{
	strbuf__text(out, value->quoted ? "\"" : "");
	strbuf__text(out, value->text);
	strbuf__text(out, value->quoted ? "\"" : "");
	ck_assert_uint_eq(value->bytes, strlen(value->text));
}

static void print_test(struct strbuf *out, const struct where_node *node)
{
	static const char *const symbols[] = {
		[COMPARE_SET] = "?",	     [COMPARE_EQUAL] = "==", [COMPARE_LESS] = "<",
		[COMPARE_LESS_EQUAL] = "<=", [COMPARE_IN] = " in",   [COMPARE_GLOB] = "~",
	};

	strbuf__text(out, node->path);
	if (node->mask) {
		strbuf__char(out, '&');
		print_value(out, node->mask);
	}
	strbuf__text(out, node->inverted ? " not " : "");
	strbuf__text(out, symbols[node->compare]);
	for (const struct where_value *value = node->values; value; value = value->next) {
		strbuf__text(out, value == node->values ? "" : ",");
		print_value(out, value);
	}
}

static void print_node(struct strbuf *out, const struct where_node *node)
{
	strbuf__text(out, node->negated ? "!" : "");
	if (node->kind == NODE_TEST) {
		print_test(out, node);
		return;
	}
	strbuf__text(out, node->kind == NODE_AND ? "(and " : "(or ");
	print_node(out, node->a);
	strbuf__char(out, ' ');
	print_node(out, node->b);
	strbuf__char(out, ')');
}

static void check(const char *text, const char *tree)
{
	struct strbuf out = { 0 };
	struct where_expr expr;

	where_schema__catch();
	ck_assert_msg(!where_expr__parse(&expr, text), "%s: %s", text, where_schema__error());
	print_node(&out, expr.root);
	strbuf__char(&out, 0);
	ck_assert_msg(!strcmp(out.bytes, tree), "%s: %s", text, out.bytes);
	ck_assert_str_eq(expr.text, text);
	strbuf__free(&out);
	where_expr__free(&expr);
}

/* The caret is below byte `column` of the text. */
static void refuse(const char *text, int column, const char *reason)
{
	struct where_expr expr;

	where_schema__catch();
	ck_assert_msg(where_expr__parse(&expr, text) == -EINVAL, "%s", text);
	ck_assert_msg(strstr(where_schema__error(), reason) != NULL, "%s: %s", text,
		      where_schema__error());
	ck_assert_msg(where_schema__column() == column, "%s: column %d: %s", text,
		      where_schema__column(), where_schema__error());
	ck_assert_int_eq(where_schema__errors(), 1);
	where_expr__free(&expr);
}

/* ---- tests ----------------------------------------------------------------------------------- */

START_TEST(test_parses_comparisons)
{
	check("delay", "delay?");
	check("delay == 5ms", "delay==5ms");
	check("delay!=5", "delay not ==5");
	check("delay<5", "delay<5");
	check("delay <= -5", "delay<=-5");
	check("delay>5", "delay not <=5");
	check("delay>=5", "delay not <5");
	check("flags & 3", "flags&3?");
	check("flags & 3 == 1", "flags&3==1");
	check("flags&A|B!=A | B", "flags&A|B not ==A|B");
	check("port in (80, 443)", "port in80,443");
	check("port in {80}", "port in80");
	check("port not in (80)", "port not  in80");
	check("comm ~ \"ng*x\"", "comm~\"ng*x\"");
	check("comm !~ ng*x", "comm not ~ng*x");
}
END_TEST

START_TEST(test_parses_operators)
{
	check("a && b", "(and a? b?)");
	check("a and b or c", "(or (and a? b?) c?)");
	check("a || b && c", "(or a? (and b? c?))");
	check("(a || b) && c", "(and (or a? b?) c?)");
	check("a && b && c", "(and a? (and b? c?))");
	check("a||b||c||d", "(or a? (or b? (or c? d?)))");
	check("!a", "!a?");
	check("!!a", "a?");
	check("not a == 1", "!a==1");
	check("!(a && b)", "!(and a? b?)");
	check("not(a or b)and!c", "(and !(or a? b?) !c?)");
	check("((a))", "a?");
	check(" \t\na\r ", "a?");
	check("android", "android?");
}
END_TEST

START_TEST(test_parses_fields)
{
	check("from.port == 1", "from.port==1");
	check("args[2] == 1", "args[2]==1");
	check("a.b[12].c[0].d", "a.b[12].c[0].d?");
	check("@mmap.addr", "@mmap.addr?");
	check("sched:sched_switch.prev_pid", "sched:sched_switch.prev_pid?");
	check("bpf-output.x", "bpf-output.x?");
	check("a>-5", "a not <=-5");
}
END_TEST

START_TEST(test_parses_values)
{
	check("a == 0x1F", "a==0x1F");
	check("a == 'c'", "a==\"c\"");
	check("a == 2001:db8::/32", "a==2001:db8::/32");
	check("a == ::1", "a==::1");
	check("a == [2001:db8::1]:443", "a==[2001:db8::1]:443");
	check("a in ([::1]:80, 192.0.2.1:80)", "a in[::1]:80,192.0.2.1:80");
	refuse("a == [2001:db8::1", 5, "a value is expected here");
	refuse("a == [x]:80", 5, "a value is expected here");
	check("a == 00:1b:21:3c:4d:5e", "a==00:1b:21:3c:4d:5e");
	check("a == SIGRTMIN+1", "a==SIGRTMIN+1");
	check("a == -1.5e-3", "a==-1.5e-3");
	check("a == /etc/passwd", "a==/etc/passwd");
	check("a == \"\"", "a==\"\"");
	check("a == \"it's\"", "a==\"it's\"");
	check("a == 'say \"x\"'", "a==\"say \"x\"\"");
	check("a == \"\\\"\\'\\\\\\n\\t\\r\\x41\"", "a==\"\"'\\\n\t\rA\"");
}
END_TEST

/* Patterns without special characters become plain text. */
static void check_glob(const char *text, enum where_op op, const char *expected)
{
	struct where_expr expr;

	where_schema__catch();
	ck_assert_msg(!where_expr__parse(&expr, text), "%s: %s", text, where_schema__error());
	ck_assert_msg(expr.root->values->glob == op, "%s: %d", text, expr.root->values->glob);
	ck_assert_str_eq(expr.root->values->text, expected);
	where_expr__free(&expr);
}

START_TEST(test_parses_patterns)
{
	check_glob("a ~ \"nginx\"", WHERE_TEXT_EQUAL, "nginx");
	check_glob("a ~ \"nginx*\"", WHERE_TEXT_BEGINS, "nginx");
	check_glob("a ~ \"nginx**\"", WHERE_TEXT_BEGINS, "nginx");
	check_glob("a ~ \"*\"", WHERE_TEXT_BEGINS, "");
	check_glob("a ~ \"\\*a\"", WHERE_TEXT_EQUAL, "*a");
	check_glob("a ~ \"\\x2aa*\"", WHERE_TEXT_BEGINS, "*a");
	check_glob("a ~ \"\\\\*\"", WHERE_TEXT_BEGINS, "\\");
	check_glob("a ~ \"a?\"", WHERE_TEXT_GLOB, "a?");
	check_glob("a ~ \"[a-z]\"", WHERE_TEXT_GLOB, "[a-z]");
	check_glob("a ~ \"a*\\?\"", WHERE_TEXT_GLOB, "a*\\?");
	check_glob("a ~ [a-c]*", WHERE_TEXT_GLOB, "[a-c]*");
	refuse("a ~ \"[a-z\"", 4, "a [ without its ]");
}
END_TEST

START_TEST(test_errors_have_places)
{
	refuse("", 0, "a test is missing at the end");
	refuse("  ", 2, "a test is missing at the end");
	refuse("a &&", 4, "a test is missing at the end");
	refuse("a && || b", 5, "a field is expected here");
	refuse("5 < a", 0, "a test begins with a field");
	refuse("\"x\" == a", 0, "a test begins with a field");
	refuse("a == ", 5, "a value is missing at the end");
	refuse("a == )", 5, "a value is expected here");
	refuse("a = 5", 2, "= is no operator");
	refuse("(a = 5)", 3, "= is no operator");
	refuse("a | b", 2, "or is ||");
	refuse("a == 5 6", 7, "an operator is expected");
	refuse("a == 1and b", 10, "an operator is expected");
	refuse("a b", 2, "an operator is expected");
	refuse("(a", 2, "a closing ) is missing");
	refuse("(a b)", 3, "an operator is expected");
	refuse("a)", 1, "a ) without its (");
	refuse("a.", 1, "a name is missing after the point");
	refuse("a. b", 1, "a name is missing after the point");
	refuse("a[x]", 1, "an index is a number");
	refuse("a[]", 1, "an index is a number");
	refuse("a[-1]", 1, "an index is a number");
	refuse("a[100000]", 1, "an index is a number");
	refuse("a in 5", 5, "a list is expected");
	refuse("a in ()", 6, "a value is expected");
	refuse("a in (5", 7, "a , or its closing )");
	refuse("a in (5}", 7, "a , or its closing )");
	refuse("a in (5,", 8, "a value is missing at the end");
	refuse("a == A|", 7, "a value is missing after |");
	refuse("a == \"x", 5, "no closing quote");
	refuse("a == \"x\\q\"", 7, "no such escape");
	refuse("a == \"\\*\"", 6, "no such escape");
	refuse("a == \"\\x4\"", 6, "two hexadecimal digits");
	refuse("a == \"x\\x00\"", 7, "ends at its first NUL");
	refuse("a == \"x\\", 7, "no such escape");
	refuse("a \x80", 2, "an operator is expected");
	refuse("a & ", 4, "a value is missing at the end");
	refuse("a & 1 < 5", 6, "an operator is expected");
}
END_TEST

/* Of a long expression, the part around the place is shown; the columns are those of the message.
 */
START_TEST(test_place_in_a_long_text)
{
	char text[400];

	memset(text, ' ', sizeof(text));
	memcpy(text, "a == \"\xc3\xa4\xc3\xa4\" = 5", 15);
	text[15] = 0;
	refuse(text, 10, "= is no operator");
	ck_assert_ptr_nonnull(strstr(where_schema__error(), "\n  a == \"\xc3\xa4\xc3\xa4\" = 5\n"));
	memset(text, ' ', sizeof(text));
	text[0] = 'a';
	text[300] = '=';
	text[399] = 0;
	refuse(text, 43, "= is no operator");
	ck_assert_ptr_nonnull(strstr(where_schema__error(), "\n  ... "));
	ck_assert_ptr_nonnull(strstr(where_schema__error(), " ...\n"));
}
END_TEST

/* Neither depth nor length exhausts the stack or takes long. */
START_TEST(test_limits_of_depth_and_length)
{
	static char text[WHERE_TEXT_MAX + 1];
	struct where_expr expr;

	memset(text, '(', sizeof(text) - 2);
	refuse(text, 40 + 3, "nested more than 64 deep");
	memset(text, '(', 64);
	text[64] = 'a';
	memset(text + 65, ')', 64);
	text[129] = 0;
	check(text, "a?");
	memset(text, '(', 65);
	refuse(text, 43, "nested more than 64 deep");
	memset(text, '!', sizeof(text) - 2);
	text[sizeof(text) - 3] = 'a';
	text[sizeof(text) - 2] = 0;
	check(text, sizeof(text) % 2 ? "a?" : "!a?");
	memset(text, 'a', sizeof(text) - 1);
	where_schema__catch();
	ck_assert_int_eq(where_expr__parse(&expr, text), -EINVAL);
	where_expr__free(&expr);
	ck_assert_str_eq(where_schema__error(), "where: the expression has more than 4095 bytes");
	for (size_t i = 0; i < sizeof(text) - 5; i += 4)
		memcpy(text + i, "a&&(", 4);
	text[4 * 70] = 0;
	refuse(text, 43, "nested more than 64 deep");
	for (size_t i = 0; i < sizeof(text) - 4; i += 3)
		memcpy(text + i, "a||", 3);
	text[3 * 1300 + 1] = 0;
	ck_assert_int_eq(where_expr__parse(&expr, text), 0);
	ck_assert_uint_eq(expr.root->end, 3 * 1300 + 1);
	ck_assert_uint_eq(expr.root->begin, 0);
	where_expr__free(&expr);
}
END_TEST

START_TEST(test_no_memory)
{
	struct where_expr expr;
	long blocks = fail_alloc__blocks();
	int err;

	where_schema__catch();
	for (unsigned nth = 1; nth; nth++) {
		fail_alloc__begin(nth);
		err = where_expr__parse(&expr, "a == 1 && b in (2, 3)");
		where_expr__free(&expr);
		if (!fail_alloc__end())
			break;
		ck_assert_int_eq(err, -ENOMEM);
	}
	ck_assert_int_eq(err, 0);
	ck_assert_int_eq(fail_alloc__blocks(), blocks);
}
END_TEST

SUITE(10)
{
	tcase_add_test(tests, test_parses_comparisons);
	tcase_add_test(tests, test_parses_operators);
	tcase_add_test(tests, test_parses_fields);
	tcase_add_test(tests, test_parses_values);
	tcase_add_test(tests, test_parses_patterns);
	tcase_add_test(tests, test_errors_have_places);
	tcase_add_test(tests, test_place_in_a_long_text);
	tcase_add_test(tests, test_limits_of_depth_and_length);
	tcase_add_test(tests, test_no_memory);
}

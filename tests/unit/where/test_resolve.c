// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* test_resolve.c: fields and values of expressions, by the types of events. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <peat/reader.h>
#include <peat/where.h>

#include "base/strbuf.h"
#include "where/tree.h"
#include "unit/fail_alloc.h"
#include "unit/suite.h"
#include "unit/where/where_schema.h"

static struct peat_schema *kinds, *tracepoint;

static void setup(void)
{
	kinds = where_schema__kinds();
	tracepoint = where_schema__tracepoint();
	where_schema__catch();
}

static void teardown(void)
{
	peat_schema__free(kinds);
	peat_schema__free(tracepoint);
}

/* ---- the tree as text ------------------------------------------------------------------------ */

static void print_operand(struct strbuf *out, const struct where_test *test)
{
	static const char *const names[] = { "", "pid", "tid", "cpu", "time", "size", "comm" };

	strbuf__text(out, test->field ? test->field->name : names[test->operand]);
	if (test->base) {
		strbuf__char(out, '+');
		strbuf__unsigned(out, test->base);
	}
	if (test->array) {
		strbuf__text(out, " of ");
		strbuf__text(out, test->array->name);
	}
}

static void print_bytes(struct strbuf *out, const struct where_test *test)
{
	strbuf__hex_bytes(out, test->bytes, test->byte_count);
	strbuf__char(out, '/');
	strbuf__hex_bytes(out, test->byte_mask, test->byte_count);
}

/* The shortest decimal number that is the same double. */
static void print_real(struct strbuf *out, double real)
{
	char text[40] = "";

	for (int digits = 15; digits <= 17 && (!*text || strtod(text, NULL) != real); digits++)
		snprintf(text, sizeof(text), "%.*g", digits, real);
	strbuf__text(out, text);
}

static void print_leaf(struct strbuf *out, const struct where_test *test)
{
	static const char *const symbols[] = {
		[WHERE_FALSE] = " false", [WHERE_TRUE] = " true",     [WHERE_EQUAL] = "==",
		[WHERE_LESS] = "<",	  [WHERE_ANY_BIT] = "&",      [WHERE_BYTES_EQUAL] = "==",
		[WHERE_TEXT_EQUAL] = "=", [WHERE_TEXT_BEGINS] = "^",  [WHERE_TEXT_GLOB] = "~",
		[WHERE_FLOAT_LESS] = "<", [WHERE_FLOAT_EQUAL] = "==",
	};
	double real;

	print_operand(out, test);
	strbuf__text(out, symbols[test->op]);
	memcpy(&real, &test->value, sizeof(real));
	if (test->op == WHERE_LESS && test->is_signed)
		strbuf__signed(out, (int64_t)test->value);
	else if (test->op == WHERE_EQUAL || test->op == WHERE_LESS)
		strbuf__unsigned(out, test->value);
	else if (test->op == WHERE_ANY_BIT)
		strbuf__hex(out, test->mask);
	else if (test->op == WHERE_BYTES_EQUAL)
		print_bytes(out, test);
	else if (test->text)
		strbuf__text(out, test->text);
	else if (test->op >= WHERE_FLOAT_LESS)
		print_real(out, real);
}

static void print_tree(struct strbuf *out, const struct where_test *test)
{
	if (test->op == WHERE_NOT) {
		strbuf__char(out, '!');
		print_tree(out, test->a);
	} else if (test->op == WHERE_AND || test->op == WHERE_OR) {
		strbuf__text(out, test->op == WHERE_AND ? "(and " : "(or ");
		print_tree(out, test->a);
		strbuf__char(out, ' ');
		print_tree(out, test->b);
		strbuf__char(out, ')');
	} else {
		print_leaf(out, test);
	}
}

static void check_in(const struct peat_schema *schema, const char *text, const char *tree)
{
	struct peat_where *where = peat_where__parse(text);
	struct strbuf out = { 0 };

	ck_assert_msg(where != NULL, "%s: %s", text, where_schema__error());
	ck_assert_msg(peat_where__add_type(where, schema) == 1, "%s: %s", text,
		      where_schema__error());
	/* No type is called open. */
	ck_assert_int_eq(peat_where__check(where), strstr(text, "open.") ? -EINVAL : 0);
	print_tree(&out, where__resolved(where, schema));
	strbuf__char(&out, 0);
	ck_assert_msg(!strcmp(out.bytes, tree), "%s: %s", text, out.bytes);
	ck_assert_str_eq(where__text(where), text);
	strbuf__free(&out);
	peat_where__free(where);
}

static void check(const char *text, const char *tree)
{
	check_in(kinds, text, tree);
}

/* ---- fields ---------------------------------------------------------------------------------- */

START_TEST(test_resolves_fields)
{
	uint32_t at, stack;

	peat_schema__find(kinds, "at.line", &at);
	stack = peat_schema__find(kinds, "stack", NULL)->offset;
	ck_assert_uint_ne(at, 0);
	ck_assert_uint_ne(stack, 0);
	check("number == 5", "number==5");
	check("kinds.number == 5", "number==5");
	check("pid == 5 && tid == 5", "(and pid==5 tid==5)");
	check("kinds.cpu == 5", "cpu==5");
	check("time > 2s", "!time<2000000001");
	check("size < 1K", "size<1024");
	check("comm == \"sh\"", "comm=sh");
	check("open.number == 5", " false");
	check("open.number != 5", " false");
	check("!(open.number == 5)", "! false");
}
END_TEST

static void check_place(const char *path, const char *name, uint32_t base)
{
	struct peat_where *where = peat_where__parse(path);
	const struct where_test *test;

	ck_assert_int_eq(peat_where__add_type(where, kinds), 1);
	test = where__resolved(where, kinds);
	test = test->op == WHERE_NOT ? test->a : test;
	ck_assert_str_eq(test->field->name, name);
	ck_assert_uint_eq(test->base, base);
	ck_assert_uint_eq(test->begin, 0);
	ck_assert_uint_eq(test->end, strlen(path));
	peat_where__free(where);
}

START_TEST(test_resolves_paths)
{
	const struct peat_field *at = peat_schema__find(kinds, "at", NULL);
	const struct peat_field *stack = peat_schema__find(kinds, "stack", NULL);
	const struct peat_field *key = peat_schema__find(kinds, "key", NULL);
	const struct peat_field *counts = peat_schema__find(kinds, "counts", NULL);

	check_place("at.line", "line", at->offset);
	check_place("at.file", "file", at->offset);
	check_place("stack[2].column", "column", stack->offset + 2 * stack[1].bytes);
	check_place("counts[3]", "", counts->offset + 3 * 2);
	check_place("key[4]", "", key->offset + 4);
	check_place("to[15]", "", peat_schema__find(kinds, "to", NULL)->offset + 15);
	check("rest[2] == 1", "+2 of rest==1");
	check_in(tracepoint, "list[3] == 1", "+12 of list==1");
	check_in(tracepoint, "path == \"x\"", "path=x");
	check_in(tracepoint, "test:probe.number == -1", "number==4294967295");
}
END_TEST

/* Records of maps have a `size` of their own. */
START_TEST(test_own_size)
{
	const struct peat_schema *mmap = peat_side_band__schema(PEAT_SIDE_BAND_MMAP, 0);
	struct peat_where *where = peat_where__parse("size > 4K && @mmap.pid != 1");
	const struct where_test *test;

	ck_assert_int_eq(peat_where__add_type(where, mmap), 1);
	test = where__resolved(where, mmap);
	ck_assert_int_eq(test->a->a->operand, WHERE_FIELD);
	ck_assert_int_eq(test->b->a->operand, WHERE_PID);
	peat_where__free(where);
}
END_TEST

/* ---- values ---------------------------------------------------------------------------------- */

START_TEST(test_resolves_numbers)
{
	check("number", "number&0xffffffff");
	check("number & 3", "number&0x3");
	check("number & 3 == 1", "number==1");
	check("number & 3 == 4", "number false");
	check("number & 0x100000000", "number false");
	check("number & 0x100000000 == 0", "number true");
	check("number != 5", "!number==5");
	check("number < 5", "number<5");
	check("number <= 5", "number<6");
	check("number > 5", "!number<6");
	check("number >= 5", "!number<5");
	check("number in (1, 2, 3)", "(or number==1 (or number==2 number==3))");
	check("number not in (1, 2)", "!(or number==1 number==2)");
	check("number_signed < -5", "number_signed<-5");
	check("number_signed == -1", "number_signed==4294967295");
	check("number == 'A'", "number==65");
	check("number == '\\n'", "number==10");
	check("number == 010", "number==10");
	check("few == 7", "few==7");
	check("slope == -16", "slope==16");
	check("slope < -15", "slope<-15");
	check("address_of == 0xFFFF", "address_of==65535");
	check("port == 443", "port==443");
	check("function > 0xffffffff81000000", "!function<18446744071578845185");
}
END_TEST

/* Values that the field cannot have. */
START_TEST(test_folds_impossible_values)
{
	check("tiny == 256", "tiny false");
	check("tiny == -1", "tiny false");
	check("tiny != 256", "!tiny false");
	check("tiny < 300", "tiny true");
	check("tiny < 256", "tiny true");
	check("tiny < 255", "tiny<255");
	check("tiny < -1", "tiny false");
	check("tiny <= 255", "tiny true");
	check("tiny > 255", "!tiny true");
	check("tiny >= 256", "!tiny true");
	check("tiny_signed < 128", "tiny_signed true");
	check("tiny_signed <= 127", "tiny_signed true");
	check("tiny_signed == -129", "tiny_signed false");
	check("tiny_signed < -129", "tiny_signed false");
	check("few == 8", "few false");
	check("wide <= 0xffffffffffffffff", "wide true");
	check("wide_signed <= 0x7fffffffffffffff", "wide_signed true");
	check("wide_signed >= -9223372036854775808", "!wide_signed<-9223372036854775808");
	check("wide > -1", "!wide false");
}
END_TEST

START_TEST(test_named_numbers)
{
	check("truth", "truth&0xff");
	check("truth == true", "!truth==0");
	check("truth == false", "truth==0");
	check("truth != no", "!truth==0");
	check("color == GREEN", "color==2");
	check("color == BLUE", "color==4294967289");
	check("color < GREEN", "color<2");
	check("color == \"RED\"", "color==1");
	check("mode == MODE_READ|MODE_SYNC", "mode==65");
	check("mode & MODE_READ | MODE_SYNC", "mode&0x41");
	check("mode == \"MODE_READ|MODE_SYNC\"", "mode==65");
	check("mode == MODE_NONE", "mode==0");
	check("error == ENOENT", "error==4294967294");
	check("error == -ENOENT", "error==4294967294");
	check("error < 0", "error<0");
	check("error in (EPERM, EACCES)", "(or error==4294967295 error==4294967283)");
	check("sig == SIGKILL", "sig==9");
	check("sig == SIGRTMIN+1", "sig==35");
	check("delay > 1.5ms", "!delay<1500001");
	check("room >= 64KiB", "!room<65536");
}
END_TEST

START_TEST(test_addresses_and_bytes)
{
	check("from == 192.0.2.1", "from==c0000201/ffffffff");
	check("from == 192.0.2.1/24", "from==c0000200/ffffff00");
	check("from == 0.0.0.0/0", "from==00000000/00000000");
	check("from == 10.0.0.1/9", "from==0a000000/ff800000");
	check("from & 255.0.0.0 == 10.0.0.0", "from==0a000000/ff000000");
	check("from & 0xff000000 == 10.0.0.0", "from==0a000000/ff000000");
	check("from & 255.0.0.0 == 10.0.0.1", "from false");
	check("from", "!from==00000000/ffffffff");
	check("from & 0.0.0.1", "!from==00000000/00000001");
	check("from & 10.1.2.3/16", "!from==00000000/0a010000");
	check("from in (10.0.0.0/8, 127.0.0.1)",
	      "(or from==0a000000/ff000000 from==7f000001/ffffffff)");
	check("to == 2001:db8::/32",
	      "to==20010db8000000000000000000000000/ffffffff000000000000000000000000");
	check("to == 192.0.2.0/24",
	      "to==00000000000000000000ffffc0000200/ffffffffffffffffffffffffffffff00");
	check("to == 192.0.2.1", "to==00000000000000000000ffffc0000201/"
				 "ffffffffffffffffffffffffffffffff");
	check("peer == 192.0.2.1:443", "peer==00000000000000000000ffffc000020101bb/"
				       "ffffffffffffffffffffffffffffffffffff");
	check("to == ::1", "to==00000000000000000000000000000001/"
			   "ffffffffffffffffffffffffffffffff");
	check("card == 00:1b:21:3c:4d:5E", "card==001b213c4d5e/ffffffffffff");
	check("key == deadBEEF00", "key==deadbeef00/ffffffffff");
	check("key != 0x0102030405", "!key==0102030405/ffffffffff");
	check("rest == 0102", "rest==0102/ffff");
}
END_TEST

START_TEST(test_resolves_texts)
{
	check("name == \"a b\"", "name=a b");
	check("name == sh", "name=sh");
	check("name", "!name=");
	check("name != sh", "!name=sh");
	check("name ~ \"a*\"", "name^a");
	check("name ~ \"a\"", "name=a");
	check("name !~ \"a*b\"", "!name~a*b");
	check("name in (a, \"b\")", "(or name=a name=b)");
	check("words ~ \"*x*\"", "words~*x*");
}
END_TEST

START_TEST(test_resolves_floats)
{
	check("real == 0.5", "real==0.5");
	check("real < -1e3", "real<-1000");
	check("real <= 2", "(or real<2 real==2)");
	check("real > 2", "!(or real<2 real==2)");
	check("real >= 2", "!real<2");
	check("real", "!real==0");
	check("single == 0.1", "single==0.10000000149011612");
}
END_TEST

/* ---- errors ---------------------------------------------------------------------------------- */

static void refuse(const char *text, int column, const char *reason)
{
	struct peat_where *where = peat_where__parse(text);

	where_schema__catch();
	ck_assert_ptr_nonnull(where);
	ck_assert_msg(peat_where__add_type(where, kinds) == -EINVAL, "%s", text);
	ck_assert_int_eq(errno, EINVAL);
	ck_assert_msg(strstr(where_schema__error(), reason) != NULL, "%s: %s", text,
		      where_schema__error());
	ck_assert_msg(where_schema__column() == column, "%s: column %d: %s", text,
		      where_schema__column(), where_schema__error());
	ck_assert_ptr_null(where__resolved(where, kinds));
	/* It is logged once. */
	ck_assert_int_eq(peat_where__add_type(where, kinds), -EINVAL);
	ck_assert_int_eq(where_schema__errors(), 1);
	peat_where__free(where);
}

START_TEST(test_bad_values)
{
	refuse("number == x", 10, "\"x\" is no value of number in kinds: a number");
	refuse("number == 'ab'", 10, "\"ab\" is no value of number");
	refuse("number == wide", 10, "\"wide\" is no value of number");
	refuse("pid == 1 && number in (1, x)", 26, "\"x\" is no value of number");
	refuse("number == 18446744073709551616", 10, "has more than 64 bits");
	refuse("pid == x", 7, "\"x\" is no value of pid: a number");
	refuse("delay > 5", 8, "a time with its unit, such as 5ms");
	refuse("room > 5x", 7, "an amount such as 4096 or 64K");
	refuse("truth == maybe", 9, "true or false");
	refuse("color == GREN", 9, "did you mean \"GREEN\"? a number or a name: RED");
	refuse("color == GREN", 9, "RED, GREEN, BLUE");
	refuse("mode & MODE_READ|MODE_SINC", 7,
	       "\"MODE_SINC\" is no value of mode in kinds: did you mean "
	       "\"MODE_SYNC\"?");
	refuse("mode & MODE_RAED|MODE_SYNC", 7, "\"MODE_RAED\" is no value of mode");
	refuse("error == ENOWHERE", 9, "a number or the name of an errno");
	refuse("sig == KILLED", 7, "a number or the name of a signal");
	refuse("from == 10.0.0", 8, "an IPv4 address");
	refuse("from == 10.0.0.0/33", 8, "an IPv4 address");
	refuse("from == 10.0.0.0/", 8, "an IPv4 address");
	refuse("from == 10.0.0.0/8x", 8, "an IPv4 address");
	refuse("from == 10.0.0.0/0008", 8, "an IPv4 address");
	refuse("to == 2001:db8", 6, "an IPv6 address");
	refuse("peer == 192.0.2.1", 8, "an address with its port, such as 192.0.2.1:443");
	refuse("peer == 192.0.2.1:65536", 8, "an address with its port");
	refuse("peer == 192.0.2.1:", 8, "an address with its port");
	refuse("peer == 192.0.2.0/24:80", 8, "an address with its port");
	refuse("peer == 2001:db8::1:80", 8, "an address with its port");
	refuse("peer == [192.0.2.1]:80", 8, "an address with its port");
	refuse("peer == [2001:db8::1]", 8, "an address with its port");
	refuse("peer == [2001:db8::1]80", 8, "an address with its port");
	refuse("peer == []:80", 8, "an address with its port");
	refuse("peer == '[:80'", 8, "an address with its port");
	refuse("peer < 192.0.2.1:80", 0, "peer has no order");
	refuse("card == 00:1b:21:3c:4d", 8, "an Ethernet address");
	refuse("card == 00:1b:21:3c:4d:5e:6f", 8, "an Ethernet address");
	refuse("key == 0102", 7, "key has 5 bytes, the value has 2");
	refuse("key == 010", 7, "bytes in hexadecimal");
	refuse("from & 0xff == 0.0.0.0", 7, "from has 4 bytes, the value has 1");
	refuse("real == x", 8, "a number");
	refuse("real == 0x10", 8, "a number");
	refuse("name == comm", 8, "fields cannot be compared with each other");
	refuse("name ~ at.file", 7, "fields cannot be compared with each other");
}
END_TEST

START_TEST(test_bad_tests)
{
	refuse("at == 1", 0, "at is a struct: test a member, at.line");
	refuse("counts == 1", 0, "counts is an array: test an element, counts[0]");
	refuse("stack[0]", 0, "stack[0] is a struct");
	refuse("rest", 0, "compare it with bytes in hexadecimal");
	refuse("name < \"a\"", 0, "name has no order");
	refuse("from > 10.0.0.0", 0, "from has no order");
	refuse("truth < true", 0, "truth has no order");
	refuse("number ~ \"1*\"", 0, "~ is for text only");
	refuse("name & 1", 7, "name has no bits");
	refuse("real & 1", 7, "real has no bits");
}
END_TEST

static void check_lacks(const char *text, int column, const char *reason)
{
	struct peat_where *where = peat_where__parse(text);

	where_schema__catch();
	ck_assert_ptr_nonnull(where);
	ck_assert_int_ge(peat_where__add_type(where, kinds), 0);
	ck_assert_int_eq(where_schema__errors(), 0);
	ck_assert_int_eq(peat_where__check(where), -EINVAL);
	ck_assert_msg(strstr(where_schema__error(), reason) != NULL, "%s: %s", text,
		      where_schema__error());
	ck_assert_msg(where_schema__column() == column, "%s: column %d: %s", text,
		      where_schema__column(), where_schema__error());
	peat_where__free(where);
}

START_TEST(test_no_such_field)
{
	check_lacks("dleay > 5ms", 0, "no field \"dleay\": did you mean \"delay\"? the fields are");
	check_lacks("pid == 1 && nmae == x", 12, "did you mean \"name\"?");
	check_lacks("at.lien == 1", 0, "did you mean \"at.line\"?");
	check_lacks("xyzzyxyzzy", 0, "no field \"xyzzyxyzzy\": the fields are wide, wide_signed");
	check_lacks("stack[3].line", 0, "no element stack[3].line: the array has 3 elements");
	check_lacks("number.x", 0, "no field \"number.x\"");
	check_lacks("number[0]", 0, "no field \"number[0]\"");
	check_lacks("open.flags & 1", 0, "no field \"open.flags\"");
	check_lacks("kinds.flags & 1", 0, "no field \"kinds.flags\"");
}
END_TEST

/* Each field is one of some type. */
START_TEST(test_several_types)
{
	struct peat_where *where = peat_where__parse("number == 1 || kinds.delay > 5ms");

	ck_assert_int_eq(peat_where__add_type(where, tracepoint), 1);
	ck_assert_int_eq(peat_where__check(where), -EINVAL);
	ck_assert_int_eq(peat_where__add_type(where, kinds), 1);
	ck_assert_int_eq(peat_where__check(where), 0);
	ck_assert_int_eq(peat_where__add_type(where, kinds), 1);
	peat_where__free(where);
	where = peat_where__parse("number == 1 || delay > 5ms");
	ck_assert_int_eq(peat_where__add_type(where, tracepoint), 0);
	ck_assert_ptr_null(where__resolved(where, tracepoint));
	ck_assert_int_eq(peat_where__add_type(where, kinds), 1);
	ck_assert_int_eq(peat_where__check(where), 0);
	peat_where__free(where);
	where = peat_where__parse("pid == 1");
	ck_assert_int_eq(peat_where__check(where), 0);
	peat_where__free(where);
}
END_TEST

START_TEST(test_no_memory)
{
	long blocks = fail_alloc__blocks();
	int result;

	for (unsigned nth = 1; nth; nth++) {
		struct peat_where *where;

		fail_alloc__begin(nth);
		where = peat_where__parse("number in (1, 2) && rest[1] && path == x || real < 1");
		result = where ? peat_where__add_type(where, kinds) : -ENOMEM;
		peat_where__free(where);
		if (!fail_alloc__end())
			break;
		ck_assert_int_eq(result, -ENOMEM);
	}
	ck_assert_int_eq(result, 0);
	ck_assert_int_eq(fail_alloc__blocks(), blocks);
}
END_TEST

SUITE(10)
{
	tcase_add_checked_fixture(tests, setup, teardown);
	tcase_add_test(tests, test_resolves_fields);
	tcase_add_test(tests, test_resolves_paths);
	tcase_add_test(tests, test_own_size);
	tcase_add_test(tests, test_resolves_numbers);
	tcase_add_test(tests, test_folds_impossible_values);
	tcase_add_test(tests, test_named_numbers);
	tcase_add_test(tests, test_addresses_and_bytes);
	tcase_add_test(tests, test_resolves_texts);
	tcase_add_test(tests, test_resolves_floats);
	tcase_add_test(tests, test_bad_values);
	tcase_add_test(tests, test_bad_tests);
	tcase_add_test(tests, test_no_such_field);
	tcase_add_test(tests, test_several_types);
	tcase_add_test(tests, test_no_memory);
}

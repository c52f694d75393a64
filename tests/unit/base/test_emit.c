// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* test_emit.c: the same data as JSON, as pairs and as text. */
#include <stdio.h>
#include <stdlib.h>

#include "base/emit.h"
#include "support/machine/harness.h"
#include "unit/suite.h"

static const struct emit_name colours[] = { { 1, "red" }, { 2, "green" }, { 0, NULL } };

static void write_sum(struct strbuf *out, const struct emit_value *value)
{
	strbuf__unsigned(out, value->number);
	strbuf__text(out, "+1");
}

struct told {
	struct emit_value value;
	const char *json, *pairs, *text;
};

#define TEXT(text)		.kind = EMIT_TEXT, .bytes = text, .count = sizeof(text) - 1
#define NAMED(emit_kind, what)	.kind = emit_kind, .number = what, .names = colours
#define NUMBER(emit_kind, what) .kind = emit_kind, .number = what
#define AND_SO_ON(written)	written, written, written

static const struct told told[] = {
	{ { NUMBER(EMIT_UNSIGNED, UINT64_MAX) }, AND_SO_ON("18446744073709551615") },
	{ { NUMBER(EMIT_SIGNED, (uint64_t)INT64_MIN) }, AND_SO_ON("-9223372036854775808") },
	{ { NUMBER(EMIT_HEX, 255) }, "255", "0xff", "0xff" },
	{ { NUMBER(EMIT_BOOL, 1) }, AND_SO_ON("true") },
	{ { NAMED(EMIT_NAMED, 2) }, "2", "green", "green" },
	{ { NAMED(EMIT_NAMED, 7) }, AND_SO_ON("7") },
	{ { NAMED(EMIT_FLAGS, 3) }, "3", "red|green", "red|green" },
	{ { NAMED(EMIT_FLAGS, 10) }, "10", "green|0x8", "green|0x8" },
	{ { NAMED(EMIT_FLAGS, 0) }, AND_SO_ON("0") },
	{ { NUMBER(EMIT_WRITTEN, 7), .write = write_sum }, "\"7+1\"", "7+1", "7+1" },
	{ { NAMED(EMIT_WRITTEN, 11), .write = emit__write_flags },
	  "\"red|green|0x8\"",
	  "red|green|0x8",
	  "red|green|0x8" },
	{ { TEXT("plain") }, "\"plain\"", "plain", "plain" },
	{ { TEXT("") }, "\"\"", "\"\"", "" },
	{ { TEXT("two words") }, "\"two words\"", "\"two words\"", "two words" },
	{ { TEXT("a\"b\"") }, "\"a\\\"b\\\"\"", "\"a\\\"b\\\"\"", "a\"b\"" },
	{ { TEXT("\x1b[m") }, "\"\\u001b[m\"", "\"\\x1b[m\"", "\\x1b[m" },
	{ { TEXT("\xff") }, "{\"hex\":\"ff\"}", "\\xff", "\\xff" },
	{ { TEXT("it's"), .quote = '\'' }, "\"it's\"", "it\\'s", "it\\'s" },
	{ { TEXT("right"), .width = 8 }, "\"right\"", "right", "   right" },
	{ { TEXT("left"), .width = -6 }, "\"left\"", "left", "left  " },
	{ { TEXT("too long"), .width = 3 }, "\"too long\"", "\"too long\"", "too long" },
	{ { .kind = EMIT_BYTES, .bytes = "\x01\xab", .count = 2 }, "\"01ab\"", "01ab", "01ab" },
	{ { NUMBER(EMIT_SECONDS, 1500000999) }, "1500000999", "1500000999", "1.500000" },
	{ { NUMBER(EMIT_SECONDS, 1500000999), .count = 9 },
	  "1500000999",
	  "1500000999",
	  "1.500000999" },
	{ { NUMBER(EMIT_MILLISECONDS, 1500999) }, "1500999", "1500999", "1.501" },
	{ { NUMBER(EMIT_DATE, 1711586729335160123) },
	  "1711586729335160123",
	  "1711586729335160123",
	  "2024-03-28 00:45:29.335160" },
};

static void check(struct strbuf *out, const char *wanted)
{
	strbuf__char(out, 0);
	ck_assert_str_eq(out->bytes, wanted);
	strbuf__cut(out, 0);
}

/* Emits the value twice, as a member and as an element. */
static void tell(struct emit emit, const struct emit_value *value)
{
	emit__begin(&emit, NULL, false);
	emit__value(&emit, "a", value);
	emit__begin(&emit, "b", true);
	emit__value(&emit, NULL, value);
	emit__end(&emit, true);
	emit__print_value(&emit, value);
	emit__end(&emit, false);
}

START_TEST(test_values_in_each_format)
{
	const struct told *t = &told[_i];
	struct strbuf out = { 0 };
	char wanted[256];

	setenv("TZ", "UTC", 1);
	tell(emit__json(&out), &t->value);
	snprintf(wanted, sizeof(wanted), "{\"a\":%s,\"b\":[%s]}", t->json, t->json);
	check(&out, wanted);
	tell(emit__pairs(&out), &t->value);
	snprintf(wanted, sizeof(wanted), "a=%s b=[%s]", t->pairs, t->pairs);
	check(&out, wanted);
	tell(emit__lines(&out), &t->value);
	check(&out, t->text);
	strbuf__free(&out);
}
END_TEST

static void tell_nested(struct emit emit)
{
	struct emit_value values[] = { { .number = 1 }, { .number = 2 } };

	emit__begin(&emit, NULL, false);
	emit__begin(&emit, "list", true);
	for (size_t i = 0; i < 2; i++) {
		emit__begin(&emit, NULL, false);
		emit__value(&emit, "x", &values[i]);
		emit__end(&emit, false);
	}
	emit__end(&emit, true);
	emit__begin(&emit, "empty", true);
	emit__end(&emit, true);
	emit__text(&emit, "last", "one");
	emit__end(&emit, false);
	emit__print_filled(&emit, "$1 before $0, $ and all\n", values);
}

START_TEST(test_nested_lists_and_objects)
{
	struct strbuf out = { 0 };

	tell_nested(emit__json(&out));
	check(&out, "{\"list\":[{\"x\":1},{\"x\":2}],\"empty\":[],\"last\":\"one\"}");
	tell_nested(emit__pairs(&out));
	check(&out, "list=[{x=1} {x=2}] empty=[] last=one");
	tell_nested(emit__lines(&out));
	check(&out, "2 before 1, $ and all\n");
	strbuf__free(&out);
}
END_TEST

static void tell_members(struct emit emit)
{
	emit__unsigned(&emit, "cpu", 3);
	emit__begin(&emit, "of", false);
	emit__unsigned(&emit, "cpu", 4);
	emit__end(&emit, false);
	emit__begin(&emit, "list", true);
	emit__unsigned(&emit, NULL, 5);
	emit__end(&emit, true);
	emit__text(&emit, "times", "x");
	ck_assert_uint_eq(emit.depth, 1);
}

/* Members after members of another writer. */
START_TEST(test_members_follow_members)
{
	struct strbuf out = { 0 };

	tell_members(emit__json_members(&out));
	check(&out, ",\"cpu\":3,\"of\":{\"cpu\":4},\"list\":[5],\"times\":\"x\"");
	tell_members(emit__pairs_members(&out));
	check(&out, " cpu=3 of={cpu=4} list=[5] times=x");
	strbuf__free(&out);
}
END_TEST

static void tell_more(struct emit emit)
{
	emit__named(&emit, "named", 2, colours);
	emit__named(&emit, "nameless", 9, colours);
	emit__begin(&emit, "list", true);
	emit__unsigned(&emit, NULL, 1);
	emit__end(&emit, true);
	emit__unsigned(&emit, "last", 2);
}

START_TEST(test_amid_members)
{
	struct strbuf out = { 0 };

	strbuf__text(&out, "{\"first\":0");
	tell_more(emit__json_members(&out));
	check(&out, "{\"first\":0,\"named\":\"green\",\"nameless\":9,\"list\":[1],\"last\":2");
	strbuf__text(&out, "first=0");
	tell_more(emit__pairs_members(&out));
	check(&out, "first=0 named=green nameless=9 list=[1] last=2");
	strbuf__free(&out);
}
END_TEST

SUITE(20)
{
	tcase_add_loop_test(tests, test_values_in_each_format, 0, sizeof(told) / sizeof(*told));
	tcase_add_test(tests, test_nested_lists_and_objects);
	tcase_add_test(tests, test_members_follow_members);
	tcase_add_test(tests, test_amid_members);
}

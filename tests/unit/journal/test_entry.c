// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* test_entry.c: messages for journald and syslog. */
#include "journal/entry.h"
#include "unit/suite.h"

static void check(struct strbuf *out, const char *expected, size_t bytes)
{
	ck_assert(!out->failed);
	ck_assert_uint_eq(out->count, bytes);
	ck_assert_mem_eq(out->bytes, expected, bytes);
	strbuf__free(out);
}

#define CHECK(out, text) check(out, text, sizeof(text) - 1)

START_TEST(test_fields_of_journald)
{
	struct strbuf out = { 0 };

	entry__field(&out, "A", "text=1", 6);
	entry__field(&out, "B", "", 0);
	entry__field(&out, "C", "x\ny", 3);
	CHECK(&out, "A=text=1\nB=\nC\n\3\0\0\0\0\0\0\0x\ny\n");
	entry__begin(&out, 4, "hello", 5);
	CHECK(&out, "MESSAGE=hello\nPRIORITY=4\nSYSLOG_FACILITY=3\n"
		    "SYSLOG_IDENTIFIER=peat-agent\n");
}
END_TEST

START_TEST(test_line_of_syslog)
{
	struct tm now = { .tm_mon = 10, .tm_mday = 5, .tm_hour = 7, .tm_min = 0, .tm_sec = 59 };
	struct strbuf out = { 0 };

	entry__syslog(&out, 4, &now, 123, "first\nsecond", 12);
	CHECK(&out, "<28>Nov  5 07:00:59 peat-agent[123]: first");
	now.tm_mday = 15;
	now.tm_mon = 0;
	entry__syslog(&out, 0, &now, 1, "x", 1);
	CHECK(&out, "<24>Jan 15 07:00:59 peat-agent[1]: x");
}
END_TEST

START_TEST(test_long_line_of_syslog)
{
	static char message[9000];
	struct tm now = { .tm_mday = 15 };
	struct strbuf out = { 0 };

	memset(message, 'm', sizeof(message));
	entry__syslog(&out, 0, &now, 1, message, 8000);
	ck_assert_uint_eq(out.count, strlen("<24>Jan 15 00:00:00 peat-agent[1]: ") + 8000);
	ck_assert_int_eq(out.bytes[out.count - 1], 'm');
	strbuf__free(&out);
	entry__syslog(&out, 0, &now, 1, message, 8001);
	ck_assert_uint_eq(out.count, strlen("<24>Jan 15 00:00:00 peat-agent[1]: ") + 8000);
	ck_assert_mem_eq(out.bytes + out.count - 4, "m...", 4);
	strbuf__free(&out);
}
END_TEST

SUITE(10)
{
	tcase_add_test(tests, test_fields_of_journald);
	tcase_add_test(tests, test_line_of_syslog);
	tcase_add_test(tests, test_long_line_of_syslog);
}

// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* test_headers.c: files of HTTP headers, and who may read them. */
#include <errno.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/strbuf.h"
#include "otlp/headers.h"
#include "support/machine/scratch.h"
#include "unit/suite.h"

static char why[OTLP_HEADERS_WHY];
static struct strbuf found;

static int keep(void *arg, const char *header)
{
	ck_assert_ptr_eq(arg, &found);
	strbuf__text(&found, header);
	strbuf__char(&found, '|');
	return 0;
}

static int read_file(const char *text, mode_t mode)
{
	unlink(scratch__path("headers"));
	close(scratch__file("headers", text));
	ck_assert_int_eq(chmod(scratch__path("headers"), mode), 0);
	strbuf__cut(&found, 0);
	*why = 0;
	return otlp_headers__read(scratch__path("headers"), keep, &found, why);
}

static void check(const char *text, const char *wanted)
{
	ck_assert_msg(!read_file(text, 0600), "%s", why);
	strbuf__char(&found, 0);
	ck_assert_str_eq(found.bytes, wanted);
}

static void check_refused(const char *text, const char *reason)
{
	ck_assert_int_eq(read_file(text, 0600), -EINVAL);
	ck_assert_str_eq(why, reason);
}

START_TEST(test_lines_are_headers)
{
	check("", "");
	check("# a comment\n\nAuthorization: Bearer 4f2a\r\nX-Scope: a: b\n",
	      "Authorization: Bearer 4f2a|X-Scope: a: b|");
	check("X-Last: no newline", "X-Last: no newline|");
}
END_TEST

/* Messages do not have the header's value, which may be a secret. */
START_TEST(test_wrong_lines)
{
	check_refused("X-A: b\nsecret", "line 2: expected \"Name: value\"");
	check_refused(": b", "line 1: expected \"Name: value\"");
	check_refused("X A: b", "line 1: expected \"Name: value\"");
	check_refused("X-A: \x1b[m", "line 1: it has a control character");
	check_refused("X-A: a\rX-B: b", "line 1: it has a control character");
	check_refused("X-A: ", "line 1: it has no value");
	check_refused("content-TYPE: text/plain", "line 1: this header is set by peat");
}
END_TEST

/* output/private_file.h checks it. */
START_TEST(test_public_file)
{
	ck_assert_int_eq(read_file("X-A: b", 0644), -EINVAL);
	ck_assert_str_eq(why, "other users can read or change it: chmod 600");
}
END_TEST

SUITE(10)
{
	tcase_add_checked_fixture(tests, scratch__make, scratch__remove);
	tcase_add_test(tests, test_lines_are_headers);
	tcase_add_test(tests, test_wrong_lines);
	tcase_add_test(tests, test_public_file);
}

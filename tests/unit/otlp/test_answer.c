// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* test_answer.c: what answers of servers mean. */
#include <stdio.h>
#include <string.h>

#include "otlp/answer.h"
#include "unit/suite.h"

#define PROTOBUF "application/x-protobuf"

static uint64_t refused;
static char why[OTLP_ANSWER_WHY];

static void check(enum otlp_verdict wanted, long status, const char *type, const void *body,
		  size_t bytes, const char *reason)
{
	const struct otlp_answer answer = {
		.status = status, .content_type = type, .body = body, .bytes = bytes
	};

	refused = 99;
	ck_assert_int_eq(otlp_answer__read(&answer, &refused, why), wanted);
	ck_assert_str_eq(why, reason);
}

#define BODY(text) text, sizeof(text) - 1

START_TEST(test_success_of_all)
{
	check(OTLP_TAKEN, 200, PROTOBUF, BODY(""), "");
	ck_assert_uint_eq(refused, 0);
	check(OTLP_TAKEN, 202, NULL, BODY(""), "");
	check(OTLP_TAKEN, 200, PROTOBUF "; q=1", BODY("\x0a\x00"), "");
	check(OTLP_TAKEN, 200, PROTOBUF, BODY("\x78\x01"), ""); /* a field that is not known */
	check(OTLP_TAKEN, 200, "Application/JSON; charset=utf-8", BODY("{}"), "");
	check(OTLP_TAKEN, 204, NULL, BODY(""), "");
}
END_TEST

START_TEST(test_partial_success)
{
	check(OTLP_TAKEN, 200, PROTOBUF, BODY("\x0a\x09\x08\x02\x12\x05stale"), "HTTP 200: stale");
	ck_assert_uint_eq(refused, 2);
	check(OTLP_TAKEN, 200, PROTOBUF, BODY("\x0a\x07\x12\x05stale"), "HTTP 200: stale");
	ck_assert_uint_eq(refused, 0);
	check(OTLP_TAKEN, 200, PROTOBUF, BODY("\x0a\x02\x08\x03"), "HTTP 200");
	ck_assert_uint_eq(refused, 3);
	check(OTLP_TAKEN, 200, PROTOBUF,
	      BODY("\x0a\x0b\x08\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01"), "");
	ck_assert_uint_eq(refused, 0); /* -1 */
}
END_TEST

START_TEST(test_not_otlp)
{
	check(OTLP_RETRY, 200, "text/html", BODY("<html>"),
	      "HTTP 200, but the answer is not OTLP's: text/html");
	check(OTLP_RETRY, 200, PROTOBUF, BODY("\xff\xff"),
	      "HTTP 200, but the answer is not OTLP's: " PROTOBUF);
	check(OTLP_RETRY, 200, NULL, BODY("ok"), "HTTP 200, but the answer is not OTLP's");
}
END_TEST

START_TEST(test_errors_by_status)
{
	static const long temporary[] = { 429, 502, 503, 504 },
			  others[] = { 301, 400, 401, 404, 413, 500, 501 };
	char reason[16];

	for (size_t i = 0; i < sizeof(temporary) / sizeof(*temporary); i++) {
		snprintf(reason, sizeof(reason), "HTTP %ld", temporary[i]);
		check(OTLP_RETRY, temporary[i], NULL, BODY("text"), reason);
	}
	for (size_t i = 0; i < sizeof(others) / sizeof(*others); i++) {
		snprintf(reason, sizeof(reason), "HTTP %ld", others[i]);
		check(OTLP_REFUSED, others[i], "text/html", BODY("<html>"), reason);
	}
}
END_TEST

START_TEST(test_messages_of_errors)
{
	char body[4096];

	check(OTLP_REFUSED, 400, PROTOBUF, BODY("\x08\x03\x12\x02no"), "HTTP 400: no");
	check(OTLP_REFUSED, 400, PROTOBUF, BODY("\xff"), "HTTP 400");
	check(OTLP_REFUSED, 401, "text/plain", BODY("who\x1b[31m\nare you"),
	      "HTTP 401: who\\x1b[31m\\nare you");
	memset(body, 1, sizeof(body));
	(void)otlp_answer__read(&(struct otlp_answer){ .status = 400,
						       .content_type = "text/plain",
						       .body = body,
						       .bytes = sizeof(body) },
				&refused, why);
	ck_assert_uint_lt(strlen(why), sizeof(why));
}
END_TEST

SUITE(10)
{
	tcase_add_test(tests, test_success_of_all);
	tcase_add_test(tests, test_partial_success);
	tcase_add_test(tests, test_not_otlp);
	tcase_add_test(tests, test_errors_by_status);
	tcase_add_test(tests, test_messages_of_errors);
}

// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* test_verdict.c: answers to messages; only with libnats. */
#ifdef HAVE_NATS

#include <string.h>

#include "jetstream/verdict.h"
#include "unit/suite.h"

static void check(natsStatus status, jsErrCode code, const char *text, enum verdict wanted,
		  const char *reason)
{
	char why[NEWS_WHY] = "";

	ck_assert_int_eq(verdict__of(status, code, text, why), wanted);
	ck_assert_msg(strstr(why, reason), "%s", why);
}

START_TEST(test_answers_have_verdicts)
{
	check(NATS_OK, 0, "", VERDICT_STORED, "");
	check(NATS_TIMEOUT, 0, "", VERDICT_ELSEWHERE, "no answer in time");
	check(NATS_NO_RESPONDERS, 0, "", VERDICT_ELSEWHERE, "no stream takes the subject");
	check(NATS_CONNECTION_CLOSED, 0, "", VERDICT_ELSEWHERE, "Connection Closed");
	check(NATS_ERR, JSStreamStoreFailedErr, "maximum bytes exceeded", VERDICT_RETRY,
	      "the stream cannot store it: maximum bytes exceeded");
	check(NATS_ERR, JSStreamNotMatchErr, "x", VERDICT_RETRY, "another stream");
	check(NATS_ERR, JSStreamNotFoundErr, "stream not found", VERDICT_RETRY,
	      "no stream takes the subject");
	check(NATS_ERR, JSStreamWrongLastSequenceErr, "wrong last sequence: 7", VERDICT_OUTDATED,
	      "wrong last sequence");
	check(NATS_ERR, JSInsufficientResourcesErr, "no room", VERDICT_RETRY, "no room");
	check(NATS_ERR, JSStreamMessageExceedsMaximumErr, "too large", VERDICT_REFUSED,
	      "too large");
	check(NATS_MAX_PAYLOAD, 0, "Payload 9", VERDICT_REFUSED, "Payload 9");
}
END_TEST

/* A server's text is on one line, and cut. */
START_TEST(test_hostile_text)
{
	char why[NEWS_WHY], text[1000];

	memset(text, '\n', sizeof(text));
	text[sizeof(text) - 1] = 0;
	verdict__of(NATS_ERR, JSStreamStoreFailedErr, text, why);
	ck_assert_uint_lt(strlen(why), sizeof(why));
	ck_assert_ptr_null(strchr(why, '\n'));
}
END_TEST

SUITE(10)
{
	tcase_add_test(tests, test_answers_have_verdicts);
	tcase_add_test(tests, test_hostile_text);
}

#endif /* HAVE_NATS */

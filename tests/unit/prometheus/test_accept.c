// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* test_accept.c: the format that a client asks for. */
#include "prometheus/accept.h"
#include "unit/suite.h"

START_TEST(test_clients_that_want_openmetrics)
{
	/* Prometheus 2.42, and curl. */
	ck_assert(accept__is_openmetrics(
		"application/openmetrics-text;version=1.0.0,application/"
		"openmetrics-text;version=0.0.1;q=0.75,text/plain;version=0.0.4;q=0.5,*/*;q=0.1"));
	ck_assert(accept__is_openmetrics("application/openmetrics-text"));
	ck_assert(accept__is_openmetrics("text/plain;q=0.5, Application/OpenMetrics-Text ; q=0.5"));
	ck_assert(accept__is_openmetrics(
		"application/openmetrics-text;version=1.0.0;charset=utf-8;q=0.001"));
}
END_TEST

START_TEST(test_clients_that_want_text)
{
	ck_assert(!accept__is_openmetrics(NULL));
	ck_assert(!accept__is_openmetrics(""));
	ck_assert(!accept__is_openmetrics("*/*"));
	ck_assert(!accept__is_openmetrics("text/plain;version=0.0.4"));
	ck_assert(!accept__is_openmetrics("application/openmetrics-text;version=0.0.1"));
	ck_assert(!accept__is_openmetrics("application/openmetrics-text;q=0"));
	ck_assert(!accept__is_openmetrics("application/openmetrics-text;q=0.000"));
	ck_assert(!accept__is_openmetrics("application/openmetrics-text;q=0.4,text/plain;q=0.5"));
	ck_assert(!accept__is_openmetrics("application/openmetrics-text;q=0.9,text/*"));
	ck_assert(!accept__is_openmetrics("application/openmetrics-textual"));
	ck_assert(!accept__is_openmetrics("application/openmetrics-text;q="));
	ck_assert(!accept__is_openmetrics(",;,;;q=,=,\t ,"));
}
END_TEST

SUITE(10)
{
	tcase_add_test(tests, test_clients_that_want_openmetrics);
	tcase_add_test(tests, test_clients_that_want_text);
}

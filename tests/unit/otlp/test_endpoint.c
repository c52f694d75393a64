// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* test_endpoint.c: the URLs of log records and metrics; only with libcurl. */
#ifdef HAVE_CURL

#include <errno.h>
#include <stdlib.h>

#include "otlp/endpoint.h"
#include "unit/suite.h"

static void check(const char *endpoint, const char *logs, const char *metrics)
{
	char *urls[OTLP_SIGNALS] = { NULL, NULL };
	const char *why = "";

	ck_assert_msg(!otlp_endpoint__urls(endpoint, urls, &why), "%s: %s", endpoint, why);
	ck_assert_str_eq(urls[OTLP_LOGS], logs);
	ck_assert_str_eq(urls[OTLP_METRICS], metrics);
	free(urls[OTLP_LOGS]);
	free(urls[OTLP_METRICS]);
}

static void check_refused(const char *endpoint, const char *reason)
{
	char *urls[OTLP_SIGNALS] = { NULL, NULL };
	const char *why = "";

	ck_assert_int_eq(otlp_endpoint__urls(endpoint, urls, &why), -EINVAL);
	ck_assert_str_eq(why, reason);
}

START_TEST(test_paths_of_signals)
{
	check("http://127.0.0.1:4318", "http://127.0.0.1:4318/v1/logs",
	      "http://127.0.0.1:4318/v1/metrics");
	check("http://127.0.0.1:4318/", "http://127.0.0.1:4318/v1/logs",
	      "http://127.0.0.1:4318/v1/metrics");
	check("https://otlp.example/otlp//", "https://otlp.example/otlp/v1/logs",
	      "https://otlp.example/otlp/v1/metrics");
	check("http://[::1]:4318/v1/logs", "http://[::1]:4318/v1/logs",
	      "http://[::1]:4318/v1/metrics");
	check("http://host/a/v1/metrics", "http://host/a/v1/logs", "http://host/a/v1/metrics");
}
END_TEST

START_TEST(test_wrong_urls)
{
	static const char form[] = "expected a URL, such as http://127.0.0.1:4318";

	check_refused("", form);
	check_refused("127.0.0.1:4318", form);
	check_refused("ftp://host", form);
	check_refused("http://", form);
	check_refused("http://user:secret@host",
		      "a URL is no place for credentials: use a headers-file");
	check_refused("http://host/?a=b", "the URL has more than a path");
}
END_TEST

SUITE(10)
{
	tcase_add_test(tests, test_paths_of_signals);
	tcase_add_test(tests, test_wrong_urls);
}

#endif /* HAVE_CURL */

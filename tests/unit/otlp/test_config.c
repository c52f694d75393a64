// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* test_config.c: settings of the output, and messages about wrong ones; only with libcurl. */
#ifdef HAVE_CURL

#include <curl/curl.h>
#include <errno.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "otlp/config.h"
#include "support/machine/scratch.h"
#include "unit/output/setting_opts.h"
#include "unit/suite.h"

/* The URL, and one more setting. */
static int read_with(struct otlp_config *config, const char *name, const char *value)
{
	*config = (struct otlp_config){ 0 };
	return otlp_config__read(config,
				 setting_opts("otlp", "http://127.0.0.1:4318", name, value));
}

static void check_refused(const char *name, const char *value, const char *reason)
{
	struct otlp_config config;

	check_setting_refused(read_with(&config, name, value), reason);
	otlp_config__free(&config);
}

START_TEST(test_default_settings)
{
	struct otlp_config config;

	ck_assert_int_eq(read_with(&config, NULL, NULL), 0);
	ck_assert_uint_eq(config.timeout_ms, 10000);
	ck_assert_uint_eq(config.window, 2);
	ck_assert(config.is_compressed);
	ck_assert_str_eq(config.urls[OTLP_LOGS], "http://127.0.0.1:4318/v1/logs");
	ck_assert_uint_gt(config.resource.count, 0);
	otlp_config__free(&config);
}
END_TEST

START_TEST(test_headers_file)
{
	struct otlp_config config;
	struct curl_slist *last;

	close(scratch__file("headers", "X-Token: secret\n"));
	ck_assert_int_eq(chmod(scratch__path("headers"), 0600), 0);
	ck_assert_int_eq(read_with(&config, "headers-file", scratch__path("headers")), 0);
	for (last = config.headers; last->next; last = last->next)
		;
	ck_assert_str_eq(last->data, "X-Token: secret");
	otlp_config__free(&config);
	ck_assert_int_eq(chmod(scratch__path("headers"), 0644), 0);
	check_refused("headers-file", scratch__path("headers"), "other users");
}
END_TEST

START_TEST(test_wrong_settings)
{
	check_refused("compression", "zstd", "expected gzip or none");
	check_refused("window", "0", "from 1 to 64");
	check_refused("timeout", "1ms", "from 100");
	check_refused("ca-file", "/nowhere/ca", "cannot be read: No such file");
	check_refused("key-file", "/dev/null", "it needs a cert-file");
	check_refused("resource", "team", "NAME=VALUE");
	check_refused("insecure", "yes", "no such setting");
}
END_TEST

SUITE(10)
{
	tcase_add_checked_fixture(tests, scratch__make, scratch__remove);
	tcase_add_test(tests, test_default_settings);
	tcase_add_test(tests, test_headers_file);
	tcase_add_test(tests, test_wrong_settings);
}

#endif /* HAVE_CURL */

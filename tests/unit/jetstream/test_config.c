// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* test_config.c: settings of the output, and messages about wrong ones. */
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "jetstream/config.h"
#include "support/machine/scratch.h"
#include "unit/output/setting_opts.h"
#include "unit/suite.h"

/* The servers, and one more setting. */
static int read_with(struct jetstream_config *config, const char *name, const char *value)
{
	*config = (struct jetstream_config){ 0 };
	return jetstream_config__read(config,
				      setting_opts("jetstream", "nats://a,nats://b", name, value));
}

static void check_refused(const char *name, const char *value, const char *reason)
{
	struct jetstream_config config;

	check_setting_refused(read_with(&config, name, value), reason);
	jetstream_config__free(&config);
}

START_TEST(test_default_settings)
{
	struct jetstream_config config;

	ck_assert_int_eq(read_with(&config, NULL, NULL), 0);
	ck_assert_uint_eq(config.servers.count, 2);
	ck_assert_str_eq(config.stream, "PEAT");
	ck_assert_str_eq(config.subject, "peat.%h.%s");
	ck_assert_uint_eq(config.timeout_ms, 5000);
	ck_assert_uint_eq(config.window, 16);
	ck_assert_uint_eq(config.level, 1);
	ck_assert_uint_eq(config.replicas, 0);
	ck_assert_ptr_null(config.discard);
	jetstream_config__free(&config);
}
END_TEST

START_TEST(test_stream_settings)
{
	struct jetstream_config config;

	ck_assert_int_eq(read_with(&config, "max-age", "24h"), 0);
	ck_assert_uint_eq(config.max_age_ms, 86400000);
	jetstream_config__free(&config);
	ck_assert_int_eq(read_with(&config, "max-bytes", "100G"), 0);
	ck_assert_uint_eq(config.max_bytes, 100ULL << 30);
	jetstream_config__free(&config);
}
END_TEST

START_TEST(test_private_files)
{
	struct jetstream_config config;

	close(scratch__file("creds", "secret\n"));
	ck_assert_int_eq(chmod(scratch__path("creds"), 0600), 0);
	ck_assert_int_eq(read_with(&config, "credentials-file", scratch__path("creds")), 0);
	jetstream_config__free(&config);
	check_refused("key-file", scratch__path("creds"), "need each other");
	ck_assert_int_eq(chmod(scratch__path("creds"), 0644), 0);
	check_refused("credentials-file", scratch__path("creds"), "other users");
	check_refused("token-file", scratch__path("creds"), "other users");
}
END_TEST

START_TEST(test_wrong_settings)
{
	check_refused("stream", "a.b", "a stream's name");
	check_refused("stream", "", "a stream's name");
	check_refused("subject", "peat.*", "a subject has no blanks");
	check_refused("discard", "all", "expected new or old");
	check_refused("window", "257", "from 1 to 256");
	check_refused("replicas", "6", "from 1 to 5");
	check_refused("timeout", "1ms", "from 100");
	check_refused("ca-file", "/nowhere/ca", "cannot be read: No such file");
	check_refused("credentials-file", "/nowhere/creds", "cannot be opened: No such file");
	check_refused("cert-file", "/dev/null", "need each other");
	check_refused("user", "peat", "need each other");
	check_refused("password-file", "/dev/null", "need each other");
	check_refused("password", "secret", "no such setting");
}
END_TEST

SUITE(10)
{
	tcase_add_checked_fixture(tests, scratch__make, scratch__remove);
	tcase_add_test(tests, test_default_settings);
	tcase_add_test(tests, test_stream_settings);
	tcase_add_test(tests, test_private_files);
	tcase_add_test(tests, test_wrong_settings);
}

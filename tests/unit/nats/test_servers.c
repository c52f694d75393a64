// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* test_servers.c: lists of servers. */
#include <errno.h>
#include <string.h>

#include "nats/servers.h"
#include "unit/suite.h"

START_TEST(test_list_with_commas)
{
	struct servers servers = { 0 };
	const char *why = NULL;

	ck_assert_int_eq(
		servers__read(&servers, "nats://a, tls://b.example:4443 ,nats://[::1]:1", &why), 0);
	ck_assert_uint_eq(servers.count, 3);
	ck_assert_str_eq(servers.at[0].url, "nats://a");
	ck_assert_str_eq(servers.at[0].host, "a");
	ck_assert(!servers.at[0].is_tls);
	ck_assert_str_eq(servers.at[1].url, "tls://b.example:4443");
	ck_assert_str_eq(servers.at[1].host, "b.example");
	ck_assert(servers.at[1].is_tls);
	ck_assert_str_eq(servers.at[2].url, "nats://[::1]:1");
	ck_assert_str_eq(servers.at[2].host, "::1");
	servers__free(&servers);
}
END_TEST

static void check_refused(const char *text, const char *reason)
{
	struct servers servers = { 0 };
	const char *why = "";

	ck_assert_msg(servers__read(&servers, text, &why) == -EINVAL, "%s", text);
	ck_assert_msg(strstr(why, reason), "%s: %s", text, why);
	servers__free(&servers);
}

START_TEST(test_wrong_lists)
{
	static const char *const texts[] = {
		"",
		" ",
		",",
		"nats://a,",
		"a:4222",
		"http://a",
		"nats://",
		"nats://:4222",
		"nats://a:",
		"nats://a:0",
		"nats://a:x",
		"nats://a:65536",
		"nats://a:123456",
		"nats://a/b",
		"nats://a b",
		"nats://[::1",
		"nats://[::1]x",
		"nats:/a",
		"tls:/a",
	};
	char many[33 * 9 + 1] = "";

	for (size_t i = 0; i < sizeof(texts) / sizeof(*texts); i++)
		check_refused(texts[i], "expected nats://HOST:PORT");
	check_refused("nats://user:secret@a", "no place for credentials");
	check_refused("nats://a,tls://token@b:4222", "no place for credentials");
	for (unsigned i = 0; i < 33; i++)
		strcat(many, i ? ",nats://a" : "nats://a");
	check_refused(many, "more than 32");
}
END_TEST

SUITE(10)
{
	tcase_add_test(tests, test_list_with_commas);
	tcase_add_test(tests, test_wrong_lists);
}

// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* test_address.c: addresses to listen on. */
#include <arpa/inet.h>
#include <string.h>

#include "prometheus/address.h"
#include "unit/suite.h"

static struct address parse(const char *text)
{
	struct address address;
	const char *why = address__parse(text, &address);

	ck_assert_msg(!why, "%s: %s", text, why);
	return address;
}

static void check_ipv4(const char *text, const char *host, in_port_t port, bool is_public)
{
	struct address address = parse(text);
	char found[INET_ADDRSTRLEN];

	ck_assert_int_eq(address.any.sa_family, AF_INET);
	ck_assert_uint_eq(address.bytes, sizeof(struct sockaddr_in));
	inet_ntop(AF_INET, &address.ipv4.sin_addr, found, sizeof(found));
	ck_assert_str_eq(found, host);
	ck_assert_uint_eq(ntohs(address.ipv4.sin_port), port);
	ck_assert_int_eq(address__is_public(&address), is_public);
	ck_assert(!address__is_local(&address));
}

START_TEST(test_ipv4_addresses)
{
	check_ipv4("127.0.0.1:9464", "127.0.0.1", 9464, false);
	check_ipv4("127.8.0.1:1", "127.8.0.1", 1, false);
	check_ipv4("localhost:65535", "127.0.0.1", 65535, false);
	check_ipv4("0", "127.0.0.1", 0, false);
	check_ipv4("9464", "127.0.0.1", 9464, false);
	check_ipv4("0.0.0.0:9464", "0.0.0.0", 9464, true);
	check_ipv4("192.0.2.1:80", "192.0.2.1", 80, true);
}
END_TEST

static void check_ipv6(const char *text, const char *host, in_port_t port, bool is_public)
{
	struct address address = parse(text);
	char found[INET6_ADDRSTRLEN];

	ck_assert_int_eq(address.any.sa_family, AF_INET6);
	ck_assert_uint_eq(address.bytes, sizeof(struct sockaddr_in6));
	inet_ntop(AF_INET6, &address.ipv6.sin6_addr, found, sizeof(found));
	ck_assert_str_eq(found, host);
	ck_assert_uint_eq(ntohs(address.ipv6.sin6_port), port);
	ck_assert_int_eq(address__is_public(&address), is_public);
}

START_TEST(test_ipv6_addresses)
{
	check_ipv6("[::1]:9464", "::1", 9464, false);
	check_ipv6("[::]:1", "::", 1, true);
	check_ipv6("[2001:db8::1]:80", "2001:db8::1", 80, true);
	check_ipv6("[::ffff:127.0.0.1]:80", "::ffff:127.0.0.1", 80, false);
	check_ipv6("[::ffff:192.0.2.1]:80", "::ffff:192.0.2.1", 80, true);
}
END_TEST

START_TEST(test_unix_sockets)
{
	struct address address = parse("unix:/run/peat/metrics.sock");
	char longest[5 + 108] = "unix:/";

	ck_assert(address__is_local(&address));
	ck_assert(!address__is_public(&address));
	ck_assert_str_eq(address.local.sun_path, "/run/peat/metrics.sock");
	memset(longest + 6, 'a', 106);
	address = parse(longest);
	ck_assert_uint_eq(strlen(address.local.sun_path), 107);
}
END_TEST

START_TEST(test_refuses_other_texts)
{
	static const char *const texts[] = {
		"",
		":9464",
		"127.0.0.1",
		"127.0.0.1:",
		"127.0.0.1:65536",
		"::1:9464",
		"[::1]",
		"[::1]9464",
		"[::1:9464",
		"[]:80",
		"host:80",
		"unix:",
		"unix:a.sock",
		"127.0.0.1:9464 ",
		"+80",
		"127.0.0:80",
		"127.0.0.1:-1",
		"[::g]:1",
		"127.0.0.1:99999999999999999999",
		"1.2.3.4.5:1",
		"[127.0.0.1]:1",
	};
	char text[200] = "unix:/";
	struct address address;

	for (size_t i = 0; i < sizeof(texts) / sizeof(*texts); i++)
		ck_assert_msg(address__parse(texts[i], &address), "\"%s\" is accepted", texts[i]);
	memset(text + 6, 'a', 107);
	ck_assert_ptr_nonnull(strstr(address__parse(text, &address), "107 bytes"));
	memset(text, '1', 100);
	strcpy(text + 100, ":80");
	ck_assert_ptr_nonnull(address__parse(text, &address));
}
END_TEST

SUITE(10)
{
	tcase_add_test(tests, test_ipv4_addresses);
	tcase_add_test(tests, test_ipv6_addresses);
	tcase_add_test(tests, test_unix_sockets);
	tcase_add_test(tests, test_refuses_other_texts);
}

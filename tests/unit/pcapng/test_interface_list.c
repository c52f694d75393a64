// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* test_interface_list.c: interfaces of packets: names, link types, more than one type. */
#include <errno.h>
#include <net/if.h>
#include <string.h>

#include "pcapng/interface_list.h"
#include "pcapng/link_type.h"
#include "replay/recorded.h"
#include "unit/fail_alloc.h"
#include "unit/suite.h"

#define LINES "1 772 lo\n7 65534 wg\x1b\n9 280 can0\n"

static const unsigned char ip[20] = { 0x45, [3] = 20 };
static const struct peat_recorded recorded = { .interfaces = LINES,
					       .interfaces_bytes = sizeof(LINES) - 1 };
static const struct peat_event event = { .recorded = &recorded };
static struct interface_list list;

static const struct listed_interface *find(uint32_t ifindex, uint16_t link, uint32_t captured)
{
	const struct packet_view packet = {
		.data = ip, .captured = captured, .bytes = 20, .ifindex = ifindex, .link = link
	};
	int64_t number = interface_list__find(&list, &event, &packet);

	ck_assert_int_ge(number, 0);
	ck_assert_int_lt(number, list.count);
	return &list.at[number];
}

START_TEST(test_recorded_interfaces_are_found)
{
	ck_assert_str_eq(find(1, LINK_UNKNOWN, 20)->name, "lo");
	ck_assert_uint_eq(find(1, LINK_UNKNOWN, 20)->link, LINK_ETHERNET);
	ck_assert_str_eq(find(7, LINK_UNKNOWN, 20)->name, "wg\\x1b");
	ck_assert_uint_eq(find(7, LINK_UNKNOWN, 20)->link, LINK_RAW_IP);
	ck_assert_str_eq(find(2, LINK_UNKNOWN, 20)->name, "ifindex 2");
	ck_assert_uint_eq(list.count, 3);
	interface_list__free(&list);
}
END_TEST

/* The type of an unknown interface is guessed from each packet that has bytes. */
START_TEST(test_unknown_interfaces_are_guessed)
{
	ck_assert_uint_eq(find(9, LINK_UNKNOWN, 20)->link, LINK_RAW_IP);
	ck_assert_uint_eq(find(9, LINK_UNKNOWN, 0)->link, LINK_RAW_IP);
	ck_assert_uint_eq(find(9, LINK_UNKNOWN, 19)->link, LINK_ETHERNET);
	ck_assert_uint_eq(find(9, LINK_UNKNOWN, 20)->link, LINK_RAW_IP);
	ck_assert_uint_eq(list.count, 2);
	interface_list__free(&list);
}
END_TEST

START_TEST(test_stated_link_makes_interface)
{
	ck_assert_uint_eq(find(1, 228, 20)->link, 228);
	ck_assert_uint_eq(find(1, 229, 20)->link, 229);
	ck_assert_uint_eq(find(1, 228, 20)->link, 228);
	ck_assert_uint_eq(list.count, 2);
	interface_list__free(&list);
}
END_TEST

START_TEST(test_many_interfaces_are_kept)
{
	for (uint32_t i = 0; i < 100; i++)
		ck_assert_uint_eq(find(i, LINK_UNKNOWN, 20)->ifindex, i);
	ck_assert_uint_eq(list.count, 100);
	ck_assert_uint_eq(find(50, LINK_UNKNOWN, 20)->ifindex, 50);
	ck_assert_uint_eq(list.count, 100);
	interface_list__free(&list);
}
END_TEST

START_TEST(test_no_memory)
{
	const struct packet_view packet = { .ifindex = 1, .link = 1 };
	int64_t number;

	fail_alloc__begin(1);
	number = interface_list__find(&list, &event, &packet);
	if (fail_alloc__end())
		ck_assert_int_eq(number, -ENOMEM);
	interface_list__free(&list);
}
END_TEST

/* The interfaces of this machine. */
START_TEST(test_live_loopback_is_found)
{
	const struct peat_event live = { .recorded = NULL };
	const struct packet_view packet = { .ifindex = if_nametoindex("lo"), .link = LINK_UNKNOWN };

	if (!packet.ifindex)
		skip("no loopback interface here");
	ck_assert_int_eq(interface_list__find(&list, &live, &packet), 0);
	ck_assert_str_eq(list.at[0].name, "lo");
	ck_assert_uint_eq(list.at[0].link, LINK_ETHERNET);
	interface_list__free(&list);
}
END_TEST

SUITE(10)
{
	tcase_add_test(tests, test_recorded_interfaces_are_found);
	tcase_add_test(tests, test_unknown_interfaces_are_guessed);
	tcase_add_test(tests, test_stated_link_makes_interface);
	tcase_add_test(tests, test_many_interfaces_are_kept);
	tcase_add_test(tests, test_no_memory);
	tcase_add_test(tests, test_live_loopback_is_found);
}

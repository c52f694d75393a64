// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* test_link_type.c: link-layer types of interfaces and of packets. */
#include "pcapng/blocks.h"
#include "pcapng/link_type.h"
#include "unit/suite.h"

START_TEST(test_link_of_hardware)
{
	ck_assert_uint_eq(link_type__of_hardware(1), LINK_ETHERNET);
	ck_assert_uint_eq(link_type__of_hardware(772), LINK_ETHERNET); /* loopback */
	ck_assert_uint_eq(link_type__of_hardware(65534), LINK_RAW_IP); /* tun */
	ck_assert_uint_eq(link_type__of_hardware(512), LINK_RAW_IP);   /* PPP */
	ck_assert_uint_eq(link_type__of_hardware(803), LINK_RADIOTAP);
	ck_assert_uint_eq(link_type__of_hardware(280), LINK_UNKNOWN); /* CAN */
}
END_TEST

START_TEST(test_other_bytes_are_ethernet)
{
	static const unsigned char frame[60] = { [12] = 0x08, [14] = 0x45, [17] = 28 };

	ck_assert_uint_eq(link_type__of_packet(frame, 60, 60), LINK_ETHERNET);
	ck_assert_uint_eq(link_type__of_packet(NULL, 0, 60), LINK_ETHERNET);
}
END_TEST

START_TEST(test_ipv4_header_is_raw_ip)
{
	unsigned char packet[40] = { 0x45, 0, 0x12, 0x34 };

	ck_assert_uint_eq(link_type__of_packet(packet, 40, 0x1234), LINK_RAW_IP);
	ck_assert_uint_eq(link_type__of_packet(packet, 20, 0x1234), LINK_RAW_IP);
	ck_assert_uint_eq(link_type__of_packet(packet, 19, 0x1234), LINK_ETHERNET);
	ck_assert_uint_eq(link_type__of_packet(packet, 40, 0x1235), LINK_ETHERNET);
	packet[0] = 0x44; /* the header is too short */
	ck_assert_uint_eq(link_type__of_packet(packet, 40, 0x1234), LINK_ETHERNET);
}
END_TEST

START_TEST(test_ipv6_header_is_raw_ip)
{
	unsigned char packet[48] = { 0x60, 0, 0, 0, 0x01, 0x02 };

	ck_assert_uint_eq(link_type__of_packet(packet, 48, 0x102 + 40), LINK_RAW_IP);
	ck_assert_uint_eq(link_type__of_packet(packet, 39, 0x102 + 40), LINK_ETHERNET);
	ck_assert_uint_eq(link_type__of_packet(packet, 48, 0x102), LINK_ETHERNET);
}
END_TEST

SUITE(10)
{
	tcase_add_test(tests, test_link_of_hardware);
	tcase_add_test(tests, test_other_bytes_are_ethernet);
	tcase_add_test(tests, test_ipv4_header_is_raw_ip);
	tcase_add_test(tests, test_ipv6_header_is_raw_ip);
}

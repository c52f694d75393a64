// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* test_packets.c: packets have the fields of perfetto_trace.proto. */
#include "perfetto/packets.h"
#include "unit/perfetto/written_timeline.h"
#include "unit/suite.h"

START_TEST(test_event_has_bytes)
{
	struct packet_event event = packet_event__begin(&out, PACKET_INSTANT, 300, 5, 7);

	packet_event__end(&out, event);
	ck_assert_uint_eq(out.count, 17);
	ck_assert_mem_eq(out.bytes,
			 "\x0a\x0f"		     /* Trace.packet */
			 "\x50\x01\x68\x02"	     /* sequence 1, state needed */
			 "\x40\xac\x02"		     /* timestamp 300 */
			 "\x5a\x06"		     /* track_event */
			 "\x48\x03\x58\x05\x50\x07", /* instant, track 5, name 7 */
			 17);
	strbuf__free(&out);
	out = (struct strbuf){ 0 };
}
END_TEST

START_TEST(test_start_names_machine)
{
	struct protobuf_message names, clock;

	packet__start(&out, "7.2", "s390x");
	packet__clocks(&out, 1000, 5);
	packet__clocks(&out, 1000, 0);
	read_packets(2);
	ck_assert_uint_eq(packets[0].flags, PACKET_STATE_CLEARED);
	names = timeline_inner(packet_part(0, 45), 1, 0);
	ck_assert_str_eq(timeline_text(names, 1), "Linux");
	ck_assert_str_eq(timeline_text(names, 3), "7.2");
	ck_assert_str_eq(timeline_text(names, 4), "s390x");
	clock = timeline_inner(packet_part(1, 6), 1, 1);
	ck_assert_uint_eq(timeline_number(clock, 1), 1);
	ck_assert_uint_eq(timeline_number(clock, 2), 1005);
}
END_TEST

START_TEST(test_tracks_have_names)
{
	struct protobuf_message track;

	packet__process(&out, 1, 10, "nginx");
	packet__thread(&out, 2, 10, 11, "a\xff\"b");
	packet__track(&out, 3, 2, "overlapping");
	packet__thread(&out, 4, 10, 12, NULL);
	read_packets(4);
	track = packet_part(0, 60);
	ck_assert_uint_eq(timeline_number(track, 1), 1);
	ck_assert_uint_eq(timeline_number(timeline_inner(track, 3, 0), 1), 10);
	ck_assert_str_eq(timeline_text(timeline_inner(track, 3, 0), 6), "nginx");
	track = packet_part(1, 60);
	ck_assert_uint_eq(timeline_number(timeline_inner(track, 4, 0), 2), 11);
	ck_assert_str_eq(timeline_text(timeline_inner(track, 4, 0), 5), "a\xef\xbf\xbd\"b");
	track = packet_part(2, 60);
	ck_assert_uint_eq(timeline_number(track, 5), 2);
	ck_assert_str_eq(timeline_text(track, 2), "overlapping");
	ck_assert_str_eq(timeline_text(timeline_inner(packet_part(3, 60), 4, 0), 5), "");
}
END_TEST

START_TEST(test_switch_has_fields)
{
	const struct packet_switch written = { .time_ns = 9,
					       .cpu = 3,
					       .previous = 41,
					       .next = 42,
					       .previous_priority = -1,
					       .next_priority = 120,
					       .previous_state = 2,
					       .previous_comm = "a",
					       .next_comm = "b" };
	struct protobuf_message bundle, event, body;

	packet__switch(&out, &written);
	read_packets(1);
	bundle = packet_part(0, 1);
	ck_assert_uint_eq(timeline_number(bundle, 1), 3);
	event = timeline_inner(bundle, 2, 0);
	ck_assert_uint_eq(timeline_number(event, 1), 9);
	ck_assert_uint_eq(timeline_number(event, 2), 41);
	body = timeline_inner(event, 4, 0);
	ck_assert_str_eq(timeline_text(body, 1), "a");
	ck_assert_uint_eq(timeline_number(body, 2), 41);
	ck_assert_uint_eq(timeline_number(body, 3), (uint64_t)-1);
	ck_assert_uint_eq(timeline_number(body, 4), 2);
	ck_assert_str_eq(timeline_text(body, 5), "b");
	ck_assert_uint_eq(timeline_number(body, 6), 42);
	ck_assert_uint_eq(timeline_number(body, 7), 120);
}
END_TEST

START_TEST(test_waking_has_fields)
{
	const struct packet_waking written = {
		.time_ns = 9, .cpu = 3, .tid = 7, .woken = 42, .target_cpu = 1, .comm = "b"
	};
	struct protobuf_message event, body;

	packet__waking(&out, &written);
	read_packets(1);
	event = timeline_inner(packet_part(0, 1), 2, 0);
	ck_assert_uint_eq(timeline_number(event, 2), 7);
	body = timeline_inner(event, 20, 0);
	ck_assert_str_eq(timeline_text(body, 1), "b");
	ck_assert_uint_eq(timeline_number(body, 2), 42);
	ck_assert_uint_eq(timeline_number(body, 5), 1);
}
END_TEST

SUITE(10)
{
	tcase_add_test(tests, test_event_has_bytes);
	tcase_add_test(tests, test_start_names_machine);
	tcase_add_test(tests, test_tracks_have_names);
	tcase_add_test(tests, test_switch_has_fields);
	tcase_add_test(tests, test_waking_has_fields);
}

// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* test_profile_samples.c: stacks are samples, whose frames are defined once. */
#include <errno.h>

#include "perfetto/profile_samples.h"
#include "unit/fail_alloc.h"
#include "unit/perfetto/written_timeline.h"
#include "unit/suite.h"

#define USER_CONTEXT ((uint64_t)-512)

static struct profile_samples samples = { .sequence = 5, .name = "cycles" };

/* Writes a sample with this callchain, innermost frame first; none: with an address alone. */
static int write_sample(const uint64_t *addresses, uint32_t count)
{
	uint64_t chain[300] = { USER_CONTEXT };
	struct peat_record record = { .sz = sizeof(record), .type = PEAT_RECORD_SAMPLE };
	const struct peat_event event = { .kind = PEAT_EVENT_DATA,
					  .cpu = 2,
					  .time_ns = 77,
					  .pid = 10,
					  .tid = 11,
					  .record = &record };

	if (count)
		memcpy(chain + 1, addresses, count * sizeof(*addresses));
	record.has = PEAT_SAMPLE_IP | (count ? PEAT_SAMPLE_CALLCHAIN : 0);
	record.sample.ip = 0x77;
	record.sample.callchain.data = chain;
	record.sample.callchain.count = count + 1;
	return count ? profile_samples__append(&samples, &out, &event, NULL)
		     : profile_samples__append_address(&samples, &out, &event, NULL);
}

static uint64_t stack_of(size_t i)
{
	return timeline_number(packet_part(i, 66), 4);
}

START_TEST(test_stacks_are_defined_once)
{
	const uint64_t chain[] = { 0x30, 0x20, 0x10 };
	struct protobuf_message interned, sample, stack;

	ck_assert_int_eq(write_sample(chain, 3), 1);
	ck_assert_int_eq(write_sample(chain, 3), 1);
	ck_assert_int_eq(write_sample(chain + 1, 2), 1);
	read_packets(4);
	ck_assert_uint_eq(packets[0].flags, 1);
	ck_assert_uint_eq(packets[0].sequence, 5);
	interned = timeline_inner(timeline_inner(packet_part(0, 59), 12, 0), 1, 0);
	ck_assert_str_eq(timeline_text(interned, 10), "cycles");
	interned = packet_part(1, 12);
	ck_assert_str_eq(timeline_text(timeline_inner(interned, 5, 0), 2), "0x10");
	ck_assert_str_eq(timeline_text(timeline_inner(interned, 5, 2), 2), "0x30");
	ck_assert_str_eq(timeline_text(timeline_inner(interned, 17, 0), 2), "[unknown]");
	stack = timeline_inner(interned, 7, 0);
	ck_assert_uint_eq(timeline_number(stack, 2), 1); /* the outermost frame */
	sample = packet_part(1, 66);
	ck_assert_uint_eq(packets[1].time_ns, 77);
	ck_assert_uint_eq(timeline_number(sample, 1), 2);
	ck_assert_uint_eq(timeline_number(sample, 2), 10);
	ck_assert_uint_eq(timeline_number(sample, 3), 11);
	ck_assert_uint_eq(stack_of(2), stack_of(1));
	ck_assert(packet_part(2, 12).at == packet_part(2, 12).end);
	ck_assert_uint_ne(stack_of(3), stack_of(1));
	ck_assert_str_eq(timeline_text(timeline_inner(packet_part(3, 12), 5, 0), 2), "");
	profile_samples__free(&samples);
}
END_TEST

START_TEST(test_address_is_a_stack)
{
	ck_assert_int_eq(write_sample(NULL, 0), 1);
	read_packets(2);
	ck_assert_str_eq(timeline_text(timeline_inner(packet_part(1, 12), 5, 0), 2), "0x77");
	profile_samples__free(&samples);
}
END_TEST

START_TEST(test_event_without_stack)
{
	const struct peat_event event = { .kind = PEAT_EVENT_DATA };

	ck_assert_int_eq(profile_samples__append(&samples, &out, &event, NULL), 0);
	ck_assert_int_eq(profile_samples__append_address(&samples, &out, &event, NULL), 0);
	read_packets(0);
}
END_TEST

START_TEST(test_sequence_begins_anew)
{
	uint64_t chain[200];
	size_t begun = 0, written = 0;

	for (uint64_t i = 0; begun < 3; i++) {
		for (uint64_t k = 0; k < 200; k++)
			chain[k] = 1 + i * 200 + k;
		ck_assert_int_eq(write_sample(chain, 200), 1);
		written++;
		begun = samples.interned.counts[INTERNED_STACK] == 1 ? begun + 1 : begun;
		strbuf__cut(&out, 0);
		ck_assert_uint_le(interned__bytes(&samples.interned), SAMPLES_BYTES + (1 << 20));
	}
	ck_assert_uint_gt(written, 100);
	profile_samples__free(&samples);
}
END_TEST

START_TEST(test_no_memory)
{
	const uint64_t chain[] = { 0x30, 0x20, 0x10 };

	for (unsigned n = 1;; n++) {
		int err;

		fail_alloc__begin(n);
		err = write_sample(chain, 3);
		profile_samples__free(&samples);
		samples = (struct profile_samples){ .sequence = 5, .name = "cycles" };
		strbuf__free(&out);
		out = (struct strbuf){ 0 };
		if (!fail_alloc__end())
			break;
		ck_assert_int_eq(err, -ENOMEM);
	}
}
END_TEST

SUITE(20)
{
	tcase_add_test(tests, test_stacks_are_defined_once);
	tcase_add_test(tests, test_address_is_a_stack);
	tcase_add_test(tests, test_event_without_stack);
	tcase_add_test(tests, test_sequence_begins_anew);
	tcase_add_test(tests, test_no_memory);
}

// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* test_round.c: many rings as one stream: CPU numbers with holes, fair turns, rounds that end. */
#include <stdlib.h>
#include <string.h>

#include "fake_ring.h"
#include "harness.h"
#include "round.h"
#include "suites.h"

#define LIMIT	   201u /* CPUs 0 to 200, few of which have a ring */
#define RING_BYTES 4096u

static struct fake_ring fakes[LIMIT];
static struct ring rings[LIMIT];
static struct round rounds;

static void begin(const uint32_t *cpus, size_t count)
{
	memset(rings, 0, sizeof(rings));
	ck_assert_int_eq(round__init(&rounds, rings, LIMIT, NULL), 0);
	rounds.quantum = RING_BYTES / 8;
	for (size_t i = 0; i < count; i++) {
		struct fake_ring *fake = &fakes[cpus[i]];

		fake_ring__init(fake, RING_BYTES, 0);
		ring__init(&rings[cpus[i]], fake->page, fake->data, RING_BYTES);
		rings[cpus[i]].cpu = cpus[i];
	}
}

/* As live.c does it: the next record, of the next round if the last one is done. */
static const struct perf_event_header *next_record(uint32_t *cpu)
{
	struct piece piece;

	round__begin(&rounds, false);
	if (!round__next(&rounds, &piece))
		return NULL;
	*cpu = piece.cpu;
	return piece.record;
}

static void end(const uint32_t *cpus, size_t count)
{
	for (size_t i = 0; i < count; i++)
		fake_ring__free(&fakes[cpus[i]]);
	round__free(&rounds);
}

START_TEST(test_rings_are_keyed_by_cpu_number)
{
	static const uint32_t cpus[] = { 0, 3, 64, 200 };
	bool seen[LIMIT] = { false };
	const struct perf_event_header *record;
	uint32_t cpu;

	begin(cpus, 4);
	for (size_t i = 0; i < 4; i++)
		ck_assert(fake_ring__record(&fakes[cpus[i]], 64, cpus[i]));
	while ((record = next_record(&cpu))) {
		ck_assert(fake_ring__is(record, 64, cpu));
		ck_assert(!seen[cpu]);
		seen[cpu] = true;
	}
	for (size_t i = 0; i < 4; i++)
		ck_assert(seen[cpus[i]]);
	end(cpus, 4);
}
END_TEST

/* A full ring does not keep the others waiting, and its memory goes back while it is drained. */
START_TEST(test_turns_are_fair_and_release_early)
{
	static const uint32_t cpus[] = { 1, 2, 9 };
	unsigned before_the_others = 0, others = 0;
	uint32_t cpu;

	begin(cpus, 3);
	while (fake_ring__record(&fakes[1], 64, 0))
		;
	ck_assert(fake_ring__record(&fakes[2], 64, 0));
	ck_assert(fake_ring__record(&fakes[9], 64, 0));
	while (next_record(&cpu)) {
		others += cpu != 1;
		if (others < 2)
			before_the_others += cpu == 1;
		if (others == 2)
			ck_assert_uint_ge(fakes[1].page->data_tail, RING_BYTES / 8);
	}
	ck_assert_uint_le(before_the_others, RING_BYTES / 8 / 64);
	for (size_t i = 0; i < 3; i++)
		ck_assert_uint_eq(fakes[cpus[i]].page->data_tail, fakes[cpus[i]].page->data_head);
	end(cpus, 3);
}
END_TEST

/* Records of one CPU stay in order, whatever the turns. */
START_TEST(test_order_holds_in_each_ring)
{
	static const uint32_t cpus[] = { 0, 5 };
	unsigned written[2] = { 0, 0 }, seen[2] = { 0, 0 };

	begin(cpus, 2);
	for (int round = 0; round < 50; round++) {
		const struct perf_event_header *record;
		uint32_t cpu;

		while (fake_ring__record(&fakes[0], 48, written[0]))
			written[0]++;
		for (int i = 0; i < 7; i++)
			if (fake_ring__record(&fakes[5], 1000, written[1]))
				written[1]++;
		while ((record = next_record(&cpu))) {
			ck_assert(fake_ring__is(record, cpu ? 1000 : 48, seen[!!cpu]));
			seen[!!cpu]++;
		}
	}
	ck_assert_uint_eq(seen[0], written[0]);
	ck_assert_uint_eq(seen[1], written[1]);
	end(cpus, 2);
}
END_TEST

/* A producer as fast as the reader: the round ends all the same, and the next one goes on. */
START_TEST(test_round_ends_while_rings_fill)
{
	static const uint32_t cpus[] = { 4 };
	unsigned in_round = 0;
	uint32_t cpu;

	begin(cpus, 1);
	ck_assert(fake_ring__record(&fakes[4], 64, 0));
	while (next_record(&cpu)) {
		ck_assert(fake_ring__record(&fakes[4], 64, 0));
		ck_assert_uint_le(++in_round, 1);
	}
	ck_assert_uint_eq(in_round, 1);
	ck_assert_ptr_nonnull(next_record(&cpu));
	end(cpus, 1);
}
END_TEST

START_TEST(test_nonsense_of_one_ring_stops_no_other)
{
	static const uint32_t cpus[] = { 0, 1 };
	unsigned char nothing[64] = { 0 };
	unsigned seen = 0;
	uint32_t cpu;

	begin(cpus, 2);
	fake_ring__write(&fakes[0], nothing, sizeof(nothing));
	for (int i = 0; i < 20; i++)
		ck_assert(fake_ring__record(&fakes[1], 64, 0));
	while (next_record(&cpu)) {
		ck_assert_uint_eq(cpu, 1);
		seen++;
	}
	ck_assert_uint_eq(seen, 20);
	ck_assert_uint_eq(rings[0].corrupt, 1);
	end(cpus, 2);
}
END_TEST

Suite *round_suite(void)
{
	TCase *tests;
	Suite *suite = harness__suite("round", 10, &tests);

	tcase_add_test(tests, test_rings_are_keyed_by_cpu_number);
	tcase_add_test(tests, test_turns_are_fair_and_release_early);
	tcase_add_test(tests, test_order_holds_in_each_ring);
	tcase_add_test(tests, test_round_ends_while_rings_fill);
	tcase_add_test(tests, test_nonsense_of_one_ring_stops_no_other);
	return suite;
}

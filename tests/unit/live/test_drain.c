// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* test_drain.c: many rings as one stream: CPU numbers with holes, fair turns, drains that end. */
#include <stdlib.h>
#include <string.h>

#include "support/machine/fake_ring.h"
#include "support/machine/harness.h"
#include "unit/record/record_bytes.h"
#include "live/drain.h"
#include "unit/suite.h"

#define LIMIT	   201u /* CPUs 0 to 200, few of which have a ring */
#define RING_BYTES 4096u

static struct fake_ring fakes[LIMIT];
static struct ring rings[LIMIT];
static struct drain drained;

static void begin(const uint32_t *cpus, size_t count)
{
	static struct stage no_slots;

	memset(rings, 0, sizeof(rings));
	ck_assert_int_eq(drain__init(&drained, rings, LIMIT, &no_slots), 0);
	drained.quantum = RING_BYTES / 8;
	for (size_t i = 0; i < count; i++) {
		struct fake_ring *fake = &fakes[cpus[i]];

		fake_ring__init(fake, RING_BYTES, 0);
		ring__init(&rings[cpus[i]], fake->page, fake->data, RING_BYTES);
		rings[cpus[i]].cpu = cpus[i];
	}
}

/* The next record; begins the next drain if the last one is done, as live/inputs.c does. */
static const struct perf_event_header *next_record(uint32_t *cpu)
{
	struct piece piece;

	drain__begin(&drained, 0);
	if (!drain__next(&drained, &piece))
		return NULL;
	*cpu = piece.cpu;
	return piece.record;
}

static void end(const uint32_t *cpus, size_t count)
{
	for (size_t i = 0; i < count; i++)
		fake_ring__free(&fakes[cpus[i]]);
	drain__free(&drained);
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

/* A full ring does not delay the others, and its memory is released while it is drained. */
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

/* Records of one CPU stay in order, in whatever order the rings have their turns. */
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

/* A producer as fast as the reader: the drain ends nevertheless, and the next one continues. */
START_TEST(test_drain_ends_while_rings_fill)
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

START_TEST(test_invalid_bytes_stop_no_other_ring)
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

/* ---- rings and stage ------------------------------------------------------------------------- */

#define SLOT_BYTES 4096u

static struct stage stage;
static unsigned char *slots;

static void begin_staged(const uint32_t *cpus, size_t count, uint32_t stage_cpus)
{
	begin(cpus, count);
	slots = calloc(stage_cpus * PEAT_SLOTS, SLOT_BYTES);
	ck_assert_int_eq(stage__init(&stage, slots, stage_cpus * PEAT_SLOTS, SLOT_BYTES), 0);
	drain__free(&drained);
	ck_assert_int_eq(drain__init(&drained, rings, LIMIT, &stage), 0);
	drained.quantum = RING_BYTES / 8;
}

static void end_staged(const uint32_t *cpus, size_t count)
{
	stage__unmap(&stage);
	free(slots);
	end(cpus, count);
}

/* Fills the slot like a BPF program: `bytes` bytes of events, all of one value. */
static struct peat_slot *fill_slot(uint32_t index, uint32_t bytes, unsigned char value)
{
	struct peat_slot *slot = (void *)(slots + index * SLOT_BYTES);

	slot->len = bytes;
	slot->count = bytes / 16;
	slot->seq += slot->count;
	memset(slot->data, value, bytes);
	return slot;
}

/*
 * Staged events are returned, and the slot is emptied, after the records that its CPU's ring had
 * when the drain began.  Records that arrive later are not waited for: they are no frames of this
 * slot.
 */
START_TEST(test_staged_is_returned_after_its_ring)
{
	static const uint32_t cpus[] = { 0, 2 };
	struct piece piece;
	struct peat_slot *slot;

	begin_staged(cpus, 2, 4);
	for (unsigned i = 0; i < 3; i++)
		ck_assert(fake_ring__record(&fakes[2], 64, i));
	slot = fill_slot(2 * PEAT_SLOTS + 1, 320, 7);
	drain__begin(&drained, UINT64_MAX);
	for (unsigned i = 0; i < 3; i++) {
		ck_assert(drain__next(&drained, &piece));
		ck_assert(fake_ring__is(piece.record, 64, i));
		if (i == 2) /* written during the drain */
			ck_assert(fake_ring__record(&fakes[2], 64, 3));
	}
	ck_assert(drain__next(&drained, &piece));
	ck_assert_ptr_null(piece.record);
	ck_assert_uint_eq(piece.cpu, 2);
	ck_assert_uint_eq(piece.frame_bytes, PEAT_FRAME_HEAD_BYTES + 320);
	ck_assert_uint_eq((uintptr_t)piece.frame % 8, 4);
	ck_assert_uint_eq(((const unsigned char *)piece.frame)[PEAT_FRAME_HEAD_BYTES + 319], 7);
	ck_assert_uint_eq(slot->len | slot->count | slot->lock, 0);
	ck_assert(!drain__next(&drained, &piece));
	end_staged(cpus, 2);
}
END_TEST

/* Events staged a moment ago stay in the slot: their program is about to send them. */
START_TEST(test_new_events_stay)
{
	static const uint32_t cpus[] = { 0 };
	struct piece piece;

	begin_staged(cpus, 1, 1);
	fill_slot(0, 16, 1)->time_ns = 1000;
	fill_slot(1, 16, 2)->time_ns = 999;
	fill_slot(2, 16, 3); /* of a channel without timestamps */
	drain__begin(&drained, 1000);
	ck_assert(drain__next(&drained, &piece));
	ck_assert_uint_eq(((const unsigned char *)piece.frame)[PEAT_FRAME_HEAD_BYTES], 2);
	ck_assert(drain__next(&drained, &piece));
	ck_assert_uint_eq(((const unsigned char *)piece.frame)[PEAT_FRAME_HEAD_BYTES], 3);
	ck_assert(!drain__next(&drained, &piece));
	drain__begin(&drained, 1001);
	ck_assert(drain__next(&drained, &piece));
	ck_assert_uint_eq(((const unsigned char *)piece.frame)[PEAT_FRAME_HEAD_BYTES], 1);
	end_staged(cpus, 1);
}
END_TEST

/* Nested writers: a frame that the slot sent is in the ring, but not visible yet. */
START_TEST(test_staged_waits_for_frames_not_visible_yet)
{
	static const uint32_t cpus[] = { 0 };
	struct piece piece;
	struct peat_slot *slot;

	begin_staged(cpus, 1, 1);
	slot = fill_slot(1, 160, 1);
	slot->seq += 5; /* 5 events of a frame, then 10 staged */
	drain__begin(&drained, UINT64_MAX);
	ck_assert(!drain__next(&drained, &piece));
	ck_assert_uint_eq(slot->len, 160);
	ck_assert_uint_eq(slot->lock, 0);
	ck_assert_uint_gt(stage.states[1].not_next, 0);

	ck_assert(fake_ring__record(&fakes[0], 64, 0)); /* the frame becomes visible */
	drain__begin(&drained, UINT64_MAX);
	ck_assert(drain__next(&drained, &piece));
	ck_assert(fake_ring__is(piece.record, 64, 0));
	stage__add_consumed(&stage, 1, 0, 5);
	ck_assert(drain__next(&drained, &piece));
	ck_assert_ptr_null(piece.record);
	ck_assert_uint_eq(stage.states[1].not_next, 0);
	end_staged(cpus, 1);
}
END_TEST

/* The frame becomes visible while its slot is collected: the same drain returns both, in order. */
START_TEST(test_staged_follows_a_frame_in_the_same_round)
{
	static const uint32_t cpus[] = { 0 };
	struct piece piece;

	begin_staged(cpus, 1, 1);
	ck_assert(fake_ring__record(&fakes[0], 64, 0));
	fill_slot(2, 16, 1)->seq += 7;
	drain__begin(&drained, UINT64_MAX);
	ck_assert(drain__next(&drained, &piece));
	ck_assert(fake_ring__record(&fakes[0], 64, 1)); /* after the drain began */
	ck_assert(drain__next(&drained, &piece));
	ck_assert(fake_ring__is(piece.record, 64, 1));
	stage__add_consumed(&stage, 2, 0, 7);
	ck_assert(drain__next(&drained, &piece));
	ck_assert_ptr_null(piece.record);
	end_staged(cpus, 1);
}
END_TEST

static void pass_grace_period(void)
{
	stage__save_sent(&stage);
	stage__end_grace_period(&stage);
}

/* A frame sent before a grace period that is not visible after it never arrives. */
START_TEST(test_staged_skips_frames_that_never_arrive)
{
	static const uint32_t cpus[] = { 0 };
	struct piece piece;
	struct peat_slot *slot;

	begin_staged(cpus, 1, 1);
	slot = fill_slot(0, 16, 1);
	slot->seq += 5;
	pass_grace_period();
	slot->seq += 3; /* another frame, sent since: it may still arrive */
	drain__begin(&drained, UINT64_MAX);
	ck_assert(!drain__next(&drained, &piece));
	pass_grace_period();
	drain__begin(&drained, UINT64_MAX);
	ck_assert(drain__next(&drained, &piece));
	ck_assert_ptr_null(piece.record);
	stage__add_consumed(&stage, 0, 0, 1);
	ck_assert(!drain__next(&drained, &piece));
	fill_slot(0, 16, 2); /* later events are collected as usual */
	drain__begin(&drained, UINT64_MAX);
	ck_assert(drain__next(&drained, &piece));
	end_staged(cpus, 1);
}
END_TEST

/* The slots of a CPU without a ring, such as an offline one, are collected like all others. */
START_TEST(test_staged_of_every_slot_and_cpu)
{
	static const uint32_t cpus[] = { 1 };
	struct piece piece;
	unsigned frames = 0;

	begin_staged(cpus, 1, 6);
	for (uint32_t index = 0; index < 6 * PEAT_SLOTS; index++)
		fill_slot(index, 16 * (1 + index), (unsigned char)index);
	drain__begin(&drained, UINT64_MAX);
	for (; drain__next(&drained, &piece); frames++) {
		ck_assert_uint_eq(piece.cpu, frames / PEAT_SLOTS);
		ck_assert_uint_eq(piece.frame_bytes, PEAT_FRAME_HEAD_BYTES + 16 * (1 + frames));
	}
	ck_assert_uint_eq(frames, 6 * PEAT_SLOTS);
	end_staged(cpus, 1);
}
END_TEST

START_TEST(test_slot_in_use_is_left_alone)
{
	static const uint32_t cpus[] = { 0 };
	struct piece piece;
	struct peat_slot *slot;

	begin_staged(cpus, 1, 1);
	slot = fill_slot(0, 16, 1);
	slot->lock = 1;
	drain__begin(&drained, UINT64_MAX);
	ck_assert(!drain__next(&drained, &piece));
	ck_assert_uint_eq(slot->len, 16);
	ck_assert_uint_eq(slot->lock, 1);
	slot->lock = 0;
	drain__begin(&drained, 0); /* collects nothing */
	ck_assert(!drain__next(&drained, &piece));
	drain__begin(&drained, UINT64_MAX);
	ck_assert(drain__next(&drained, &piece));
	end_staged(cpus, 1);
}
END_TEST

/* If the length of a slot exceeds the slot, the frame is cut at the end of the slot. */
START_TEST(test_slot_with_invalid_length)
{
	static const uint32_t cpus[] = { 0 };
	struct piece piece;

	begin_staged(cpus, 1, 1);
	fill_slot(0, 16, 1)->len = 0xfffffff0;
	drain__begin(&drained, UINT64_MAX);
	ck_assert(drain__next(&drained, &piece));
	ck_assert_uint_eq(piece.frame_bytes,
			  PEAT_FRAME_HEAD_BYTES + SLOT_BYTES - PEAT_SLOT_HEAD_BYTES);
	end_staged(cpus, 1);
}
END_TEST

/* ---- names ----------------------------------------------------------------------------------- */

static const struct peat_layout side = {
	.sample_type = PEAT_SAMPLE_TID | PEAT_SAMPLE_TIME | PEAT_SAMPLE_CPU,
	.sample_id_all = true,
};

static struct tasks *tasks;

static void begin_followed(const uint32_t *cpus, size_t count)
{
	begin(cpus, count);
	tasks = tasks__new(1000);
	ck_assert_ptr_nonnull(tasks);
	ck_assert_int_eq(drain__follow(&drained, tasks, NULL, &side), 0);
}

static void end_followed(const uint32_t *cpus, size_t count)
{
	tasks__free(tasks);
	end(cpus, count);
}

static void put_ids(struct bytes *b, uint32_t tid, uint64_t time_ns)
{
	put_u32(b, tid);
	put_u32(b, tid);
	put_u64(b, time_ns);
	put_u64(b, 0); /* the CPU */
	end_record(b);
}

static struct bytes record;

static void write_comm(uint32_t cpu, uint32_t tid, uint64_t time_ns, const char *comm)
{
	put_header(&record, PEAT_RECORD_COMM, 0, false);
	put_u32(&record, tid);
	put_u32(&record, tid);
	put_string(&record, comm);
	put_ids(&record, tid, time_ns);
	fake_ring__write(&fakes[cpu], record.at, record.len);
}

static void write_task(uint32_t cpu, uint32_t type, uint32_t tid, uint32_t parent, uint64_t time_ns)
{
	put_header(&record, type, 0, false);
	put_u32(&record, tid);
	put_u32(&record, parent);
	put_u32(&record, tid);
	put_u32(&record, parent);
	put_u64(&record, time_ns);
	put_ids(&record, parent, time_ns);
	fake_ring__write(&fakes[cpu], record.at, record.len);
}

static void name_is(uint32_t tid, uint64_t time_ns, const char *name)
{
	const char *got;

	drain__apply_tasks(&drained, time_ns);
	got = tasks__name(tasks, tid, time_ns);
	ck_assert_msg(name ? got && !strcmp(got, name) : !got, "%u at %llu is %s, not %s", tid,
		      (unsigned long long)time_ns, got ? got : "NULL", name ? name : "NULL");
}

static uint64_t names_applied(void)
{
	return tasks__counts(tasks).names;
}

/* The names are in rings whose turn comes later, and reading ahead consumes no record. */
START_TEST(test_names_in_any_ring)
{
	static const uint32_t cpus[] = { 0, 3, 200 };
	uint32_t cpu;

	begin_followed(cpus, 3);
	ck_assert(fake_ring__record(&fakes[0], 64, 0));
	ck_assert(fake_ring__record(&fakes[200], 64, 1));
	write_comm(200, 7, 100, "seven");
	ck_assert(fake_ring__record(&fakes[200], 64, 2));
	write_comm(3, 7, 200, "other");
	ck_assert_ptr_nonnull(next_record(&cpu));
	ck_assert_uint_eq(cpu, 0);
	name_is(7, 99, NULL);
	name_is(7, 150, "seven");
	name_is(7, 250, "other");
	for (int i = 0; i < 4; i++)
		ck_assert_ptr_nonnull(next_record(&cpu));
	ck_assert_ptr_null(next_record(&cpu));
	ck_assert_uint_eq(names_applied(), 2);
	end_followed(cpus, 3);
}
END_TEST

/* A child has the name that its parent got before, in whichever of the two rings that record is. */
START_TEST(test_names_are_applied_in_the_order_of_time)
{
	static const uint32_t cpus[] = { 0, 1 };

	for (uint32_t first = 0; first < 2; first++) {
		begin_followed(cpus, 2);
		write_comm(first, 1, 10, "one");
		write_task(!first, PEAT_RECORD_FORK, 2, 1, 20);
		write_comm(first, 1, 30, "two");
		write_task(!first, PEAT_RECORD_FORK, 3, 1, 40);
		write_task(first, PEAT_RECORD_EXIT, 3, 1, 50);
		write_task(!first, PEAT_RECORD_FORK, 3, 2, 60);
		name_is(2, 20, "one");
		name_is(3, 40, "two");
		name_is(3, 60, "one");
		end_followed(cpus, 2);
	}
}
END_TEST

/* However often rings are read ahead, a record is applied only once. */
START_TEST(test_names_are_applied_once)
{
	static const uint32_t cpus[] = { 5, 6 };
	uint32_t cpu;

	begin_followed(cpus, 2);
	write_comm(5, 1, 10, "one");
	name_is(1, 10, "one");
	tasks__comm(tasks, 1, 10, "not this");
	ck_assert_ptr_nonnull(next_record(&cpu));
	ck_assert_ptr_null(next_record(&cpu));
	drained.tasks_applied_ns = 0;
	name_is(1, 10, "not this");
	ck_assert_uint_eq(names_applied(), 1);
	end_followed(cpus, 2);
}
END_TEST

/* A record that no event needed is applied before it is consumed, after all older ones. */
START_TEST(test_names_are_applied_before_consumed)
{
	static const uint32_t cpus[] = { 0, 1 };
	uint32_t cpu;

	begin_followed(cpus, 2);
	write_task(0, PEAT_RECORD_FORK, 2, 1, 20);
	write_comm(1, 1, 10, "one");
	while (next_record(&cpu))
		;
	for (int i = 0; i < 200; i++) { /* overwritten */
		ck_assert(fake_ring__record(&fakes[0], 64, 0));
		ck_assert(fake_ring__record(&fakes[1], 64, 0));
		while (next_record(&cpu))
			;
	}
	drained.tasks_applied_ns = UINT64_MAX;
	name_is(2, 30, "one");
	end_followed(cpus, 2);
}
END_TEST

/* Records newer than the call itself wait: an older one may not have been seen. */
START_TEST(test_names_of_the_future_wait)
{
	static const uint32_t cpus[] = { 0 };
	uint32_t cpu;

	begin_followed(cpus, 1);
	write_comm(0, 1, 10, "one");
	write_comm(0, 1, UINT64_MAX / 2, "future");
	write_comm(0, 1, 20, "after it");
	name_is(1, 30, "one");
	ck_assert_uint_eq(names_applied(), 1);
	while (next_record(&cpu))
		;
	name_is(1, 30, "after it"); /* the future record was consumed */
	end_followed(cpus, 1);
}
END_TEST

/* Invalid bytes in one ring, and invalid task records: all other names are still applied. */
START_TEST(test_names_despite_invalid_bytes)
{
	static const uint32_t cpus[] = { 0, 1 };
	unsigned char nothing[64] = { 0 };
	uint32_t cpu;

	begin_followed(cpus, 2);
	write_comm(0, 1, 10, "one");
	put_header(&record, PEAT_RECORD_FORK, 0, false); /* too short */
	put_u64(&record, 0);
	end_record(&record);
	fake_ring__write(&fakes[0], record.at, record.len);
	put_header(&record, PEAT_RECORD_COMM, 0, false); /* too long */
	put_words(&record, 0, 100);
	end_record(&record);
	fake_ring__write(&fakes[0], record.at, record.len);
	put_header(&record, PEAT_RECORD_COMM, 0, false); /* a name without an end */
	put_words(&record, 0x0101010101010101, 7);
	end_record(&record);
	fake_ring__write(&fakes[0], record.at, record.len);
	write_comm(0, 2, 20, "two");
	fake_ring__write(&fakes[0], nothing, sizeof(nothing));
	write_comm(0, 3, 30, "unseen");
	write_comm(1, 4, 40, "four");
	name_is(1, 10, "one");
	name_is(2, 20, "two");
	name_is(3, 30, NULL);
	name_is(4, 40, "four");
	while (next_record(&cpu))
		;
	write_comm(0, 5, 50, "five");
	name_is(5, UINT64_MAX, "five");
	ck_assert_uint_eq(names_applied(), 4);
	end_followed(cpus, 2);
}
END_TEST

/* At every offset of the ring. */
START_TEST(test_names_wrap)
{
	static const uint32_t cpus[] = { 0 };
	uint32_t cpu;

	for (uint64_t offset = 0; offset < RING_BYTES; offset += 8) {
		begin_followed(cpus, 1);
		fakes[0].page->data_head = fakes[0].page->data_tail = offset;
		ring__init(&rings[0], fakes[0].page, fakes[0].data, RING_BYTES);
		write_comm(0, 1, 10, "fifteen letters");
		name_is(1, 10, "fifteen letters");
		ck_assert_ptr_nonnull(next_record(&cpu));
		end_followed(cpus, 1);
	}
}
END_TEST

/* ---- cgroups --------------------------------------------------------------------------------- */

static void write_cgroup(uint32_t cpu, uint64_t id, uint64_t time_ns, const char *path)
{
	put_header(&record, PEAT_RECORD_CGROUP, 0, false);
	put_u64(&record, id);
	put_string(&record, path);
	put_ids(&record, 1, time_ns);
	fake_ring__write(&fakes[cpu], record.at, record.len);
}

/* With names or without. */
START_TEST(test_cgroups_in_any_ring)
{
	static const uint32_t cpus[] = { 0, 3 };
	struct identities identities;
	char path[1200] = "/";
	uint32_t cpu;

	identities__init(&identities, 10);
	begin(cpus, 2);
	tasks = _i ? tasks__new(10) : NULL;
	ck_assert_int_eq(drain__follow(&drained, tasks, &identities, &side), 0);
	memset(path + 1, 'a', 1000);
	strcpy(path + 1001, "/b.service");
	write_comm(0, 1, 5, "one");
	write_cgroup(3, 7, 10, "/lxc/seven");
	write_cgroup(0, 8, 20, path);
	write_cgroup(0, 9, UINT64_MAX / 2, "/lxc/future");
	drain__apply_tasks(&drained, 30);
	ck_assert_str_eq(identities__find(&identities, 7)->container, "seven");
	ck_assert_str_eq(identities__find(&identities, 8)->unit, "b.service");
	ck_assert_ptr_null(identities__find(&identities, 9));
	while (next_record(&cpu))
		;
	write_cgroup(0, 10, 40, "/lxc/ten");
	ck_assert_ptr_nonnull(next_record(&cpu)); /* applies it */
	ck_assert_str_eq(identities__find(&identities, 10)->container, "ten");
	ck_assert(!tasks || names_applied() == 1);
	end_followed(cpus, 2);
	identities__free(&identities);
}
END_TEST

START_TEST(test_cgroups_are_not_followed)
{
	static const uint32_t cpus[] = { 0 };

	begin_followed(cpus, 1);
	write_cgroup(0, 7, 10, "/lxc/seven");
	write_comm(0, 1, 20, "one");
	name_is(1, 20, "one");
	end_followed(cpus, 1);
}
END_TEST

SUITE(10)
{
	tcase_add_loop_test(tests, test_cgroups_in_any_ring, 0, 2);
	tcase_add_test(tests, test_cgroups_are_not_followed);
	tcase_add_test(tests, test_rings_are_keyed_by_cpu_number);
	tcase_add_test(tests, test_turns_are_fair_and_release_early);
	tcase_add_test(tests, test_order_holds_in_each_ring);
	tcase_add_test(tests, test_drain_ends_while_rings_fill);
	tcase_add_test(tests, test_invalid_bytes_stop_no_other_ring);
	tcase_add_test(tests, test_staged_is_returned_after_its_ring);
	tcase_add_test(tests, test_new_events_stay);
	tcase_add_test(tests, test_staged_waits_for_frames_not_visible_yet);
	tcase_add_test(tests, test_staged_follows_a_frame_in_the_same_round);
	tcase_add_test(tests, test_staged_skips_frames_that_never_arrive);
	tcase_add_test(tests, test_staged_of_every_slot_and_cpu);
	tcase_add_test(tests, test_slot_in_use_is_left_alone);
	tcase_add_test(tests, test_slot_with_invalid_length);
	tcase_add_test(tests, test_names_in_any_ring);
	tcase_add_test(tests, test_names_are_applied_in_the_order_of_time);
	tcase_add_test(tests, test_names_are_applied_once);
	tcase_add_test(tests, test_names_are_applied_before_consumed);
	tcase_add_test(tests, test_names_of_the_future_wait);
	tcase_add_test(tests, test_names_despite_invalid_bytes);
	tcase_add_test(tests, test_names_wrap);
}

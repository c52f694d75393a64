/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * live_maker.h: an intake over rings and a stage in plain memory, and functions that write to them
 * as the kernel and programs do.
 */
#ifndef TESTS_UNIT_LIVE_LIVE_MAKER_H
#define TESTS_UNIT_LIVE_LIVE_MAKER_H

#include <stdlib.h>
#include <string.h>

#include "live/input.h"
#include "support/machine/fake_ring.h"
#include "unit/record/record_bytes.h"
#include "unit/suite.h"

#define MADE_CPUS	2u
#define MADE_RING_BYTES 16384u
#define MADE_SLOT_BYTES 4096u
#define MADE_SLOTS	(MADE_CPUS * PEAT_SLOTS)

static uint32_t made_ring_bytes = MADE_RING_BYTES; /* of the rings made next: a power of 2 */
static struct fake_ring made_fakes[MADE_CPUS];
static struct ring made_rings[MADE_CPUS];
static struct ring_event made_events[MADE_CPUS][2]; /* never opened */
static struct peat_channel made_channel;
static struct inputs made_inputs;
static struct accounts made_accounts;
static struct peat_reader made_reader;
static struct intake made_intake;
static unsigned char *made_stage;

static inline struct peat_slot *made_slot(uint32_t index)
{
	return (void *)(made_stage + index * MADE_SLOT_BYTES);
}

static inline void make_rings(uint32_t outputs, bool has_ids, uint32_t kinds)
{
	struct inputs *inputs = &made_inputs;

	made_inputs = (struct inputs){ 0 };
	made_accounts = (struct accounts){ 0 };
	made_reader = (struct peat_reader){ 0 };
	made_intake = (struct intake){ .reader = &made_reader,
				       .inputs = &made_inputs,
				       .accounts = &made_accounts };
	memset(made_rings, 0, sizeof(made_rings));
	for (uint32_t cpu = 0; cpu < MADE_CPUS; cpu++) {
		struct ring *ring = &made_rings[cpu];

		fake_ring__init(&made_fakes[cpu], made_ring_bytes, 0);
		ring__clear(ring);
		ring__init(ring, made_fakes[cpu].page, made_fakes[cpu].data, made_ring_bytes);
		ring->cpu = cpu;
		made_events[cpu][0] = made_events[cpu][1] = (struct ring_event){ .fd = -1 };
		ring->events = made_events[cpu];
		ring->event_count = 2;
	}
	inputs->rings.by_cpu = made_rings;
	inputs->rings.limit = inputs->rings.count = MADE_CPUS;
	inputs->rings.ring_bytes = made_ring_bytes;
	inputs->hotplug.fd = inputs->timer_fd = inputs->interrupt_fd = inputs->epoll_fd = -1;
	inputs->tick_ms = 100;
	perf_events__init(&inputs->rings.events, outputs, has_ids, kinds);
}

/* A reader of raw maps. */
static inline void make_raw(uint32_t outputs, bool has_ids, uint32_t kinds)
{
	make_rings(outputs, has_ids, kinds);
	ck_assert_int_eq(intake__open(&made_intake, kinds), 0);
	ck_assert_int_eq(drain__init(&made_inputs.drain, made_rings, MADE_CPUS, &made_inputs.stage),
			 0);
	made_inputs.drain.quantum = made_ring_bytes / 8;
}

/*
 * Makes the slots of a channel.  Their contents when make_channel() is called precede the reader.
 */
static inline void make_slots(void)
{
	made_stage = calloc(MADE_SLOTS, MADE_SLOT_BYTES);
	ck_assert_ptr_nonnull(made_stage);
}

/* A reader of a channel. */
static inline void make_channel(uint32_t kinds)
{
	struct inputs *inputs = &made_inputs;

	make_rings(1, false, kinds);
	if (!made_stage)
		make_slots();
	made_channel = (struct peat_channel){ .cpus = MADE_CPUS };
	inputs->channel = &made_channel;
	inputs->channel_functions = &channel_functions;
	ck_assert_int_eq(intake__open(&made_intake, kinds), 0);
	ck_assert_int_eq(stage__init(&inputs->stage, made_stage, MADE_SLOTS, MADE_SLOT_BYTES), 0);
	ck_assert_int_eq(drain__init(&inputs->drain, made_rings, MADE_CPUS, &inputs->stage), 0);
	inputs->drain.quantum = made_ring_bytes / 8;
	ck_assert_int_eq(account__open(&made_accounts, inputs), 0);
}

static inline void free_made(void)
{
	struct inputs *inputs = &made_inputs;

	intake__close(&made_intake);
	drain__free(&inputs->drain);
	if (inputs->channel) {
		account__close(&made_accounts);
		stage__unmap(&inputs->stage);
	}
	free(made_stage);
	made_stage = NULL;
	for (uint32_t cpu = 0; cpu < MADE_CPUS; cpu++)
		fake_ring__free(&made_fakes[cpu]);
}

/* Writes a finished record to the ring of the CPU. */
static inline void write_record(uint32_t cpu, struct bytes *b)
{
	end_record(b);
	fake_ring__write(&made_fakes[cpu], b->at, b->len);
}

/* Writes a SAMPLE with this payload of 8 n + 4 bytes; time 0: without ids. */
static inline void write_sample(uint32_t cpu, uint64_t time_ns, const void *payload, size_t bytes)
{
	struct bytes b;

	put_header(&b, PEAT_RECORD_SAMPLE, 0, false);
	if (time_ns) {
		put_u32(&b, 100 + cpu);
		put_u32(&b, 200 + cpu);
		put_u64(&b, time_ns);
	}
	put_u32(&b, (uint32_t)bytes);
	put_data(&b, payload, bytes);
	write_record(cpu, &b);
}

/* An EXIT record of the kernel's own, with the trailer of the side event. */
static inline void write_exit(uint32_t cpu, uint64_t time_ns)
{
	struct bytes b;

	put_header(&b, PEAT_RECORD_EXIT, 0, false);
	for (uint32_t i = 11; i < 15; i++)
		put_u32(&b, i);
	put_u64(&b, time_ns);
	put_u32(&b, 31);
	put_u32(&b, 32);
	put_u64(&b, time_ns);
	put_u32(&b, cpu);
	put_u32(&b, 0);
	write_record(cpu, &b);
}

/*
 * Makes a frame of `count` events of 8 bytes, whose data are their sequence numbers; event i is i
 * ns after time_ns.
 */
static inline size_t make_frame(void *at, uint8_t slot, uint64_t seq, uint16_t count,
				uint64_t time_ns)
{
	struct peat_frame_head head = { PEAT_WIRE_VERSION, slot, count, time_ns, seq };
	unsigned char *to = (unsigned char *)at + sizeof(head);

	memcpy(at, &head, sizeof(head));
	for (uint16_t i = 0; i < count; i++, to += 16) {
		struct peat_event_head event = { .size = 8, .type = 1, .delta_ns = i };
		uint64_t number = seq + i;

		memcpy(to, &event, sizeof(event));
		memcpy(to + 8, &number, sizeof(number));
	}
	return (size_t)(to - (unsigned char *)at);
}

/* Writes such a frame to a ring, without changing the slot. */
static inline void write_frame(uint32_t cpu, uint8_t slot, uint64_t seq, uint16_t count,
			       uint64_t time_ns)
{
	uint32_t room[1024];

	write_sample(cpu, 0, room, make_frame(room, slot, seq, count, time_ns));
}

#endif /* TESTS_UNIT_LIVE_LIVE_MAKER_H */

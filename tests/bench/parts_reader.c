// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * parts_reader.c: events handed out of rings that are faked in memory.
 *
 * It is all of a live reader but for the kernel's side: what peat_reader__next() does, over an
 * intake that was put together here.  Its timer and its socket for CPUs that come and go are real
 * ones.
 */
#include <stdio.h>
#include <stdlib.h>
#include <sys/timerfd.h>
#include <unistd.h>

#include "ring/sizing.h"
#include "fake_ring.h"
#include "schema/fields.h"
#include "live/intake.h"
#include "parts_all.h"
#include "parts_frames.h"

#define SLOT_BYTES	8192 /* peat_channel_opts' default */
#define ALL_RINGS_BYTES (64u << 20)

struct faked {
	uint32_t count; /* of rings */
	struct fake_ring *fakes;
	uint64_t *filled; /* of each */
	struct ring *rings;
	struct peat_channel channel;
	struct peat_schema schema;
	unsigned char *slots;
	struct intake in;
	uint64_t sum, delivered;
};

/* ---- setting up ------------------------------------------------------------------------------ */

static void *need(void *memory)
{
	if (!memory)
		parts__give_up("no memory");
	return memory;
}

/* 1 MiB, as by default, or what is less. */
static uint64_t ring_bytes(uint32_t count)
{
	uint64_t bytes = (uint64_t)count << 20;

	if (bytes > ALL_RINGS_BYTES)
		bytes = ALL_RINGS_BYTES;
	return budget__ring_bytes(bytes, count, (uint64_t)sysconf(_SC_PAGESIZE));
}

static void open_live(struct faked *faked)
{
	struct live *live = &faked->in.live;

	live->channel = &faked->channel;
	live->timer_fd = timerfd_create(CLOCK_MONOTONIC, TFD_CLOEXEC | TFD_NONBLOCK);
	live->tick_ms = budget__tick_ms(100);
	live->young_ns = budget__young_ns(100);
	live->rings.of = faked->rings;
	live->rings.limit = live->rings.count = faked->count;
	events__init(&live->rings.events, 1, false, 0);
	if (live->timer_fd < 0 || hotplug__open(&live->hotplug) ||
	    stage__init(&live->stage, faked->slots, faked->count * PEAT_SLOTS, SLOT_BYTES) ||
	    round__init(&live->round, faked->rings, faked->count, &live->stage) ||
	    account__open(&faked->in.accounts, live))
		parts__give_up("a reader cannot be put together: %m");
	live->round.quantum = ring_bytes(faked->count) / 8;
}

static void open_faked(struct faked *faked, uint32_t count)
{
	*faked = (struct faked){ .count = count, .channel.cpus = count };
	faked->fakes = need(calloc(count, sizeof(*faked->fakes)));
	faked->filled = need(calloc(count, sizeof(*faked->filled)));
	faked->rings = need(calloc(count, sizeof(*faked->rings)));
	faked->slots = need(calloc(count, PEAT_SLOTS * SLOT_BYTES));
	for (uint32_t cpu = 0; cpu < count; cpu++) {
		fake_ring__init(&faked->fakes[cpu], ring_bytes(count), 0);
		ring__init(&faked->rings[cpu], faked->fakes[cpu].page, faked->fakes[cpu].data,
			   ring_bytes(count));
		faked->rings[cpu].cpu = cpu;
	}
	open_live(faked);
	/* Of an object that is bound: else each event would be asked for anew. */
	faked->in.last_schema = &faked->schema;
	faked->in.last_type = PARTS_TYPE;
	faked->in.counts_frames = true;
}

static void close_faked(struct faked *faked)
{
	account__close(&faked->in.accounts);
	round__free(&faked->in.live.round);
	stage__unmap(&faked->in.live.stage);
	hotplug__close(&faked->in.live.hotplug);
	close(faked->in.live.timer_fd);
	for (uint32_t cpu = 0; cpu < faked->count; cpu++)
		fake_ring__free(&faked->fakes[cpu]);
	free(faked->slots);
	free(faked->rings);
	free(faked->filled);
	free(faked->fakes);
}

/* ---- what is in the rings -------------------------------------------------------------------- */

/* A PERF_RECORD_SAMPLE; the kernel pads so that the next one lies at a multiple of 8. */
static void write_sample(struct fake_ring *fake, const void *raw, size_t bytes)
{
	size_t padding = -(sizeof(struct perf_event_header) + 4 + bytes) % 8;
	struct perf_event_header header = { .type = PERF_RECORD_SAMPLE };
	uint32_t raw_bytes = (uint32_t)(bytes + padding);

	header.size = (uint16_t)(sizeof(header) + 4 + raw_bytes);
	fake_ring__write(fake, &header, sizeof(header));
	fake_ring__write(fake, &raw_bytes, 4);
	fake_ring__write(fake, raw, bytes);
	fake_ring__write(fake, "\0\0\0\0\0\0\0", padding);
}

enum content { FRAMES, FRAMES_WITH_IDS, EVENTS };

static void fill_with_frames(struct faked *faked, bool has_ids)
{
	unsigned char frame[PARTS_FRAME_BYTES];

	for (uint32_t cpu = 0; cpu < faked->count; cpu++) {
		struct fake_ring *fake = &faked->fakes[cpu];

		fake->page->data_head = 0;
		for (uint64_t i = 0; fake->page->data_head < fake->ring_bytes / 4; i++)
			write_sample(fake, frame, parts_frames__make(frame, has_ids, i));
		faked->filled[cpu] = fake->page->data_head;
	}
}

/* As bpf_perf_event_output() has them. */
static void fill_with_events(struct faked *faked)
{
	uint64_t event[2] = { 1, 1 };

	for (uint32_t cpu = 0; cpu < faked->count; cpu++) {
		struct fake_ring *fake = &faked->fakes[cpu];

		fake->page->data_head = 0;
		while (fake->page->data_head < fake->ring_bytes / 4)
			write_sample(fake, event, sizeof(event));
		faked->filled[cpu] = fake->page->data_head;
	}
}

/* The kernel writes all of it, again. */
static void refill(void *of)
{
	struct faked *faked = of;

	for (uint32_t cpu = 0; cpu < faked->count; cpu++) {
		struct fake_ring *fake = &faked->fakes[cpu];

		fake->page->data_tail = 0;
		fake->page->data_head = faked->filled[cpu];
		ring__init(&faked->rings[cpu], fake->page, fake->data, fake->ring_bytes);
		faked->rings[cpu].cpu = cpu;
		faked->in.accounts.streams[cpu * PEAT_SLOTS].begun = false;
	}
}

/* ---- readers --------------------------------------------------------------------------------- */

/* peat_reader__next(), of a channel whose events are neither held nor named. */
static __attribute__((noinline)) int next(struct faked *faked, const struct peat_event **event)
{
	if (intake__step(&faked->in) > 0) {
		*event = &faked->in.framed;
		faked->in.stats.event_bytes += (*event)->size;
		return 1;
	}
	*event = &faked->in.event;
	return intake__next(&faked->in);
}

static uint64_t read_round(void *of)
{
	struct faked *faked = of;
	const struct peat_event *event;
	uint64_t count = 0;

	while (next(faked, &event)) {
		faked->sum += *(const uint64_t *)event->data;
		count++;
	}
	return count;
}

static uint64_t read_nothing(void *of)
{
	return 1 + read_round(of);
}

/* All slots of the stage are looked at as well. */
static uint64_t read_nothing_at_tick(void *of)
{
	struct faked *faked = of;

	faked->in.live.collect = true;
	return read_nothing(of);
}

static void on_sample(struct faked *faked, const struct perf_event_header *header)
{
	faked->delivered++;
	faked->sum += *(const uint32_t *)((const unsigned char *)(header + 1) + 4);
}

/* What libbpf 1.1 does with a ring, by perf_buffer__consume(): a callback for each record. */
static __attribute__((noinline)) void consume(struct faked *faked, struct fake_ring *fake,
					      void (*fn)(struct faked *,
							 const struct perf_event_header *))
{
	uint64_t head = __atomic_load_n(&fake->page->data_head, __ATOMIC_ACQUIRE);
	uint64_t tail = fake->page->data_tail;

	while (tail != head) {
		const struct perf_event_header *header =
			(const void *)(fake->data + (tail & (fake->ring_bytes - 1)));

		fn(faked, header);
		tail += header->size;
	}
	__atomic_store_n(&fake->page->data_tail, tail, __ATOMIC_RELEASE);
}

static uint64_t consume_all(void *of)
{
	struct faked *faked = of;
	void (*volatile fn)(struct faked *, const struct perf_event_header *) = on_sample;

	faked->delivered = 0;
	for (uint32_t cpu = 0; cpu < faked->count; cpu++)
		consume(faked, &faked->fakes[cpu], fn);
	return faked->delivered;
}

static uint64_t consume_nothing(void *of)
{
	consume_all(of);
	return 1;
}

/* ---------------------------------------------------------------------------------------------- */

static void measure_events(struct bench_table *table, const char *workload,
			   struct faked faked[EVENTS + 1])
{
	const struct part parts[] = {
		{ "peat", "frames", "event", "ns", refill, read_round, &faked[FRAMES] },
		{ "peat", "frames, with ids", "event", "ns", refill, read_round,
		  &faked[FRAMES_WITH_IDS] },
		{ "perf_buffer", "its loop, an event a record", "event", "ns", refill, consume_all,
		  &faked[EVENTS] },
	};

	fill_with_frames(&faked[FRAMES], false);
	fill_with_frames(&faked[FRAMES_WITH_IDS], true);
	fill_with_events(&faked[EVENTS]);
	parts__measure(table, workload, parts, sizeof(parts) / sizeof(*parts));
}

static void measure_nothing(struct bench_table *table, const char *workload, struct faked *faked)
{
	const struct part parts[] = {
		{ "peat", "all empty, woken", "round", "ns", NULL, read_nothing, faked },
		{ "peat", "all empty, at a tick", "round", "ns", NULL, read_nothing_at_tick,
		  faked },
		{ "perf_buffer", "its loop, all empty", "round", "ns", NULL, consume_nothing,
		  faked },
	};

	parts__measure(table, workload, parts, sizeof(parts) / sizeof(*parts));
}

static void measure_rings(struct bench_table *table, uint32_t count)
{
	static struct faked faked[EVENTS + 1];
	char workload[32];

	for (int i = 0; i <= EVENTS; i++)
		open_faked(&faked[i], count);
	snprintf(workload, sizeof(workload), "%u ring%s", count, count > 1 ? "s" : "");
	measure_events(table, workload, faked);
	measure_nothing(table, workload, &faked[FRAMES]);
	for (int i = 0; i <= EVENTS; i++)
		close_faked(&faked[i]);
}

void parts__reader(struct bench_table *table)
{
	static const uint32_t counts[] = { 1, 4, 64, 512 };

	for (size_t i = 0; i < sizeof(counts) / sizeof(*counts); i++)
		measure_rings(table, counts[i]);
}

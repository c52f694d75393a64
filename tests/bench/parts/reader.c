// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * reader.c: events read from fake rings in memory.
 *
 * Measures peat_reader__next() without the kernel: over a source that is assembled here.  Its
 * timer and its hotplug socket are real.
 */
#include <stdio.h>
#include <stdlib.h>
#include <sys/timerfd.h>
#include <unistd.h>

#include "ring/sizing.h"
#include "support/machine/fake_ring.h"
#include "field/fields.h"
#include "live/input.h"
#include "parts.h"
#include "frames.h"

#define SLOT_BYTES	8192 /* peat_channel_opts' default */
#define ALL_RINGS_BYTES (64u << 20)

struct faked {
	uint32_t count; /* of rings */
	struct fake_ring *fakes;
	uint64_t *filled; /* bytes, of each */
	struct ring *rings;
	struct peat_channel channel;
	struct peat_schema schema;
	unsigned char *slots;
	struct live_source live;
	uint64_t sum, delivered;
};

/* ---- setting up ------------------------------------------------------------------------------ */

static void *need(void *memory)
{
	if (!memory)
		parts__fail("cannot allocate rings: no memory");
	return memory;
}

/* 1 MiB as by default, or less if all rings together would exceed ALL_RINGS_BYTES. */
static uint64_t ring_bytes(uint32_t count)
{
	uint64_t bytes = (uint64_t)count << 20;

	if (bytes > ALL_RINGS_BYTES)
		bytes = ALL_RINGS_BYTES;
	return sizing__ring_bytes(bytes, count, (uint64_t)sysconf(_SC_PAGESIZE));
}

static void open_live(struct faked *faked)
{
	struct inputs *inputs = &faked->live.inputs;

	inputs->channel = &faked->channel;
	inputs->channel_functions = &channel_functions;
	inputs->timer_fd = timerfd_create(CLOCK_MONOTONIC, TFD_CLOEXEC | TFD_NONBLOCK);
	inputs->tick_ms = sizing__tick_ms(100);
	inputs->min_age_ns = sizing__min_age_ns(100);
	inputs->rings.by_cpu = faked->rings;
	inputs->rings.limit = inputs->rings.count = faked->count;
	perf_events__init(&inputs->rings.events, 1, false, 0);
	if (inputs->timer_fd < 0 || hotplug__open(&inputs->hotplug) ||
	    stage__init(&inputs->stage, faked->slots, faked->count * PEAT_SLOTS, SLOT_BYTES) ||
	    drain__init(&inputs->drain, faked->rings, faked->count, &inputs->stage) ||
	    account__open(&faked->live.accounts, inputs) || intake__open(&faked->live.intake, 0))
		parts__fail("a reader cannot be put together: %m");
	inputs->drain.quantum = ring_bytes(faked->count) / 8;
}

static void open_faked(struct faked *faked, uint32_t count)
{
	*faked = (struct faked){ .count = count, .channel = { .cpus = count, .cells.fd = -1 } };
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
	faked->live.reader.ops = &channel_input.ops;
	faked->live.channel = &faked->channel;
	faked->live.intake.reader = &faked->live.reader;
	faked->live.intake.inputs = &faked->live.inputs;
	faked->live.intake.accounts = &faked->live.accounts;
	open_live(faked);
	/* As for a bound object; else the type of each event would be looked up again. */
	faked->live.intake.last_schema = &faked->schema;
	faked->live.intake.last_type = PARTS_TYPE;
	faked->live.intake.is_plain = true;
}

static void close_faked(struct faked *faked)
{
	account__close(&faked->live.accounts);
	drain__free(&faked->live.inputs.drain);
	stage__unmap(&faked->live.inputs.stage);
	hotplug__close(&faked->live.inputs.hotplug);
	close(faked->live.inputs.timer_fd);
	for (uint32_t cpu = 0; cpu < faked->count; cpu++)
		fake_ring__free(&faked->fakes[cpu]);
	free(faked->slots);
	free(faked->rings);
	free(faked->filled);
	free(faked->fakes);
}

/* ---- contents of the rings ------------------------------------------------------------------- */

/* Writes a PERF_RECORD_SAMPLE.  Like the kernel, pads the record to a multiple of 8. */
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

/* One event per record, as bpf_perf_event_output() writes them. */
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

/* Makes the rings full again, as if the kernel had written them. */
static void refill(void *context)
{
	struct faked *faked = context;

	for (uint32_t cpu = 0; cpu < faked->count; cpu++) {
		struct fake_ring *fake = &faked->fakes[cpu];

		fake->page->data_tail = 0;
		fake->page->data_head = faked->filled[cpu];
		ring__init(&faked->rings[cpu], fake->page, fake->data, fake->ring_bytes);
		faked->rings[cpu].cpu = cpu;
		faked->live.accounts.streams[cpu * PEAT_SLOTS].begun = false;
	}
}

/* ---- readers --------------------------------------------------------------------------------- */

static uint64_t read_round(void *context)
{
	struct faked *faked = context;
	const struct peat_event *event;
	uint64_t count = 0;

	while (peat_reader__next(&faked->live.reader, &event) > 0) {
		faked->sum += *(const uint64_t *)event->data;
		count++;
	}
	return count;
}

static uint64_t read_nothing(void *context)
{
	return 1 + read_round(context);
}

/* Checks all slots of the stage, too. */
static uint64_t read_nothing_at_tick(void *context)
{
	struct faked *faked = context;

	faked->live.inputs.collect_soon = true;
	return read_nothing(context);
}

static void on_sample(struct faked *faked, const struct perf_event_header *header)
{
	faked->delivered++;
	faked->sum += *(const uint32_t *)((const unsigned char *)(header + 1) + 4);
}

/* The loop of perf_buffer__consume() of libbpf 1.1: a callback for each record. */
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

static uint64_t consume_all(void *context)
{
	struct faked *faked = context;
	void (*volatile fn)(struct faked *, const struct perf_event_header *) = on_sample;

	faked->delivered = 0;
	for (uint32_t cpu = 0; cpu < faked->count; cpu++)
		consume(faked, &faked->fakes[cpu], fn);
	return faked->delivered;
}

static uint64_t consume_nothing(void *context)
{
	consume_all(context);
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
		{ "perf_buffer", "its loop, one event per record", "event", "ns", refill,
		  consume_all, &faked[EVENTS] },
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

void parts_reader__measure(struct bench_table *table)
{
	static const uint32_t counts[] = { 1, 4, 64, 512 };

	for (size_t i = 0; i < sizeof(counts) / sizeof(*counts); i++)
		measure_rings(table, counts[i]);
}

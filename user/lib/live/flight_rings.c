// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * live/flight_rings.c: copies rings that overwrite, and the stage, while programs go on.
 *
 *	slots are collected ──▶ maps get the spare rings ──▶ grace period ──▶ rings are copied
 *
 * Each step is necessary.  Staged events are collected first, so that all that follows them in
 * their stream is in the ring that is copied, or in the other one.  A program that has read the map
 * before may still write into the former ring until the grace period is over, and would overwrite
 * what is being copied.  Pausing the rings instead (PERF_EVENT_IOC_PAUSE_OUTPUT) would lose all
 * events of that time.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/log.h"
#include "base/monotonic.h"
#include "live/input.h"
#include "live/reclaim.h"
#include "live/spare_rings.h"

/* ---- names ----------------------------------------------------------------------------------- */

/* The size for each CPU.  A record has 56 bytes, and a quarter of the ring wakes the reader. */
#define NAMES_RING_BYTES (256u << 10)

/* The reader waits for full rings, not for ticks: as rarely as possible. */
#define NAMES_LATENCY_MS (60 * 60 * 1000u)

/* 0: the CPUs cannot be read. */
static uint64_t names_bytes(const char *list)
{
	struct cpus cpus;
	uint64_t bytes;

	if (list ? cpus__choose(&cpus, list) : cpus__read(&cpus, "online"))
		return 0;
	bytes = (uint64_t)cpus__count(&cpus) * NAMES_RING_BYTES;
	cpus__free(&cpus);
	return bytes;
}

static void read_names(struct inputs *names)
{
	struct piece piece;

	while (inputs__next(names, &piece))
		; /* the drain applies task records */
}

/* For a snapshot: if records of tasks were lost, tasks that still run get their names from /proc.
 */
static void complete_names(struct flight_rings *flight)
{
	uint64_t lost;

	read_names(flight->names);
	if (inputs__side_lost(flight->names, &lost) || lost == flight->names_lost)
		return;
	flight->names_lost = lost;
	inputs__scan_tasks(flight->names);
}

int flight_rings__open_names(struct flight_rings *flight, const struct peat_reader_opts *opts)
{
	struct peat_reader_opts names_opts = PEAT_READER_OPTS_INIT;
	int err;

	names_opts.names = true;
	names_opts.cpus = opts->cpus;
	names_opts.latency_ms = NAMES_LATENCY_MS;
	names_opts.memory_bytes = names_bytes(opts->cpus);
	flight->names = calloc(1, sizeof(*flight->names));
	if (!flight->names)
		return -ENOMEM;
	err = inputs__open(flight->names, &(struct inputs_config){ .input = &side_band_input },
			   &names_opts);
	if (!err)
		return 0;
	free(flight->names);
	flight->names = NULL;
	return err;
}

/* ---- opening --------------------------------------------------------------------------------- */

int flight_rings__open(struct live_source *live, const struct peat_reader_opts *opts)
{
	struct flight_rings *flight = &live->flight;

	(void)opts;
	if (live->accounts.cpus) {
		flight->taken = calloc(live->accounts.cpus, sizeof(*flight->taken));
		if (!flight->taken)
			return -ENOMEM;
	}
	return flight->names ? inputs__watch(&live->inputs, flight->names->epoll_fd) : 0;
}

void flight_rings__close(struct flight_rings *flight, bool is_inherited)
{
	if (flight->names && is_inherited)
		inputs__disown(flight->names);
	if (flight->names)
		inputs__close(flight->names);
	free(flight->names);
	free(flight->taken);
	*flight = (struct flight_rings){ 0 };
}

/* ---- the stage ------------------------------------------------------------------------------- */

static void take_slot(struct stage *stage, uint32_t index, struct flight_slot *slot)
{
	struct stage_frame frame;
	struct peat_slot state;

	/* A frame begins at 4 mod 8, as in a ring. */
	if (stage__has_events(stage, index, UINT64_MAX))
		slot->room = malloc(4 + PEAT_FRAME_HEAD_BYTES + stage__data_bytes(stage));
	if (slot->room && stage__take(stage, index, slot->room + 4, &frame)) {
		/* A collector has memory of its own, for one frame. */
		if (frame.bytes != slot->room + 4)
			memcpy(slot->room + 4, frame.bytes, frame.count);
		slot->frame = slot->room + 4;
		slot->bytes = frame.count;
	}
	stage__read_consistent(stage, index, &state);
	slot->sent = state.seq - state.count;
}

static int take_slots(struct inputs *inputs, struct flight_copy *copy)
{
	const struct cpus *cpus = inputs->drain.cpus;

	if (!inputs->stage.slots)
		return 0;
	copy->slots = calloc(inputs->stage.slots, sizeof(*copy->slots));
	if (!copy->slots)
		return -ENOMEM;
	copy->slot_count = inputs->stage.slots;
	for (uint32_t index = 0; index < copy->slot_count; index++)
		if (!cpus || cpus__has(cpus, index / PEAT_SLOTS))
			take_slot(&inputs->stage, index, &copy->slots[index]);
	return 0;
}

/* ---- the rings ------------------------------------------------------------------------------- */

/* Returns the rings that nothing writes to any more. */
static struct rings *swap_rings(const struct flight_rings *flight, struct inputs *inputs)
{
	if (flight->is_paused)
		return &inputs->rings;
	spare_rings__swap(&inputs->spare, &inputs->rings);
	return &inputs->spare;
}

static int copy_rings(struct rings *rings, uint64_t most_bytes, struct flight_copy *copy)
{
	int err = 0;

	copy->rings = calloc(rings->limit, sizeof(*copy->rings));
	if (!copy->rings)
		return -ENOMEM;
	for (uint32_t cpu = 0; !err && cpu < rings->limit; cpu++)
		if (rings->by_cpu[cpu].fd >= 0)
			err = backward__copy(&rings->by_cpu[cpu], most_bytes,
					     &copy->rings[copy->ring_count++]);
	return err;
}

/* Their records are older than the next ones: a later copy must not have them. */
static void empty_rings(struct rings *rings)
{
	for (uint32_t cpu = 0; cpu < rings->limit; cpu++)
		if (rings->by_cpu[cpu].fd >= 0)
			backward__skip(&rings->by_cpu[cpu]);
}

#define NAMES_POLL_MS 10

/*
 * Waits until all programs that run now have ended, and reclaims slots that so many calls have
 * found stuck.  The names of tasks are read meanwhile: their rings do not overwrite.
 */
static int wait_for_programs(struct flight_rings *flight, struct inputs *inputs,
			     uint32_t min_checks)
{
	int err;

	reclaim__begin(inputs, min_checks);
	while ((err = reclaim__poll(inputs, NAMES_POLL_MS)) == -EAGAIN)
		if (flight->names)
			read_names(flight->names);
	return err;
}

int flight_rings__copy(struct flight_rings *flight, struct inputs *inputs, uint64_t most_bytes,
		       struct flight_copy *copy)
{
	struct rings *rings;
	int err;

	*copy = (struct flight_copy){ 0 };
	inputs__follow_cpus(inputs);
	copy->time_ns = monotonic_ns();
	err = take_slots(inputs, copy);
	if (err)
		return err;
	rings = swap_rings(flight, inputs);
	copy->swap_ns = monotonic_ns() - copy->time_ns;
	err = wait_for_programs(flight, inputs, 2);
	if (!err)
		err = copy_rings(rings, most_bytes, copy);
	if (err)
		empty_rings(rings);
	if (flight->names)
		complete_names(flight);
	copy->copy_ns = monotonic_ns() - copy->time_ns;
	return err;
}

void flight_rings__free_copy(struct flight_copy *copy)
{
	for (uint32_t i = 0; i < copy->ring_count; i++)
		backward__free(&copy->rings[i]);
	for (uint32_t index = 0; index < copy->slot_count; index++)
		free(copy->slots[index].room);
	free(copy->rings);
	free(copy->slots);
	*copy = (struct flight_copy){ 0 };
}

/* ---- rounds ---------------------------------------------------------------------------------- */

/* Counts everything that no snapshot has as overwritten. */
static void drop_all(struct flight_rings *flight, struct inputs *inputs, struct accounts *accounts)
{
	struct flight_copy copy = { 0 };

	wait_for_programs(flight, inputs, 1);
	if (take_slots(inputs, &copy))
		log__warn("no memory: events of the stage stay there");
	for (uint32_t index = 0; index < copy.slot_count; index++)
		account__skip(accounts, index, copy.slots[index].sent);
	empty_rings(swap_rings(flight, inputs));
	flight_rings__free_copy(&copy);
}

int flight_rings__next(struct peat_reader *reader)
{
	struct live_source *live = live_source__of(reader);
	struct flight_rings *flight = &live->flight;

	inputs__follow_cpus(&live->inputs);
	if (flight->names)
		read_names(flight->names);
	if (live->read_other)
		live->read_other(live->other);
	if (flight->is_flushed && live->inputs.stage.slots)
		drop_all(flight, &live->inputs, &live->accounts);
	flight->is_flushed = false;
	return 0;
}

void flight_rings__flush(struct peat_reader *reader)
{
	live_source__of(reader)->flight.is_flushed = true;
}

void flight_rings__pause(struct peat_reader *reader)
{
	struct live_source *live = live_source__of(reader);

	rings__pause(&live->inputs.rings);
	rings__pause(&live->inputs.spare);
	live->flight.is_paused = true;
}

struct live_source *flight_rings__of(struct peat_reader *reader)
{
	return reader->ops->next == flight_rings__next ? live_source__of(reader) : NULL;
}

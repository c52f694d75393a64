// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* live/ordered.c: buffers the events of all streams and returns them by time. */
#include "base/monotonic.h"
#include "live/ordered.h"

/* Streams per CPU, each sorted by time: its slots, and the kernel's own records. */
#define STREAMS (PEAT_SLOTS + 1)

/*
 * A buffered event is two to four times as long as in its ring.  The events since the last update
 * are buffered, and those until the next: a drain each, at most one ring of every CPU.
 */
#define BUFFERED_RINGS	 8
#define BUFFER_BYTES_MIN (512 * 1024)

static uint64_t limit_bytes(const struct inputs *inputs)
{
	uint64_t bytes = BUFFERED_RINGS * inputs->rings.ring_bytes * inputs->rings.count;

	return bytes > BUFFER_BYTES_MIN ? bytes : BUFFER_BYTES_MIN;
}

int ordered__open(struct ordered *ordered, struct intake *in, uint32_t latency_ms)
{
	const struct inputs *inputs = in->inputs;
	uint32_t cpus =
		inputs->rings.limit > in->accounts->cpus ? inputs->rings.limit : in->accounts->cpus;
	int err = order__init(&ordered->order, cpus * STREAMS, limit_bytes(inputs));

	ordered->in = in;
	return err ? err
		   : returned_time__open(&ordered->returned, in, latency_ms * 1000000ull / 4,
					 monotonic_ns());
}

void ordered__close(struct ordered *ordered)
{
	order__free(&ordered->order);
	returned_time__close(&ordered->returned);
}

/* ---- in -------------------------------------------------------------------------------------- */

static bool counts_held(const struct ordered *ordered, const struct peat_event *event)
{
	return ordered->in->has_frames && event->kind == PEAT_EVENT_DATA;
}

/*
 * Buffers the event.  A record is copied as it is in its ring and decoded again when it is
 * returned, because `record` points into the middle of that.  False: no memory, return the event
 * now.
 */
static bool buffer_event(struct ordered *ordered)
{
	struct intake *in = ordered->in;
	struct peat_event *event = &in->reader->event;
	uint32_t stream = in->reader->frame.slot;

	if (event->record) {
		if (!in->is_sampled)
			stream = PEAT_SLOTS;
		event->data = in->raw;
		event->size = in->raw->size;
	}
	if (order__put(&ordered->order, event->cpu * STREAMS + stream, event)) {
		if (event->record)
			intake__decode_again(in);
		order__bypass(&ordered->order, event);
		return false;
	}
	if (counts_held(ordered, event))
		in->accounts->of_cpus[event->cpu].held++;
	return true;
}

static bool is_filling_up(const struct ordered *ordered)
{
	return ordered->order.buffered_bytes > ordered->order.limit_bytes / 4;
}

/* ---- release time ---------------------------------------------------------------------------- */

static void update_release_time(struct ordered *ordered)
{
	uint64_t until_ns = returned_time__find(&ordered->returned);

	ordered->stalls = until_ns > ordered->order.until_ns ? 0 : ordered->stalls + 1;
	order__release_until(&ordered->order, until_ns);
}

/*
 * If much is buffered, staged events block it; a drain collects them, and must before the next tick
 * or the limit is exceeded.  If a program keeps its slot locked, repeating that is useless.
 */
#define STALLS_MAX 16

static void end_drain(struct ordered *ordered)
{
	struct inputs *inputs = ordered->in->inputs;

	ordered->returned_since_fetch = ordered->fetched = 0;
	ordered->is_full = ordered->is_done;
	if (ordered->is_done)
		return;
	ordered->is_done = true;
	update_release_time(ordered);
	if (ordered->is_last && !inputs->collect_all) {
		ordered->is_last = false;
		order__release_until(&ordered->order, UINT64_MAX);
	}
	if (is_filling_up(ordered))
		inputs__collect_soon(inputs, ordered->stalls < STALLS_MAX);
}

/* ---- out ------------------------------------------------------------------------------------- */

static bool next_buffered(struct ordered *ordered)
{
	struct intake *in = ordered->in;
	struct peat_event *event = &in->reader->event;

	if (!order__next(&ordered->order, event))
		return false;
	ordered->returned_since_fetch++;
	if (counts_held(ordered, event))
		in->accounts->of_cpus[event->cpu].held--;
	if (event->record)
		intake__decode_again(in);
	return true;
}

/*
 * Buffered events are returned at the caller's pace, and there may be many.  So the rings are read
 * in between, or they would fill up.
 */
#define FETCH_INTERVAL 1024

static bool is_time_to_fetch(struct ordered *ordered)
{
	if (ordered->fetched >= FETCH_INTERVAL)
		ordered->returned_since_fetch = ordered->fetched = 0;
	return ordered->returned_since_fetch >= FETCH_INTERVAL && !ordered->is_full &&
	       !is_filling_up(ordered);
}

/* True: an event bypasses the buffer. */
static bool fetch(struct ordered *ordered)
{
	if (!intake__next(ordered->in)) {
		end_drain(ordered);
		return false;
	}
	ordered->fetched++;
	return !buffer_event(ordered);
}

bool ordered__next(struct ordered *ordered)
{
	for (;;) {
		if (!is_time_to_fetch(ordered)) {
			if (next_buffered(ordered))
				return true;
			if (ordered->is_done && !ordered->is_last) {
				ordered->is_done = ordered->is_full = false;
				return false;
			}
			ordered->is_done = ordered->is_full = false;
		}
		if (fetch(ordered))
			return true;
	}
}

bool ordered__is_ready(struct ordered *ordered)
{
	return order__is_ready(&ordered->order);
}

bool ordered__holds_events(const struct ordered *ordered)
{
	return ordered->order.heads.count;
}

void ordered__flush(struct ordered *ordered)
{
	ordered->is_last = true;
}

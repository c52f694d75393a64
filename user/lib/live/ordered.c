// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* merge.c: events of all streams, held, and let go by time. */
#include "live/ordered.h"
#include "base/internal.h"

/* Of a CPU, each in the order of time: its slots, and the kernel's own records. */
#define STREAMS (PEAT_SLOTS + 1)

/*
 * A held event is two to four times as long as in its ring.  What came since the last look is held,
 * and what comes until the next one: a round each, which is one ring of every CPU at most.
 */
#define RINGS_HELD	 8
#define HELD_BYTES_LEAST (512 * 1024)

/* A slot that nobody gives back is reclaimed after a second and a grace period: see live.c. */
#define PATIENCE_NS 3000000000ull

/*
 * A slot that is locked by a plain store is seen to be a little later, whatever the program did
 * since: when the CPU has written what it stored, some ten nanoseconds later unless the host of a
 * virtual one is at it.
 */
#define STORE_NS 100000

static uint64_t limit_bytes(const struct live *live)
{
	uint64_t bytes = RINGS_HELD * live->rings.ring_bytes * live->rings.count;

	return bytes > HELD_BYTES_LEAST ? bytes : HELD_BYTES_LEAST;
}

int merge__open(struct merge *merge, struct intake *in, uint32_t latency_ms)
{
	const struct live *live = &in->live;
	uint32_t cpus =
		live->rings.limit > in->accounts.cpus ? live->rings.limit : in->accounts.cpus;
	int err = order__init(&merge->order, cpus * STREAMS, limit_bytes(live));

	merge->in = in;
	merge->has_records = !live->channel || in->kinds;
	merge->in_flight_ns = latency_ms * 1000000ull / 4;
	merge->tide.cpus = live->round.cpus;
	merge->tide.patience_ns = PATIENCE_NS;
	merge->tide.unseen_ns = live->stage.collector ? STORE_NS : 0;
	if (!err && live->channel)
		err = tide__init(&merge->tide, &live->stage, monotonic_ns());
	return err;
}

void merge__close(struct merge *merge)
{
	order__free(&merge->order);
	tide__free(&merge->tide);
}

/* ---- in -------------------------------------------------------------------------------------- */

static bool counts_held(const struct merge *merge, const struct peat_event *event)
{
	return merge->in->live.channel && event->kind == PEAT_EVENT_DATA;
}

/*
 * A record is held as its ring had it, and taken apart anew when it goes: `record` points to what
 * is in the ring, into the middle of it at that.  False: there is no memory, the event goes now.
 */
static bool hold(struct merge *merge)
{
	struct intake *in = merge->in;
	struct peat_event *event = &in->event;
	uint32_t stream = in->frame.slot;

	if (event->record) {
		stream = PEAT_SLOTS;
		event->data = in->raw;
		event->size = in->raw->size;
	}
	if (order__put(&merge->order, event->cpu * STREAMS + stream, event)) {
		if (event->record)
			intake__again(in);
		order__pass(&merge->order, event);
		return false;
	}
	if (counts_held(merge, event))
		in->accounts.of_cpus[event->cpu].held++;
	return true;
}

static bool holds_much(const struct merge *merge)
{
	return merge->order.held_bytes > merge->order.limit_bytes / 4;
}

/* ---- until when ------------------------------------------------------------------------------ */

/*
 * The kernel takes a record's time with preemption off, and lets it be seen when whatever it
 * interrupted has written its own: nothing tells of it until then.  A quarter of the latency is
 * more than that takes, unless a hypervisor has other things to do.
 */
static uint64_t until_of_records(const struct merge *merge)
{
	uint64_t drained_ns = merge->in->live.round.drained_ns;

	return drained_ns > merge->in_flight_ns ? drained_ns - merge->in_flight_ns : 0;
}

static void look(struct merge *merge, bool at_end)
{
	uint64_t until_ns = UINT64_MAX;

	merge->held_since_look = 0;
	if (merge->has_records)
		until_ns = until_of_records(merge);
	if (merge->in->live.channel) {
		uint64_t tide_ns = tide__look(&merge->tide, monotonic_ns(), at_end);

		until_ns = tide_ns < until_ns ? tide_ns : until_ns;
	}
	merge->stalls = until_ns > merge->order.until_ns ? 0 : merge->stalls + 1;
	order__settle(&merge->order, until_ns);
}

/*
 * When much is held, slots are in the way that a round collects, and before the next tick it would
 * be too much.  But when one is held by a program there is no use in looking again and again.
 */
#define STALLS_ENOUGH 16

static void end_round(struct merge *merge)
{
	struct live *live = &merge->in->live;

	merge->gone_since_fetch = merge->fetched = 0;
	merge->is_full = merge->is_done;
	if (merge->is_done)
		return;
	merge->is_done = true;
	look(merge, true);
	if (merge->is_last && !live->flush) {
		merge->is_last = false;
		order__settle(&merge->order, UINT64_MAX);
	}
	if (holds_much(merge))
		live__hurry(live, merge->stalls < STALLS_ENOUGH);
}

/* ---- out ------------------------------------------------------------------------------------- */

static bool take_held(struct merge *merge)
{
	struct intake *in = merge->in;
	struct peat_event *event = &in->event;

	if (!order__next(&merge->order, event))
		return false;
	merge->gone_since_fetch++;
	if (counts_held(merge, event))
		in->accounts.of_cpus[event->cpu].held--;
	if (event->record)
		intake__again(in);
	return true;
}

/*
 * What is held goes at the caller's pace, and a lot can have been held: so in between, what rings
 * have is fetched, or they would be full.
 */
#define GONE_ENOUGH 1024

static bool is_time_to_fetch(struct merge *merge)
{
	if (merge->fetched >= GONE_ENOUGH)
		merge->gone_since_fetch = merge->fetched = 0;
	return merge->gone_since_fetch >= GONE_ENOUGH && !merge->is_full && !holds_much(merge);
}

/* To look at all slots is cheap for so many events. */
#define HELD_ENOUGH 4096

/* True: an event goes past those that are held. */
static bool fetch(struct merge *merge)
{
	struct intake *in = merge->in;

	if (!intake__next(in)) {
		end_round(merge);
		return false;
	}
	merge->fetched++;
	merge->held_since_look++;
	if (!hold(merge))
		return true;
	if (merge->held_since_look >= HELD_ENOUGH && !in->in_frame && !merge->is_done &&
	    holds_much(merge))
		look(merge, false);
	return false;
}

bool merge__next(struct merge *merge)
{
	for (;;) {
		if (!is_time_to_fetch(merge)) {
			if (take_held(merge))
				return true;
			if (merge->is_done && !merge->is_last) {
				merge->is_done = merge->is_full = false;
				return false;
			}
			merge->is_done = merge->is_full = false;
		}
		if (fetch(merge))
			return true;
	}
}

bool merge__is_ready(struct merge *merge)
{
	return order__is_ready(&merge->order);
}

void merge__flush(struct merge *merge)
{
	merge->is_last = true;
}

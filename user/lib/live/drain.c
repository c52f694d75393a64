// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* round.c: all rings and the stage, drained in turns. */
#include <stdlib.h>
#include <time.h>

#include "base/internal.h"
#include "live/drain.h"

int round__init(struct round *round, struct ring *rings, uint32_t limit, struct stage *stage)
{
	*round = (struct round){ .rings = rings, .limit = limit, .stage = stage };
	round->turns = calloc(limit, sizeof(struct ring *));
	if (!round->turns)
		return -ENOMEM;
	if (!stage)
		return 0;
	/* As in a ring, a frame begins at 4 mod 8. */
	round->collected = malloc(4 + PEAT_FRAME_HEAD_BYTES + stage__data_bytes(stage));
	return round->collected ? 0 : -ENOMEM;
}

void round__free(struct round *round)
{
	free(round->turns);
	free(round->collected);
	free(round->ahead);
	*round = (struct round){ 0 };
}

/*
 * Waking up is what costs, so whatever woke the reader, it looks at all rings.  Nothing else can be
 * relied on either: a perf event tells of new data once, to one poller (Linux 5.10 to 6.18).
 */
void round__begin(struct round *round, uint64_t staged_before_ns)
{
	if (round->open)
		return;
	round->open = true;
	round->begun_ns = monotonic_ns();
	round->count++;
	round->at = 0;
	round->staged_before_ns = staged_before_ns;
	round->slot = staged_before_ns ? 0 : UINT32_MAX;
	round->looks = 0;
	for (uint32_t cpu = 0; cpu < round->limit; cpu++) {
		struct ring *ring = &round->rings[cpu];

		if (!ring->page)
			continue;
		ring__look(ring);
		if (ring->limit != ring->tail)
			round->turns[round->turns_left++] = ring;
	}
}

/*
 * Ends a ring's turn.  Its memory goes back at once, not when the round is done: the kernel drops
 * what it cannot write, however near the reader may be to the end of the ring.
 */
static void end_turn(struct round *round, bool drained)
{
	ring__release(round->turns[round->at]);
	if (drained)
		round->turns[round->at] = round->turns[--round->turns_left];
	else
		round->at++;
	if (round->at >= round->turns_left)
		round->at = 0;
}

static bool next_of_rings(struct round *round, struct piece *piece)
{
	while (round->turns_left) {
		struct ring *ring = round->turns[round->at];
		bool spent = ring__unreleased(ring) >= round->quantum;

		piece->record = spent ? NULL : ring__next(ring);
		piece->cpu = ring->cpu;
		if (piece->record)
			return true;
		end_turn(round, !spent);
	}
	round->drained_ns = round->begun_ns;
	return false;
}

static struct ring *ring_of(struct round *round, uint32_t cpu)
{
	return cpu < round->limit && round->rings[cpu].page ? &round->rings[cpu] : NULL;
}

static bool is_wanted(const struct round *round, uint32_t index)
{
	return (!round->cpus || cpus__has(round->cpus, index / PEAT_SLOTS)) &&
	       stage__has_events(round->stage, index, round->staged_before_ns);
}

/* What the slot sent before, and its ring has by now, goes first. */
static bool next_behind(struct round *round, struct piece *piece)
{
	struct ring *ring = round->behind;

	if (!ring)
		return false;
	if (ring__unreleased(ring) >= round->quantum)
		ring__release(ring);
	piece->record = ring__next(ring);
	piece->cpu = ring->cpu;
	if (piece->record)
		return true;
	ring__release(ring);
	round->behind = NULL;
	return false;
}

static void look_behind(struct round *round)
{
	round->looks++;
	round->behind = ring_of(round, round->slot / PEAT_SLOTS);
	if (round->behind)
		ring__look(round->behind);
}

static void next_slot(struct round *round)
{
	round->slot++;
	round->looks = 0;
}

/* A writer that was interrupted goes on in no time; if not, the next tick sees to the slot. */
#define LOOKS_ENOUGH 4

/* Takes the slot's events, if it is their turn. */
static bool collect(struct round *round, struct piece *piece)
{
	struct stage_frame frame;

	if (!stage__collect(round->stage, round->slot, round->looks == LOOKS_ENOUGH,
			    round->collected + 4, &frame))
		return false;
	*piece = (struct piece){ .frame = frame.bytes,
				 .frame_bytes = frame.count,
				 .cpu = round->slot / PEAT_SLOTS };
	next_slot(round);
	return true;
}

static bool next_of_stage(struct round *round, struct piece *piece)
{
	while (round->stage && round->slot < round->stage->slots) {
		if (next_behind(round, piece))
			return true;
		if (!is_wanted(round, round->slot) || round->looks > LOOKS_ENOUGH)
			next_slot(round);
		else if (collect(round, piece))
			return true;
		else
			look_behind(round);
	}
	return false;
}

/* ---- names ----------------------------------------------------------------------------------- */

/* The next record of a ring that tells of a task. */
struct ahead {
	struct ring *ring;
	struct perf_event_header header;
	uint64_t time_ns;
	uint32_t tid, parent_tid;
	char comm[TASKS_NAME_BYTES];
};

/* Those of now have 56 bytes; there is room for what they may grow by. */
#define AHEAD_BYTES 256

int round__follow(struct round *round, struct tasks *tasks, const struct peat_layout *side)
{
	round->ahead = calloc(round->limit, sizeof(*round->ahead));
	if (!round->ahead)
		return -ENOMEM;
	round->tasks = tasks;
	round->side = side;
	return 0;
}

static bool tells_of_tasks(const struct perf_event_header *header)
{
	return header->type == PEAT_RECORD_FORK || header->type == PEAT_RECORD_COMM ||
	       header->type == PEAT_RECORD_EXIT;
}

static bool decode_ahead(const struct round *round, struct ahead *ahead)
{
	_Alignas(8) unsigned char bytes[AHEAD_BYTES];
	struct peat_record record;

	if (ahead->header.size > sizeof(bytes))
		return false;
	ring__copy_ahead(ahead->ring, &ahead->header, bytes);
	if (peat_record__decode(round->side, bytes, ahead->header.size, &record) != 1)
		return false;
	ahead->time_ns = record.time_ns;
	if (record.type == PEAT_RECORD_COMM) {
		ahead->tid = record.comm.tid;
		for (size_t i = 0; i + 1 < sizeof(ahead->comm); i++)
			if (!(ahead->comm[i] = record.comm.comm[i]))
				break;
		ahead->comm[sizeof(ahead->comm) - 1] = '\0';
		return true;
	}
	ahead->tid = record.task.tid;
	ahead->parent_tid = record.task.ptid;
	return true;
}

/* Walks to the ring's next record of a task.  False: there is none until now_ns. */
static bool walk(const struct round *round, struct ahead *ahead, uint64_t now_ns)
{
	while (ring__peek(ahead->ring, &ahead->header)) {
		if (tells_of_tasks(&ahead->header) && decode_ahead(round, ahead))
			return ahead->time_ns <= now_ns;
		ring__skip_ahead(ahead->ring, &ahead->header);
	}
	return false;
}

static struct ahead *earliest(struct ahead *ahead, uint32_t count)
{
	struct ahead *first = ahead;

	for (uint32_t i = 1; i < count; i++)
		if (ahead[i].time_ns < first->time_ns)
			first = &ahead[i];
	return first;
}

static void tell(struct tasks *tasks, const struct ahead *ahead)
{
	if (ahead->header.type == PEAT_RECORD_COMM)
		tasks__comm(tasks, ahead->tid, ahead->time_ns, ahead->comm);
	else if (ahead->header.type == PEAT_RECORD_FORK)
		tasks__fork(tasks, ahead->tid, ahead->parent_tid, ahead->time_ns);
	else
		tasks__exit(tasks, ahead->tid, ahead->time_ns);
}

/* Walks on in all rings, without taking anything. */
static uint32_t look_ahead(struct round *round, uint64_t now_ns)
{
	uint32_t count = 0;

	for (uint32_t cpu = 0; cpu < round->limit; cpu++) {
		struct ring *ring = &round->rings[cpu];

		if (!ring->page)
			continue;
		ring__look_ahead(ring);
		round->ahead[count].ring = ring;
		count += walk(round, &round->ahead[count], now_ns);
	}
	return count;
}

/*
 * Rings are read in turns, and a task moves from CPU to CPU: what names it may lie in a ring whose
 * turn comes long after the event.  So when an event is newer than all that is known, the records
 * ahead are looked at in all rings, once each, in the order of their time: a child has the name
 * that its parent got before, on whatever CPU.  What is younger than the beginning of that look
 * stays for the next one: what came before it may have been missed in a ring that was looked at
 * earlier.
 */
static void learn(struct round *round)
{
	uint64_t now_ns = monotonic_ns();
	uint32_t count = look_ahead(round, now_ns);

	while (count) {
		struct ahead *first = earliest(round->ahead, count);

		tell(round->tasks, first);
		ring__skip_ahead(first->ring, &first->header);
		if (!walk(round, first, now_ns))
			*first = round->ahead[--count];
	}
	round->known_until_ns = now_ns;
}

void round__know(struct round *round, uint64_t time_ns)
{
	if (round->tasks && time_ns > round->known_until_ns)
		learn(round);
}

/* No event may have asked for what goes now. */
static void learn_before_it_goes(struct round *round, const struct piece *piece)
{
	if (piece->record && tells_of_tasks(piece->record) &&
	    !ring__was_ahead(&round->rings[piece->cpu]))
		learn(round);
}

/* ---------------------------------------------------------------------------------------------- */

bool round__next(struct round *round, struct piece *piece)
{
	if (next_of_rings(round, piece) || next_of_stage(round, piece)) {
		if (round->tasks)
			learn_before_it_goes(round, piece);
		return true;
	}
	round->open = false;
	return false;
}

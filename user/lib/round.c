// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* round.c: all rings and the stage, drained in turns. */
#include <stdlib.h>

#include "internal.h"
#include "round.h"

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
	*round = (struct round){ 0 };
}

/*
 * Waking up is what costs, so whatever woke the reader, it looks at all rings.  Nothing else can be
 * relied on either: a perf event tells of new data once, to one poller (Linux 5.10 to 6.18).
 */
void round__begin(struct round *round, bool collect)
{
	if (round->open)
		return;
	round->open = true;
	round->count++;
	round->at = 0;
	round->slot = collect ? 0 : UINT32_MAX;
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
	return false;
}

static struct ring *ring_of(struct round *round, uint32_t cpu)
{
	return cpu < round->limit && round->rings[cpu].page ? &round->rings[cpu] : NULL;
}

static bool is_wanted(const struct round *round, uint32_t index)
{
	return (!round->cpus || cpus__has(round->cpus, index / PEAT_SLOTS)) &&
	       stage__has_events(round->stage, index);
}

/* What the slot's ring holds by now goes first. */
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

/* Takes the slot's events, if it is their turn.  Once it is locked, no frame can follow them. */
static bool collect(struct round *round, struct piece *piece)
{
	struct stage *stage = round->stage;
	uint32_t index = round->slot;
	bool is_next;

	if (!stage__lock(stage, index))
		return false;
	is_next = stage__has_events(stage, index) &&
		  (stage__is_next(stage, index) ||
		   (round->looks == LOOKS_ENOUGH && stage__give_up(stage, index)));
	if (is_next) {
		*piece = (struct piece){
			.frame = round->collected + 4,
			.frame_bytes = stage__take(stage, index, round->collected + 4),
			.cpu = index / PEAT_SLOTS,
		};
		next_slot(round);
	}
	stage__unlock(stage, index);
	return is_next;
}

static bool next_of_stage(struct round *round, struct piece *piece)
{
	while (round->stage && round->slot < round->stage->slots) {
		if (next_behind(round, piece))
			return true;
		if (!is_wanted(round, round->slot) || round->looks > LOOKS_ENOUGH)
			next_slot(round);
		else if (round->looks && collect(round, piece))
			return true;
		else
			look_behind(round);
	}
	return false;
}

bool round__next(struct round *round, struct piece *piece)
{
	if (next_of_rings(round, piece) || next_of_stage(round, piece))
		return true;
	round->open = false;
	return false;
}

// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * live/safe_time.c: finds the time before which all emitted events have been returned or lost.
 *
 * A program reads an event's time with the slot locked, and keeps the lock until the event is
 * submitted.  So when a slot is read, all its older events have a sequence number, except one if
 * the slot is locked.  When the events up to that number have been returned or lost, no others
 * exist, however far the rings have been read.
 */
#include <errno.h>
#include <stdlib.h>

#include "live/safe_time.h"

/* A slot's state when it was read. */
struct mark {
	uint64_t time_ns; /* 0: all older events have been returned or lost */
	uint64_t seq, progress;
	uint32_t lock;
};

struct safe_time_slot {
	uint64_t clear_ns; /* all older events have been returned or lost */
	struct mark mark;  /* a later state, not clear yet */

	/* The last progress before the mark is clear: its time, its drain and the counts then. */
	uint64_t moved_ns;
	uint32_t moved_drain;
	uint64_t returned, progress;
};

int safe_time__init(struct safe_time *safe, const struct stage *stage, uint64_t now_ns)
{
	safe->stage = stage;
	safe->slots = calloc(stage->slots, sizeof(*safe->slots));
	if (!safe->slots)
		return -ENOMEM;
	for (uint32_t index = 0; index < stage->slots; index++)
		safe->slots[index].clear_ns = safe->slots[index].moved_ns = now_ns;
	return 0;
}

void safe_time__free(struct safe_time *safe)
{
	free(safe->slots);
	safe->slots = NULL;
}

/*
 * Frames of a slot are returned in their order: events before the end of the last one have been
 * returned or lost.  The number of lost events alone proves nothing: frames that were sent before
 * the lost ones may be unread.  The sum of losses was read before `seq`, so it is never too high
 * for it.  The end of an invalid frame may be anything.
 */
static bool is_clear(const struct mark *mark, const struct peat_slot *now,
		     const struct stage_slot_state *state)
{
	uint64_t gone = state->consumed + stage__lost_output(now);
	uint64_t end_seq = state->end_seq <= now->seq ? state->end_seq : 0;

	if (mark->lock && mark->lock == now->lock && mark->progress == stage__progress(now))
		return false;
	/* The owner of the lock may have submitted one more event of that time. */
	return end_seq >= mark->seq + (mark->lock != 0) || gone >= now->seq;
}

static void follow(const struct safe_time *safe, struct safe_time_slot *slot, uint64_t progress,
		   uint64_t returned, uint64_t now_ns)
{
	if (slot->mark.time_ns && slot->progress == progress && slot->returned == returned)
		return;
	slot->progress = progress;
	slot->returned = returned;
	slot->moved_ns = now_ns;
	slot->moved_drain = safe->drains;
}

/* All locks taken by sure_ns are visible. */
static void update_slot(struct safe_time *safe, uint32_t index, uint64_t now_ns, uint64_t sure_ns)
{
	const struct stage_slot_state *state = &safe->stage->states[index];
	struct safe_time_slot *slot = &safe->slots[index];
	struct peat_slot now;

	stage__read(safe->stage, index, &now);
	follow(safe, slot, stage__progress(&now), state->consumed, now_ns);
	if (slot->mark.time_ns) {
		if (!is_clear(&slot->mark, &now, state))
			return;
		slot->clear_ns = slot->mark.time_ns;
	}
	slot->mark = (struct mark){ sure_ns, now.seq, stage__progress(&now), now.lock };
	if (!is_clear(&slot->mark, &now, state))
		return;
	slot->clear_ns = sure_ns;
	slot->mark.time_ns = 0;
}

static bool is_followed_slot(const struct safe_time *safe, uint32_t index)
{
	return !safe->cpus || cpus__has(safe->cpus, index / PEAT_SLOTS);
}

/*
 * A leaked slot is reclaimed in time.  But a slot may also be locked by a reader that died, or wait
 * for a damaged frame.  Time alone is no proof: a reader without CPU time sees no progress either.
 */
#define STUCK_DRAINS 4

static bool is_stuck(const struct safe_time *safe, const struct safe_time_slot *slot,
		     uint64_t now_ns)
{
	return now_ns - slot->moved_ns > safe->timeout_ns &&
	       safe->drains - slot->moved_drain > STUCK_DRAINS;
}

uint64_t safe_time__find(struct safe_time *safe, uint64_t now_ns)
{
	uint64_t sure_ns = now_ns - safe->unseen_ns, until_ns = sure_ns;

	safe->drains++;
	for (uint32_t index = 0; index < safe->stage->slots; index++) {
		struct safe_time_slot *slot = &safe->slots[index];

		if (!is_followed_slot(safe, index))
			continue;
		update_slot(safe, index, now_ns, sure_ns);
		if (slot->clear_ns < until_ns && !is_stuck(safe, slot, now_ns))
			until_ns = slot->clear_ns;
	}
	return until_ns;
}

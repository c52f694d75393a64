// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * tide.c: until when all that was emitted has been seen.
 *
 * An event's time is taken by a program that holds the slot already, and holds it until the event
 * is submitted.  So all events of a slot that are older than a look at it have a number by then,
 * but for one if the slot was held.  When as many have been handed out, or lost, there are no
 * others: however far the rings have been read, and in whatever order.
 */
#include <stdlib.h>

#include "base/internal.h"
#include "live/safe_time.h"

/* What a look found. */
struct mark {
	uint64_t time_ns; /* 0: it has been seen through */
	uint64_t seq, progress;
	uint32_t lock;
};

struct tide_slot {
	uint64_t clear_ns; /* all that is older has been seen */
	struct mark mark;  /* of what is younger */

	/* When something was last seen to go on, before it is clear: then, in that round, to there.
	 */
	uint64_t moved_ns;
	uint32_t moved_round;
	uint64_t handed, progress;
};

int tide__init(struct tide *tide, const struct stage *stage, uint64_t now_ns)
{
	tide->stage = stage;
	tide->slots = calloc(stage->slots, sizeof(*tide->slots));
	if (!tide->slots)
		return -ENOMEM;
	for (uint32_t index = 0; index < stage->slots; index++)
		tide->slots[index].clear_ns = tide->slots[index].moved_ns = now_ns;
	return 0;
}

void tide__free(struct tide *tide)
{
	free(tide->slots);
	tide->slots = NULL;
}

/* Everything that moves when a slot is taken and given back. */
static uint64_t progress_of(const struct peat_slot *slot)
{
	return slot->seq + slot->discarded + slot->lost_too_big + slot->lost_abandoned;
}

/* The sum of losses was read before `seq`, so it is never too high for it. */
static bool is_clear(const struct mark *mark, const struct peat_slot *now, uint64_t handed)
{
	uint64_t gone = handed + stage__lost_behind(now);

	if (mark->lock && mark->lock == now->lock && mark->progress == progress_of(now))
		return false;
	/* Whoever held it may have submitted one more of that time. */
	return gone >= mark->seq + (mark->lock != 0) || gone >= now->seq;
}

static void follow(const struct tide *tide, struct tide_slot *slot, uint64_t progress,
		   uint64_t handed, uint64_t now_ns)
{
	if (slot->mark.time_ns && slot->progress == progress && slot->handed == handed)
		return;
	slot->progress = progress;
	slot->handed = handed;
	slot->moved_ns = now_ns;
	slot->moved_round = tide->rounds;
}

/* By sure_ns all that was stored can be seen. */
static void look_at(struct tide *tide, uint32_t index, uint64_t now_ns, uint64_t sure_ns)
{
	uint64_t handed = tide->stage->holds[index].handed;
	struct tide_slot *slot = &tide->slots[index];
	struct peat_slot now;

	stage__read(tide->stage, index, &now);
	follow(tide, slot, progress_of(&now), handed, now_ns);
	if (slot->mark.time_ns) {
		if (!is_clear(&slot->mark, &now, handed))
			return;
		slot->clear_ns = slot->mark.time_ns;
	}
	slot->mark = (struct mark){ sure_ns, now.seq, progress_of(&now), now.lock };
	if (!is_clear(&slot->mark, &now, handed))
		return;
	slot->clear_ns = sure_ns;
	slot->mark.time_ns = 0;
}

static bool is_wanted(const struct tide *tide, uint32_t index)
{
	return !tide->cpus || cpus__has(tide->cpus, index / PEAT_SLOTS);
}

/*
 * A leaked slot is reclaimed in time; but one may also be held by a reader that died, or wait for a
 * frame that was damaged.  Time alone does not tell: a reader that gets no CPU sees nothing either.
 */
#define ROUNDS_ENOUGH 4

static bool is_given_up(const struct tide *tide, const struct tide_slot *slot, uint64_t now_ns)
{
	return now_ns - slot->moved_ns > tide->patience_ns &&
	       tide->rounds - slot->moved_round > ROUNDS_ENOUGH;
}

uint64_t tide__look(struct tide *tide, uint64_t now_ns, bool at_end)
{
	uint64_t sure_ns = now_ns - tide->unseen_ns, until_ns = sure_ns;

	tide->rounds += at_end;
	for (uint32_t index = 0; index < tide->stage->slots; index++) {
		struct tide_slot *slot = &tide->slots[index];

		if (!is_wanted(tide, index))
			continue;
		look_at(tide, index, now_ns, sure_ns);
		if (slot->clear_ns < until_ns && !is_given_up(tide, slot, now_ns))
			until_ns = slot->clear_ns;
	}
	return until_ns;
}

// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* live/reclaim.c: slots that no program releases, and frames that never arrive. */
#include "base/internal.h"
#include "live/reclaim.h"
#include "sys/grace_period.h"

static void reclaim_slot(struct inputs *inputs, uint32_t index)
{
	const char *name;
	uint32_t type;

	if (!stage__reclaim(&inputs->stage, index, &type))
		return;
	name = peat_channel__type_name(inputs->channel, type);
	log__warn("a program on CPU %u reserved an event '%s' and neither submitted nor discarded "
		  "it: its slot was reclaimed",
		  index / PEAT_SLOTS, name ? name : "of an unknown type");
}

/*
 * Whether a slot was locked without progress, or not next in order, in min_checks checks in a row.
 */
static bool has_stuck_slots(struct stage *stage, uint32_t min_checks)
{
	bool has_stuck = false;

	for (uint32_t index = 0; index < stage->slots; index++)
		has_stuck |= stage__count_stuck(stage, index) >= min_checks ||
			     stage__count_refused(stage, index) >= min_checks;
	return has_stuck;
}

/*
 * Reclaims the slots of programs that ended without releasing them, which would stay locked for
 * ever.  Such a slot is locked and makes no progress.  After a grace period its program cannot just
 * be slow, since every program that ran before has ended.  (A grace period does not wait for
 * sleepable programs, but they cannot use a channel.)  Likewise, a frame that was being written to
 * a ring before the grace period is visible after it, or never arrives.
 */
static void reclaim_stuck_slots(struct inputs *inputs, uint32_t min_checks)
{
	struct stage *stage = &inputs->stage;
	int err;

	stage__save_sent(stage);
	err = grace_period__wait();
	if (err) {
		log__warn("waiting for running programs failed, slots may stay unused: %s",
			  strerror(-err));
		return;
	}
	for (uint32_t index = 0; index < stage->slots; index++) {
		uint32_t checks = stage->states[index].stuck_checks;

		if (checks >= min_checks && stage__count_stuck(stage, index) > checks)
			reclaim_slot(inputs, index);
	}
}

void reclaim__stuck_slots(struct inputs *inputs, uint32_t min_checks, bool always)
{
	if (has_stuck_slots(&inputs->stage, min_checks) || always)
		reclaim_stuck_slots(inputs, min_checks);
}

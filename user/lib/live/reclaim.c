// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* live/reclaim.c: slots that no program releases, and frames that never arrive. */
#include <errno.h>
#include <string.h>

#include "base/log.h"
#include "live/input.h"
#include "live/reclaim.h"

static void reclaim_slot(struct inputs *inputs, uint32_t index)
{
	const char *name;
	uint32_t type;

	if (!stage__reclaim(&inputs->stage, index, &type))
		return;
	name = inputs->channel_functions->type_name(inputs->channel, type);
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
static void end(struct inputs *inputs)
{
	struct stage *stage = &inputs->stage;

	stage__end_grace_period(stage);
	for (uint32_t index = 0; index < stage->slots; index++)
		if (stage__is_still_stuck(stage, index))
			reclaim_slot(inputs, index);
}

static void begin_grace_period(struct inputs *inputs, uint32_t min_checks)
{
	stage__mark_stuck(&inputs->stage, min_checks);
	stage__save_sent(&inputs->stage);
	grace_thread__begin(&inputs->grace);
}

void reclaim__begin(struct inputs *inputs, uint32_t min_checks)
{
	has_stuck_slots(&inputs->stage, min_checks);
	begin_grace_period(inputs, min_checks);
}

int reclaim__poll(struct inputs *inputs, int timeout_ms)
{
	bool is_begun = inputs->grace.is_begun;
	int err = grace_thread__poll(&inputs->grace, timeout_ms);

	if (!err && is_begun)
		end(inputs);
	else if (err && err != -EAGAIN)
		log__warn("cannot wait for running programs: %s: slots may stay unused",
			  strerror(-err));
	return err;
}

void reclaim__tick(struct inputs *inputs, uint32_t min_checks)
{
	bool has_stuck = has_stuck_slots(&inputs->stage, min_checks);

	if (inputs->grace.is_begun)
		reclaim__poll(inputs, 0);
	else if (has_stuck)
		begin_grace_period(inputs, min_checks);
}

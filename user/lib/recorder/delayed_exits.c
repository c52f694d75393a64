// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* held_exits.c: a circle of EXITs, oldest first. */
#include <stdlib.h>

#include "recorder/delayed_exits.h"

static struct held_exit *exit_at(const struct held_exits *held, uint32_t i)
{
	return &held->at[(held->first + i) % HELD_EXITS_MOST];
}

/* Most threads are none of those that ended a moment ago: nothing is looked through for them. */
static uint16_t *of_tid(struct held_exits *held, uint32_t tid)
{
	return &held->of_tids[tid % HELD_EXITS_TIDS];
}

bool held_exits__hold(struct held_exits *held, const struct peat_record *record)
{
	if (!held->at)
		held->at = malloc(HELD_EXITS_MOST * sizeof(*held->at));
	if (!held->at || held->count == HELD_EXITS_MOST)
		return false;
	*exit_at(held, held->count++) = (struct held_exit){ .task = record->task,
							    .cpu = record->cpu,
							    .pid = record->pid,
							    .tid = record->tid,
							    .misc = record->misc };
	++*of_tid(held, record->task.tid);
	return true;
}

static void let_go(struct held_exits *held, struct held_exit *of, struct peat_record *record)
{
	record->type = PEAT_RECORD_EXIT;
	record->misc = of->misc;
	record->cpu = of->cpu;
	record->pid = of->pid;
	record->tid = of->tid;
	record->task = of->task;
	of->is_gone = true;
	--*of_tid(held, of->task.tid);
}

static bool take_first(struct held_exits *held, uint32_t of, struct peat_record *record)
{
	while (of--) {
		struct held_exit *first = exit_at(held, 0);
		bool is_there = !first->is_gone;

		if (is_there)
			let_go(held, first, record);
		held->first = (held->first + 1) % HELD_EXITS_MOST;
		held->count--;
		held->old -= held->old > 0;
		if (is_there)
			return true;
	}
	return false;
}

bool held_exits__take(struct held_exits *held, struct peat_record *record)
{
	return take_first(held, held->count, record);
}

bool held_exits__take_old(struct held_exits *held, struct peat_record *record)
{
	return take_first(held, held->old, record);
}

bool held_exits__take_of(struct held_exits *held, uint32_t tid, uint64_t time_ns,
			 struct peat_record *record)
{
	if (!*of_tid(held, tid))
		return false;
	for (uint32_t i = 0; i < held->count; i++) {
		struct held_exit *at = exit_at(held, i);

		if (at->is_gone || at->task.tid != tid || at->task.time_ns > time_ns)
			continue;
		let_go(held, at, record);
		return true;
	}
	return false;
}

void held_exits__age(struct held_exits *held)
{
	held->old = held->count;
}

void held_exits__free(struct held_exits *held)
{
	free(held->at);
	*held = (struct held_exits){ 0 };
}

// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* recorder/delayed_exits.c: a ring of EXIT records, oldest first. */
#include <stdlib.h>

#include "recorder/delayed_exits.h"

static struct delayed_exit *exit_at(const struct delayed_exits *delayed, uint32_t i)
{
	return &delayed->at[(delayed->first + i) % DELAYED_EXITS_MAX];
}

/* A count per hash of the thread id saves the search for most threads. */
static uint16_t *tid_count(struct delayed_exits *delayed, uint32_t tid)
{
	return &delayed->tid_counts[tid % DELAYED_EXITS_TIDS];
}

bool delayed_exits__add(struct delayed_exits *delayed, const struct peat_record *record)
{
	if (!delayed->at)
		delayed->at = malloc(DELAYED_EXITS_MAX * sizeof(*delayed->at));
	if (!delayed->at || delayed->count == DELAYED_EXITS_MAX)
		return false;
	*exit_at(delayed, delayed->count++) = (struct delayed_exit){ .task = record->task,
								     .cpu = record->cpu,
								     .pid = record->pid,
								     .tid = record->tid,
								     .misc = record->misc };
	++*tid_count(delayed, record->task.tid);
	return true;
}

static void pop_exit(struct delayed_exits *delayed, struct delayed_exit *entry,
		     struct peat_record *record)
{
	record->type = PEAT_RECORD_EXIT;
	record->misc = entry->misc;
	record->cpu = entry->cpu;
	record->pid = entry->pid;
	record->tid = entry->tid;
	record->task = entry->task;
	entry->is_popped = true;
	--*tid_count(delayed, entry->task.tid);
}

static bool pop_first(struct delayed_exits *delayed, uint32_t most, struct peat_record *record)
{
	while (most--) {
		struct delayed_exit *first = exit_at(delayed, 0);
		bool is_delayed = !first->is_popped;

		if (is_delayed)
			pop_exit(delayed, first, record);
		delayed->first = (delayed->first + 1) % DELAYED_EXITS_MAX;
		delayed->count--;
		delayed->old -= delayed->old > 0;
		if (is_delayed)
			return true;
	}
	return false;
}

bool delayed_exits__pop(struct delayed_exits *delayed, struct peat_record *record)
{
	return pop_first(delayed, delayed->count, record);
}

bool delayed_exits__pop_old(struct delayed_exits *delayed, struct peat_record *record)
{
	return pop_first(delayed, delayed->old, record);
}

bool delayed_exits__pop_tid(struct delayed_exits *delayed, uint32_t tid, uint64_t time_ns,
			    struct peat_record *record)
{
	if (!*tid_count(delayed, tid))
		return false;
	for (uint32_t i = 0; i < delayed->count; i++) {
		struct delayed_exit *at = exit_at(delayed, i);

		if (at->is_popped || at->task.tid != tid || at->task.time_ns > time_ns)
			continue;
		pop_exit(delayed, at, record);
		return true;
	}
	return false;
}

void delayed_exits__age(struct delayed_exits *delayed)
{
	delayed->old = delayed->count;
}

void delayed_exits__free(struct delayed_exits *delayed)
{
	free(delayed->at);
	*delayed = (struct delayed_exits){ 0 };
}

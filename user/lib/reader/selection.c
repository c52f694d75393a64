// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* reader/selection.c: tests and counts the events of a reader. */
#include <errno.h>

#include "event/side_band.h"
#include "reader/selection.h"
#include "tables/table.h"
#include "where/tree.h"

/* Losses always pass, and so do records of other kinds. */
static bool applies(const struct selection *selection, const struct peat_event *event)
{
	switch (event->kind) {
	case PEAT_EVENT_DATA:
		return true;
	case PEAT_EVENT_RECORD:
		return event->record && selection->side_band & side_band__of(event->record->type);
	case PEAT_EVENT_TOOL:
		return selection->side_band & PEAT_SIDE_BAND_TOOL;
	default:
		return false;
	}
}

/* Records are not part of the ledger. */
static void count_filtered(struct peat_reader *reader)
{
	struct selection *selection = &reader->selection;
	const struct peat_event *event = &reader->event;

	if (event->kind != PEAT_EVENT_DATA)
		return;
	reader->stats.filtered++;
	reader->stats.event_bytes -= event->size;
	if (event->cpu < selection->cpus)
		selection->of_cpus[event->cpu].filtered++;
}

static void count_counted(struct peat_reader *reader)
{
	struct selection *selection = &reader->selection;
	const struct peat_event *event = &reader->event;

	if (event->kind != PEAT_EVENT_DATA)
		return;
	reader->stats.counted++;
	reader->stats.event_bytes -= event->size;
	if (event->cpu < selection->cpus)
		selection->of_cpus[event->cpu].counted++;
}

/* Whether the event waits for memory: it is the first of the next call then. */
static void hold(struct peat_reader *reader, bool is_held)
{
	struct selection *selection = &reader->selection;
	const struct peat_event *event = &reader->event;

	selection->is_held = is_held;
	if (event->kind == PEAT_EVENT_DATA && event->cpu < selection->cpus)
		selection->of_cpus[event->cpu].held = is_held;
}

int selection__ends(struct peat_reader *reader)
{
	struct selection *selection = &reader->selection;
	int counted;

	if (selection->is_held)
		hold(reader, false);
	if (!applies(selection, &reader->event))
		return 0;
	if (!source__wants_pid(selection, &reader->event) ||
	    (selection->where && !where__test(selection->where, &reader->event))) {
		count_filtered(reader);
		return 1;
	}
	if (!selection->table)
		return 0;
	counted = table__add(selection->table, &reader->event);
	if (counted < 0 && counted != -EMSGSIZE) {
		hold(reader, true);
		return counted;
	}
	if (counted > 0)
		count_counted(reader);
	else
		count_filtered(reader); /* it lacks a field, or has too long a key: logged */
	return 1;
}

void selection__choose_pids(struct peat_reader *reader, const struct selected_pids *pids)
{
	reader->selection.pids = *pids;
}

static void adjust(const struct selection_counts *counts, struct peat_ledger *ledger)
{
	ledger->delivered -= counts->filtered + counts->counted + counts->held;
	ledger->held += counts->held;
	ledger->filtered += counts->filtered;
	ledger->counted += counts->counted;
}

void selection__adjust_ledger(const struct selection_counts *counts, uint32_t cpus, uint32_t cpu,
			      struct peat_ledger *ledger)
{
	for (uint32_t i = 0; i < cpus; i++)
		if (cpu == PEAT_ALL_CPUS || i == cpu)
			adjust(&counts[i], ledger);
}

void selection__adjust_stats(struct peat_reader_stats *stats)
{
	stats->events -= stats->filtered + stats->counted;
}

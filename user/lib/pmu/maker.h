/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* pmu/maker.h: events being made of a parsed list: what the files of events share. */
#ifndef PEAT_PMU_MAKER_H
#define PEAT_PMU_MAKER_H

#include "pmu/directory.h"
#include "pmu/events.h"
#include "pmu/names.h"
#include "pmu/parse.h"

/* A list that events are made of. */
struct maker {
	const char *text;
	struct pmu_list list;
	struct pmu_dirs *dirs;
	struct pmu_entries pmus; /* the names of all PMUs */
	struct pmu_events *events;
	uint32_t groups;	     /* of the events before this list */
	const struct pmu_item *item; /* events are made of it now */
	uint32_t *event_counts;	     /* of each item */
};

/* Sets the error of the list, with its place in the text.  Returns `err`. */
__attribute__((format(printf, 4, 5))) int maker__refuse(struct maker *m, uint32_t at, int err,
							const char *format, ...);

/* A part of the text as a string; NULL: no memory. */
char *maker__copy(const struct maker *m, struct pmu_span span);

/* Adds an event of the item; NULL: no memory. */
struct pmu_event *maker__add_event(struct maker *m);
void maker__remove_last(struct pmu_events *events);

/* Names an event, unless the term name= has named it, and sets its modifiers. */
int maker__finish_event(struct maker *m, struct pmu_event *event);

/*
 * pmu/make_tracepoints.c: tracepoints.  The functions return 0 or a negative errno; -ENOENT from
 * maker__add_tracepoints(): no tracepoint matches, and no error is set.
 */
int maker__open_tracepoints(struct maker *m, uint32_t at);
int maker__add_tracepoints(struct maker *m, struct pmu_span system, struct pmu_span event);
int maker__make_tracepoints(struct maker *m);

/*
 * pmu/make_pmu.c: events of PMUs: PMU/TERMS/; a name that any PMU has an alias for (-ENOENT: none,
 * and no error is set); generic events on machines with two kinds of cores.
 */
int maker__read_pmus(struct maker *m);
bool maker__has_pmu(const struct maker *m, const char *name);
int maker__make_pmu_events(struct maker *m);
int maker__make_aliases(struct maker *m);
bool maker__is_hybrid(const struct maker *m);
int maker__make_hybrid(struct maker *m, const struct pmu_generic *generic);

#endif /* PEAT_PMU_MAKER_H */

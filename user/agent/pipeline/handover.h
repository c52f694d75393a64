/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * pipeline/handover.h: which events a pipeline delivered before another one took its place.
 *
 * For a while an event runs a program of each: so both have it, with two times, between which its
 * task may be preempted for long.  The old pipeline delivers events up to a time, `until_ns`, which
 * can be between the two:
 *
 *	the old program runs first:	old new   old new   old | new   old new
 *	the new program runs first:	new old   new old   new | old   new old
 *
 * So the times of the old pipeline alone decide.  It notes its events of each task and type, and
 * the new one leaves out those of the task up to the last one that was delivered, and with it the
 * next event, if the old program runs first.  That is so if the old time is mostly before the new
 * one and close to it.
 */
#ifndef PEAT_PIPELINE_HANDOVER_H
#define PEAT_PIPELINE_HANDOVER_H

#include <stdatomic.h>

#include <peat/reader.h>

#include "base/arena.h"
#include "base/hash.h"

struct handover {
	/* The old pipeline delivers nothing that is newer; UINT64_MAX: not known yet. */
	atomic_uint_fast64_t until_ns;
	uint64_t since_ns; /* all events of before are the old pipeline's; set when it has ended */
	struct arena memory;
	struct hash streams; /* of tasks, by type */
	struct hash orders;  /* by type */
};

/* NULL and errno: ENOMEM. */
struct handover *handover__new(void);

/* Whether events of this time are all the new pipeline's. */
bool handover__is_over(const struct handover *handover, uint64_t time_ns);

/*
 * The old pipeline notes each event: it delivers it or leaves it to the new one.  0 or -ENOMEM: it
 * is not noted.
 */
int handover__note(struct handover *handover, const struct peat_event *event, bool is_delivered);

/* Whether the new pipeline leaves the event out.  It asks for each event once. */
bool handover__is_delivered(struct handover *handover, const struct peat_event *event);

/* Accepts NULL. */
void handover__free(struct handover *handover);

#endif /* PEAT_PIPELINE_HANDOVER_H */

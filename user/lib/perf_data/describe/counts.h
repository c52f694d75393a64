/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* tally.h: how much of what there is in a recording.  Pure. */
#ifndef TALLY_H
#define TALLY_H

#include "base/emit.h"
#include "perf_data/attrs.h"
#include "perf_data/read/stream.h"

#define TALLY_TYPES 96 /* more than there are */

struct tally {
	uint64_t of_types[TALLY_TYPES];
	uint64_t unknown;     /* records of other types */
	uint64_t undecodable; /* of the kernel's */
	uint64_t *of_events;  /* samples, by perf_attr.index */
	uint32_t events;      /* room for so many */
	uint64_t of_nobody;   /* samples whose event cannot be told */
	uint64_t lost, lost_samples;
	uint64_t first_ns, last_ns; /* of samples; first_ns > last_ns: none has a time */
};

void tally__init(struct tally *tally);
void tally__free(struct tally *tally);

/* Counts a record: 0 or -ENOMEM. */
int tally__add(struct tally *tally, const struct perf_entry *entry);

/* Tells all of it, as members of an object that has begun.  0 or -ENOMEM. */
int tally__tell(const struct tally *tally, const struct perf_attrs *attrs, struct emit *emit);

/* A number and its name, in a line of its own where lines are told. */
void tally__tell_count(struct emit *emit, const char *name, uint64_t count);

#endif /* TALLY_H */

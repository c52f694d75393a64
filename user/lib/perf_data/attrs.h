/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* perf_attrs.h: the events of a recording, and to which of them a record belongs.  Pure. */
#ifndef PERF_ATTRS_H
#define PERF_ATTRS_H

#include "record/attr.h"

/* More than any recording has; of both in all. */
#define PERF_ATTRS_MAX 65536
#define PERF_IDS_MAX   (1U << 20)

struct perf_attrs {
	struct perf_attr **at; /* each stays where it is */
	uint32_t count;

	/* Its own. */
	uint32_t room;
	struct perf_id_slot *slots; /* by open addressing; a power of two of them, or none */
	uint32_t slots_count, ids_count;
	uint8_t sample_places, trailer_places; /* bit i: an id may stand in word i */
	bool alike;			       /* all have the same layout */
	struct peat_layout bare;	       /* without ids: for records that are not known */
};

void perf_attrs__init(struct perf_attrs *attrs, bool swapped);
void perf_attrs__clear(struct perf_attrs *attrs);

/*
 * Takes over a parsed attr and what it points to, and numbers it.  0, -ENOMEM, or -E2BIG for too
 * many; the attr is the caller's then.
 */
int perf_attrs__add(struct perf_attrs *attrs, const struct perf_attr *attr);

/*
 * An id that records bear is the event's.  The first to claim it keeps it; 0 is nobody's.  0,
 * -ENOMEM or -E2BIG.
 */
int perf_attrs__add_id(struct perf_attrs *attrs, struct perf_attr *attr, uint64_t id);

/* Adds all that stand, swapped or not, at `bytes`. */
int perf_attrs__add_ids(struct perf_attrs *attrs, struct perf_attr *attr, const void *bytes,
			size_t count, bool swapped);

/* NULL: nobody has the id. */
struct perf_attr *perf_attrs__by_id(const struct perf_attrs *attrs, uint64_t id);

/* A copy of at most `count` bytes, up to a NUL if there is one. 0 or -ENOMEM. */
int perf_attrs__name(struct perf_attr *attr, const void *bytes, size_t count);

/*
 * Whose a record of the kernel's is, of `size` bytes with its header: by the only event, or the id
 * in the record; one of perf itself bears id 0 and counts as the first event's.  NULL: unknown.
 * *layout is what it can be decoded by all the same, or NULL.
 */
const struct perf_attr *perf_attrs__owner(const struct perf_attrs *attrs, uint32_t type,
					  const uint8_t *bytes, size_t size,
					  const struct peat_layout **layout);

#endif /* PERF_ATTRS_H */

/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* replay/deferral.h: completes recorded samples whose user callchain is a record of its own. */
#ifndef PEAT_REPLAY_DEFERRAL_H
#define PEAT_REPLAY_DEFERRAL_H

#include <peat/record.h>

#include "event/deferred.h"

struct deferral {
	struct deferred queue; /* undecoded records, in the order of time */
	uint64_t *merged;      /* the callchain completed last; NULL: none yet */
	struct peat_record record;
};

/* The limits are those of deferred__init(). */
void deferral__init(struct deferral *deferral, uint64_t limit_bytes, uint64_t wait_ns);
void deferral__free(struct deferral *deferral); /* also zeroes */

/* Queues a copy of an undecoded record; layout NULL: it cannot be decoded.  0 or -ENOMEM. */
int deferral__put(struct deferral *deferral, const struct peat_event *undecoded,
		  const struct peat_layout *layout);

/*
 * Completes the callchain of a decoded sample by `part`, which deferred__next() returned with it.
 * The callchain is valid until the next call.
 */
void deferral__complete(struct deferral *deferral, const struct peat_event *part,
			const struct peat_layout *layout, struct peat_record *sample);

#endif /* PEAT_REPLAY_DEFERRAL_H */

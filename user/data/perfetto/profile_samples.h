/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * perfetto/profile_samples.h: stacks of events as samples (PerfSample).
 *
 * Each event type has a sequence of packets of its own, with its name, and with ids of the
 * functions, files, frames and stacks that it has named.  Beyond SAMPLES_BYTES of memory for these
 * ids, the sequence begins anew.
 */
#ifndef PEAT_PERFETTO_PROFILE_SAMPLES_H
#define PEAT_PERFETTO_PROFILE_SAMPLES_H

#include <peat/symbols.h>

#include "base/strbuf.h"
#include "perfetto/interned.h"

#define SAMPLES_BYTES (16u << 20)

struct profile_samples {
	uint32_t sequence; /* greater than PACKET_SEQUENCE */
	const char *name;  /* of the event type */
	bool has_begun;
	struct interned interned;
	struct strbuf ids;  /* of the frames of a stack */
	struct strbuf news; /* definitions of new ids */
};

/*
 * Appends a sample with the event's stack.  `symbols` names the frames; NULL: they have addresses.
 * Returns whether the event has a stack; -ENOMEM.
 */
int profile_samples__append(struct profile_samples *samples, struct strbuf *out,
			    const struct peat_event *event, struct peat_symbols *symbols);

/* Likewise, with the sampled address alone.  Returns whether the event has one; -ENOMEM. */
int profile_samples__append_address(struct profile_samples *samples, struct strbuf *out,
				    const struct peat_event *event, struct peat_symbols *symbols);

void profile_samples__free(struct profile_samples *samples);

#endif /* PEAT_PERFETTO_PROFILE_SAMPLES_H */

/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* live/source.h: the source that reads rings and stage: of a channel, of maps, or of kinds alone.
 */
#ifndef PEAT_LIVE_SOURCE_H
#define PEAT_LIVE_SOURCE_H

#include "live/intake.h"
#include "live/ordered.h"

struct live_source {
	struct peat_reader reader;
	struct peat_channel *channel; /* NULL: maps read raw, or kinds alone */
	struct inputs inputs;
	struct accounts accounts;  /* of a channel */
	struct accounts published; /* a copy for other threads, see source__publish() */
	struct intake intake;
	const char *map_names[INPUTS_MAPS]; /* not owned; NULL: the kernel's name */
	bool is_ordered;
	struct ordered ordered; /* if is_ordered */

	/* Losses that are reported when a round ends. */
	uint32_t flushed;   /* rounds that have to report all of them: the present one, the next */
	bool in_losses;	    /* some are being returned */
	uint64_t losses_ns; /* time of the last report */
	uint64_t *raw_lost; /* raw mode: events that each ring lost, as far as reported */
	uint32_t raw_cpus, next_raw;

	/* Events of the channel's table that programs transported, for lack of a place in their
	 * own tables, when those were collected last. */
	uint64_t homeless;
	uint64_t collected_ns;
};

extern const struct source_ops live_source__ops;

#endif /* PEAT_LIVE_SOURCE_H */

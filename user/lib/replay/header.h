/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* replay_header.h: what the header of a recording says that its events need. */
#ifndef REPLAY_HEADER_H
#define REPLAY_HEADER_H

#include "perf_data/read/recording.h"
#include "replay/event_types.h"

#define REPLAY_ARCH_BYTES 32

struct replay_header {
	struct perf_recording *rec;
	struct replay_events *events;

	char arch[REPLAY_ARCH_BYTES]; /* of the machine, as uname -m says it; "": not told */
	char release[65];	      /* of its kernel; likewise */
	bool has_wall_clock, has_groups;
	int64_t wall_clock_ns; /* what to add to the times for the time of day */

	struct perf_end end; /* the last trouble with a section */
};

/*
 * Each takes what there is: of all sections of a file, before its records; of a record of perf
 * itself, FEATURE or TRACING_DATA.  0 or a negative errno, which the log explains.  What is damaged
 * is no error: of a record it is noted at once, of sections it is in header->end, to be noted when
 * the records turned out to be whole.
 */
int replay_header__learn_sections(struct replay_header *header);
int replay_header__learn_record(struct replay_header *header, const struct perf_entry *entry);

#endif /* REPLAY_HEADER_H */

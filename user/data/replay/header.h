/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* replay/header.h: the parts of a recording's header that its events need. */
#ifndef PEAT_REPLAY_HEADER_H
#define PEAT_REPLAY_HEADER_H

#include "perf_data/read/recording.h"
#include "replay/build_ids.h"
#include "replay/event_types.h"
#include "replay/kernel.h"

#define REPLAY_ARCH_BYTES 32

struct replay_header {
	struct perf_recording *rec;
	struct replay_types *types;

	char arch[REPLAY_ARCH_BYTES]; /* of the machine, as in uname -m; "": unknown */
	char release[65];	      /* of its kernel; "": unknown */
	char host[65];		      /* its name, as in uname -n; "": unknown */
	struct replay_kernel kernel;
	struct build_ids build_ids;
	bool has_wall_clock, has_groups;
	int64_t wall_clock_ns; /* time of day minus timestamp */

	char *interfaces; /* lines of NOTE_INTERFACES; NULL: none */
	size_t interfaces_bytes;

	bool has_skipped; /* the ledger has the runs that the kernel skipped */
	uint64_t skipped;

	struct perf_end end; /* the last damage of a section */
};

/*
 * Read the header: all sections of a file, before its records; or a record of perf itself, FEATURE
 * or TRACING_DATA.  0 or a negative errno, which the log explains.  Damage is no error: damage of a
 * record is reported at once; damage of sections is in header->end, to be reported after the
 * records, if they are whole.
 */
int replay_header__read_sections(struct replay_header *header);
int replay_header__read_record(struct replay_header *header, const struct perf_entry *entry);

/* Another recording begins: forgets all of this one but its types. */
void replay_header__restart(struct replay_header *header);

/* Whether the host, its kernel's release or its architecture are known, and others than here. */
bool replay_header__is_of_other_machine(const struct replay_header *header);

#endif /* PEAT_REPLAY_HEADER_H */

/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* replay/intake.h: turns a record of a recording into an event, or none. */
#ifndef PEAT_REPLAY_INTAKE_H
#define PEAT_REPLAY_INTAKE_H

#include "sys/cpus.h"
#include "identity/identities.h"
#include "replay/recorded.h"
#include "replay/header.h"
#include "event/from_record.h"
#include "event/source.h"

struct replay_intake {
	struct perf_recording rec;
	struct replay_types types;
	struct replay_header header;
	struct peat_recorded recorded;

	bool some_cpus;
	struct cpus cpus; /* if some_cpus: only their events are returned */
	struct from_record from;
	struct identities identities; /* of the cgroups that were read */
	uint32_t recordings;	      /* begun, see perf_file__recordings() */
	bool keeps_all_names; /* set before opening: events may be older than the last names */

	struct peat_reader *reader; /* event and stats are updated */
	struct peat_record record;  /* the last decoded */
	struct tool_record tool;
};

/*
 * Reads the header of an open recording; events are filled into `reader`.  0, or a negative errno
 * that the log explains.
 */
int replay_intake__open(struct replay_intake *in, struct peat_reader *reader,
			const struct peat_replay_opts *opts);
void replay_intake__close(struct replay_intake *in); /* closes the recording, too */

/*
 * Another recording begins in the file, after all events of the last one were returned: names,
 * identities, clock and types begin anew.  0 or a negative errno, which the log explains.
 */
int replay_intake__restart(struct replay_intake *in);

/*
 * Before the first record of the kernel: the types of a recording are known.  Finds the event of
 * the record again, which may have become one of an earlier recording.  0 or -ENOMEM.
 */
int replay_intake__begin(struct replay_intake *in, struct perf_entry *entry);

/*
 * Decodes a kernel record.  1: in->record is set; 0: the record is corrupt, or of an unknown event
 * or type, and is counted as such.
 */
int replay_intake__decode(struct replay_intake *in, const struct perf_attr *attr,
			  const struct peat_layout *layout, const void *bytes, uint32_t size);

/*
 * Fills in->reader->event from the decoded record.  1; 0: the record is no event, or is filtered;
 * -ENOMEM, or an error of replay_intake__resolve_types().
 */
int replay_intake__fill_event(struct replay_intake *in, const struct perf_attr *attr);

/*
 * Resolves the type overrides, once: when the events are known, in a pipe before the first sample
 * or at the end.  0 or a negative errno, which the log explains: e.g. no such event.
 */
int replay_intake__resolve_types(struct replay_intake *in);

/* Reads a record of perf itself into the header and fills the event.  1, 0 or errno, as above. */
int replay_intake__fill_tool_event(struct replay_intake *in, const struct perf_entry *entry);

#endif /* PEAT_REPLAY_INTAKE_H */

/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * event/recorded.h: the context of a recorded event.  What reads recordings fills it, and names
 * what others print without knowing the file format.
 */
#ifndef PEAT_EVENT_RECORDED_H
#define PEAT_EVENT_RECORDED_H

#include <peat/reader.h>

struct build_ids;
struct emit;
struct perf_attrs;
struct tool_record;

#define RECORDED_NAME_BYTES 40

struct recorded_names {
	/*
	 * The name of an event by its number, or by the id of a counter; it may be in `room`.
	 * NULL: there is no such event.
	 */
	const char *(*event)(const struct peat_recorded *recorded, uint32_t type,
			     char room[RECORDED_NAME_BYTES]);
	const char *(*counter)(const struct peat_recorded *recorded, uint64_t id,
			       char room[RECORDED_NAME_BYTES]);

	/* Whether `recorded->tool` is a note of peat; then emits its members, unless NULL. */
	bool (*note)(const struct peat_recorded *recorded, struct emit *emit);
};

/* Valid as long as the event, including everything it points to. */
struct peat_recorded {
	const struct recorded_names *names;
	const char *arch;	/* of the machine, as in uname -m; NULL: unknown */
	const char *release;	/* of its kernel, as in uname -r; NULL: unknown */
	const char *interfaces; /* its network interfaces, lines of NOTE_INTERFACES */
	size_t interfaces_bytes;
	bool other_machine;    /* host, release or arch are not those of this machine */
	int64_t changed_ns;    /* when the recording was written last, since 1970; 0: unknown */
	int64_t wall_clock_ns; /* time of day minus timestamps, ns; 0: unknown */
	bool same_kernel;      /* kernel addresses are those of the running kernel */
	const struct perf_attrs *attrs; /* the events, to find by the ids in samples */
	struct build_ids *build_ids;	/* of files, if their mappings have none; or NULL */

	/* Set for PEAT_EVENT_TOOL, else NULL. */
	const struct tool_record *tool;
};

/* The clock of the event's own recording, of several that follow each other; else `otherwise`. */
static inline int64_t recorded__wall_clock(const struct peat_event *event, int64_t otherwise)
{
	return otherwise && event->recorded && event->recorded->wall_clock_ns
		       ? event->recorded->wall_clock_ns
		       : otherwise;
}

#endif /* PEAT_EVENT_RECORDED_H */

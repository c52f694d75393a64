/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * perfetto/tracks.h: the tracks of threads and CPUs.  Pure.
 *
 *	event ──▶ thread (or CPU, for the idle task) ──▶ its track ──▶ lanes, if slices overlap
 *
 * A packet describes a track when it is first needed, and again when its name changes.  The least
 * recently used tracks are forgotten beyond TRACKS_MOST.  An event of a forgotten thread gets a new
 * track.
 */
#ifndef PEAT_PERFETTO_TRACKS_H
#define PEAT_PERFETTO_TRACKS_H

#include <peat/reader.h>

#include "base/hash.h"
#include "base/strbuf.h"
#include "perfetto/packets.h"

#define TRACKS_MOST 65536

/* All zero: no tracks. */
struct tracks {
	struct hash by_key;
	struct track *newest, *oldest; /* by use */
	struct track *last;	       /* of the event before; NULL: none */
	uint64_t count;		       /* of all tracks ever: their numbers */
	uint64_t overlapping;	       /* slices that are not on the first track of their thread */
};

/*
 * Finds the track of the event's task.  Appends packets that describe it to `out`.
 * NULL: no memory.
 */
struct track *tracks__find(struct tracks *tracks, struct strbuf *out,
			   const struct peat_event *event);

/* The number of the track, for instants. */
uint64_t track__number(const struct track *track);

/*
 * Returns the number of the track, or of an additional one below it, on which the slice nests with
 * all others; 0: none, since a thread has at most TRACK_LANES, or there is no memory.
 */
uint64_t tracks__place(struct tracks *tracks, struct track *track, struct strbuf *out,
		       uint64_t begin_ns, uint64_t end_ns);

#define TRACK_LANES 64

/* The track for lost events. */
uint64_t tracks__lost(struct tracks *tracks, struct strbuf *out);

/* A track for a counter. */
uint64_t tracks__counter(struct tracks *tracks, struct strbuf *out, const char *name,
			 enum packet_unit unit);

void tracks__free(struct tracks *tracks);

#endif /* PEAT_PERFETTO_TRACKS_H */

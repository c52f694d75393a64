/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * spool/segments.h: the files of a spool: numbered, each written once from its start to its end.
 *
 * A new directory has the mode 0700, and all have a lock; the files have the mode 0600.
 */
#ifndef PEAT_SPOOL_SEGMENTS_H
#define PEAT_SPOOL_SEGMENTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct segment {
	uint64_t number, bytes;
};

struct segments {
	int directory; /* -1: closed */
	char *path;
	struct segment *at; /* by number */
	size_t count;
	uint64_t bytes; /* of all */
	uint64_t next;	/* the number of the next one */
	int fd;		/* of the last one, which is being written; -1: the next piece begins one */
};

/*
 * Makes the directory if it is missing, locks it, and finds its segments.  0, or a negative errno,
 * which is logged: -EBUSY: another process uses it; -EACCES: other users can write to it.
 */
int segments__open(struct segments *segments, const char *path);

/* No new segment has a number up to this one. */
void segments__skip_number(struct segments *segments, uint64_t number);

/* Begins a segment.  `sync`: its name is on the disk.  0 or a negative errno; like those below. */
int segments__begin(struct segments *segments, bool sync);

/* Appends to the segment that is being written: all bytes or, after an error, none. */
int segments__append(struct segments *segments, const void *bytes, size_t count, bool sync);

/* The last segment is complete, also after an error.  An empty one is removed. */
int segments__end(struct segments *segments, bool sync);

/* Removes the first one, which must not be the one that is being written. */
int segments__remove_first(struct segments *segments);

/* The segment of this number, or the first one after it; NULL: there is none. */
const struct segment *segments__find(const struct segments *segments, uint64_t number);

/* A file descriptor for reading. */
int segments__read(const struct segments *segments, uint64_t number);

void segments__close(struct segments *segments);

#endif /* PEAT_SPOOL_SEGMENTS_H */

/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * spool/settled.h: the pieces that are settled, and the ends of all events that left the spool, in
 * two files of its directory.
 *
 * Both have the same content.  They are written one after the other, so that one of them is whole
 * after a crash at any byte, and after damage of one of them.
 */
#ifndef PEAT_SPOOL_SETTLED_H
#define PEAT_SPOOL_SETTLED_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "queue/flow.h"

/* The place of a piece. */
struct place {
	uint64_t segment, offset;
};

static inline bool place__is_before(struct place one, struct place other)
{
	return one.segment != other.segment ? one.segment < other.segment
					    : one.offset < other.offset;
}

#define SETTLED_MAX 256

/* Further sources, and those with longer names, are not counted. */
#define SETTLED_SOURCES_MAX 32
#define SETTLED_NAME	    64 /* with its NUL */

/* The events and points of a source that left the spool since its directory was made. */
struct settled_source {
	char name[SETTLED_NAME];
	struct flow_ends ends;
	uint64_t
		in_memory; /* under way, and no longer on disk: lost if the process is killed now */
};

/* All pieces before `before` are settled, and the pieces at these places. */
struct settled {
	uint64_t id; /* of the directory; 0: it has none yet */
	struct place before, at[SETTLED_MAX];
	uint32_t count, source_count;
	struct settled_source sources[SETTLED_SOURCES_MAX];
};

struct settled_files {
	int fds[2];
	uint64_t sequence;
};

/* Opens the files, or makes them, and reads the newer one that is whole.  0 or a negative errno. */
int settled__open(struct settled_files *files, int directory, struct settled *settled);

/* 0 or a negative errno. */
int settled__write(struct settled_files *files, const struct settled *settled, bool sync);

void settled__close(struct settled_files *files);

#endif /* PEAT_SPOOL_SETTLED_H */

/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * piece/preamble.h: the types of a source's events, and the records that are before them in each of
 * its pieces.
 */
#ifndef PEAT_PIECE_PREAMBLE_H
#define PEAT_PIECE_PREAMBLE_H

#include <peat/reader.h>

#include "base/strbuf.h"

/* A type of events.  Types with equal members are equal; addresses of schemas do not count. */
struct piece_type {
	uint32_t type; /* peat_event.type */
	enum peat_event_kind kind;
	bool has_owner;
	char *map;
	struct strbuf schema; /* its bytes; none: the events are bytes */
	char *name;	      /* of the event in the recording */
};

/* Zeroes: no types. */
struct piece_types {
	struct piece_type *at;
	uint32_t count;
	struct strbuf scratch;
};

/* The number of the event's type, which is added if it is new.  -ENOMEM; -E2BIG: too many. */
int64_t piece_types__find(struct piece_types *types, const struct peat_event *event);

void piece_types__free(struct piece_types *types);

/* The id of the samples of a type, and of other records. */
static inline uint64_t preamble__id(uint32_t type)
{
	return type + 1;
}

#define PREAMBLE_SIDE_ID 1

/* The fields of the samples of a type; of other records, only the ids count. */
struct peat_layout preamble__layout(bool has_owner);

/* Appends the attrs of the types, and what is known of the machine.  0 or a negative errno. */
int preamble__put_attrs(const struct piece_types *types, const char *host, int level,
			struct strbuf *out);

/*
 * Appends the notes with the schemas, and the first record of the kernel: they may be compressed.
 * 0 or a negative errno.
 */
int preamble__put_types(const struct piece_types *types, struct strbuf *out);

#endif /* PEAT_PIECE_PREAMBLE_H */

/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * replay/noted_types.h: the schemas in notes (NOTE_TYPE of perf_data/note.h), by which an agent
 * wrote the samples of an event: their bytes, as they were.  Equal schemas are made once, whatever
 * the number of recordings that follow each other.
 */
#ifndef PEAT_REPLAY_NOTED_TYPES_H
#define PEAT_REPLAY_NOTED_TYPES_H

#include <peat/schema.h>

#include "base/strbuf.h"
#include "perf_data/note.h"

struct noted_type {
	struct peat_schema *schema; /* NULL: the samples are bytes */
	uint8_t *bytes;
	size_t count;
};

/* The type of an id of the last recording. */
struct noted_id {
	uint64_t id;
	uint32_t type;
};

/* Zeroes: none. */
struct noted_types {
	struct noted_type **at;
	uint32_t count;
	uint64_t bytes; /* of all */
	struct noted_id *ids;
	uint32_t id_count;
	struct strbuf part; /* of a schema whose notes follow */
	uint64_t part_id;
};

/* Reads a note; one that is damaged, or a schema too many, is ignored.  0 or -ENOMEM. */
int noted_types__read(struct noted_types *types, const struct note *note, bool swapped);

/* Another recording begins, whose notes follow. */
void noted_types__restart(struct noted_types *types);

/* NULL: there is no note of this id. */
struct noted_type *noted_types__find(const struct noted_types *types, uint64_t id);

/* The size of an event in `bytes` bytes of a sample, whose last one counts the padding. */
uint32_t noted_types__size(const uint8_t *raw, uint32_t bytes);

void noted_types__free(struct noted_types *types);

#endif /* PEAT_REPLAY_NOTED_TYPES_H */

/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * piece/decoded.h: the types, names and identities of a piece that is being decoded.  Its events
 * lend them, so they live as long as the batch.
 */
#ifndef PEAT_PIECE_DECODED_H
#define PEAT_PIECE_DECODED_H

#include <peat/reader.h>

#include "base/arena.h"
#include "base/hash.h"
#include "base/strbuf.h"
#include "perf_data/note.h"
#include "piece/head.h"
#include "piece/tasks.h"

struct decoded_type {
	uint32_t type;
	enum peat_event_kind kind;
	bool has_owner, is_whole;
	uint32_t schema_bytes; /* 0: none */
	const char *map;
	struct peat_schema *schema;
};

struct decoded {
	struct arena memory;
	char *host;
	struct decoded_type *types;
	uint32_t type_count;
	struct strbuf part; /* of the schema that is being read */
	struct hash tasks;
	struct piece_task *last;
	const struct peat_identity **identities;
	uint32_t identity_count;
	uint64_t left; /* bytes that may still be decoded */
	bool is_of_this_boot;
};

/* Counts bytes as decoded.  0 or -E2BIG: there are more than may be. */
int decoded__charge(struct decoded *decoded, uint64_t bytes);

/* Read a NOTE_TYPE, NOTE_TASK, NOTE_IDENTITY.  0, -EBADMSG, -E2BIG or -ENOMEM. */
int decoded__read_type(struct decoded *decoded, const struct note *note);
int decoded__read_task(struct decoded *decoded, const struct note *note);
int decoded__read_identity(struct decoded *decoded, const struct note *note);

/* Sets the name of a task, as a record COMM does. */
int decoded__name_task(struct decoded *decoded, uint32_t tid, uint32_t cpu, const char *comm);

/* Sets comm, owner and identity of the event, by its tid and cpu. */
void decoded__set_task(struct decoded *decoded, struct peat_event *event);

/* NULL: no type has such samples. */
const struct decoded_type *decoded__type(const struct decoded *decoded, uint64_t id);

/* For peat_batch_opts.release. */
void decoded__free(void *decoded);

#endif /* PEAT_PIECE_DECODED_H */

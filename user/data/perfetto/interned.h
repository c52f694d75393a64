/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* perfetto/interned.h: ids of strings, files, frames and stacks of a sequence of packets.  Pure. */
#ifndef PEAT_PERFETTO_INTERNED_H
#define PEAT_PERFETTO_INTERNED_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/hash.h"

/* A kind of ids: they are counted from 1 for each. */
enum interned_kind {
	INTERNED_FUNCTION,
	INTERNED_PATH,
	INTERNED_MAPPING,
	INTERNED_FRAME,
	INTERNED_STACK,
	INTERNED_KINDS
};

/* All zero: empty. */
struct interned {
	struct hash by_key;
	struct arena memory;
	uint64_t counts[INTERNED_KINDS];
};

/* Returns the id of a key; *is_new: it had none.  0: no memory. */
uint64_t interned__find(struct interned *interned, enum interned_kind kind, const void *key,
			size_t bytes, bool *is_new);

/* Bytes of memory. */
size_t interned__bytes(const struct interned *interned);

/* Forgets all ids. */
void interned__free(struct interned *interned);

#endif /* PEAT_PERFETTO_INTERNED_H */

/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * tables/hash.h: a hash table: keys are bytes of any number, values are structs of one size.
 *
 * Keys come from events, so from whoever causes them.  SipHash with a random seed keeps them from
 * choosing keys that collide.
 */
#ifndef PEAT_TABLES_HASH_H
#define PEAT_TABLES_HASH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"

struct hash_entry {
	uint32_t key_bytes;
	uint32_t reserved;
	uint64_t value[]; /* and the key after it */
};

struct hash_slot {
	uint64_t hash;
	struct hash_entry *entry; /* NULL: free */
};

struct table_hash {
	struct hash_slot *slots; /* open addressing */
	size_t slot_count;	 /* a power of two, or 0 */
	size_t count;
	size_t value_bytes; /* a multiple of 8 */
	uint64_t seed[2];
	struct arena entries;
};

void table_hash__init(struct table_hash *hash, size_t value_bytes);

/* The value of a key; NULL: there is no such key. */
void *table_hash__find(const struct table_hash *hash, const void *key, uint32_t bytes);

/* Finds the value of a key, or adds one of zeroes.  It never moves.  NULL: no memory. */
void *table_hash__add(struct table_hash *hash, const void *key, uint32_t bytes, bool *is_new);

/* The next entry; `at` is 0 before the first one.  NULL: no more. */
const struct hash_entry *table_hash__next(const struct table_hash *hash, size_t *at);

const void *table_hash__key(const struct table_hash *hash, const struct hash_entry *entry);

/* Removes all keys. */
void table_hash__clear(struct table_hash *hash);

#endif /* PEAT_TABLES_HASH_H */

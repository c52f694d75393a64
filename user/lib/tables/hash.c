// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* tables/hash.c: a hash table: keys are bytes of any number, values are structs of one size. */
#include <stdlib.h>
#include <string.h>

#include "base/sip_hash.h"
#include "tables/hash.h"

#define SLOTS_LEAST 64

/* ---- slots ----------------------------------------------------------------------------------- */

void table_hash__init(struct table_hash *hash, size_t value_bytes)
{
	*hash = (struct table_hash){ .value_bytes = value_bytes };
	sip_hash__seed(hash->seed);
}

const void *table_hash__key(const struct table_hash *hash, const struct hash_entry *entry)
{
	return (const char *)entry->value + hash->value_bytes;
}

static bool is_at(const struct table_hash *hash, const struct hash_slot *slot, uint64_t code,
		  const void *key, uint32_t bytes)
{
	return slot->hash == code && slot->entry->key_bytes == bytes &&
	       !memcmp(table_hash__key(hash, slot->entry), key, bytes);
}

/* The slot of the key, or the free slot for it. */
static struct hash_slot *key_slot(const struct table_hash *hash, uint64_t code, const void *key,
				  uint32_t bytes)
{
	size_t mask = hash->slot_count - 1, at = (size_t)code & mask;

	while (hash->slots[at].entry && !is_at(hash, &hash->slots[at], code, key, bytes))
		at = (at + 1) & mask;
	return &hash->slots[at];
}

void *table_hash__find(const struct table_hash *hash, const void *key, uint32_t bytes)
{
	struct hash_slot *slot;

	if (!hash->slot_count)
		return NULL;
	slot = key_slot(hash, sip_hash(hash->seed, key, bytes), key, bytes);
	return slot->entry ? slot->entry->value : NULL;
}

static struct hash_slot *free_slot(struct hash_slot *slots, size_t mask, uint64_t code)
{
	size_t at = (size_t)code & mask;

	while (slots[at].entry)
		at = (at + 1) & mask;
	return &slots[at];
}

static bool grow_table_hash(struct table_hash *hash)
{
	size_t slot_count = hash->slot_count ? 2 * hash->slot_count : SLOTS_LEAST;
	struct hash_slot *slots = calloc(slot_count, sizeof(*slots));

	if (!slots)
		return false;
	for (size_t i = 0; i < hash->slot_count; i++)
		if (hash->slots[i].entry)
			*free_slot(slots, slot_count - 1, hash->slots[i].hash) = hash->slots[i];
	free(hash->slots);
	hash->slots = slots;
	hash->slot_count = slot_count;
	return true;
}

static void *add_entry(struct table_hash *hash, uint64_t code, const void *key, uint32_t bytes)
{
	struct hash_entry *entry;

	if (4 * hash->count >= 3 * hash->slot_count && !grow_table_hash(hash))
		return NULL;
	entry = arena__take(&hash->entries, sizeof(*entry) + hash->value_bytes + bytes);
	if (!entry)
		return NULL;
	entry->key_bytes = bytes;
	entry->reserved = 0;
	memset(entry->value, 0, hash->value_bytes);
	memcpy((char *)entry->value + hash->value_bytes, key, bytes);
	*free_slot(hash->slots, hash->slot_count - 1, code) =
		(struct hash_slot){ .hash = code, .entry = entry };
	hash->count++;
	return entry->value;
}

void *table_hash__add(struct table_hash *hash, const void *key, uint32_t bytes, bool *is_new)
{
	uint64_t code = sip_hash(hash->seed, key, bytes);
	const struct hash_slot *slot;

	*is_new = false;
	if (hash->slot_count) {
		slot = key_slot(hash, code, key, bytes);
		if (slot->entry)
			return slot->entry->value;
	}
	*is_new = true;
	return add_entry(hash, code, key, bytes);
}

const struct hash_entry *table_hash__next(const struct table_hash *hash, size_t *at)
{
	while (*at < hash->slot_count) {
		const struct hash_entry *entry = hash->slots[(*at)++].entry;

		if (entry)
			return entry;
	}
	return NULL;
}

void table_hash__clear(struct table_hash *hash)
{
	free(hash->slots);
	arena__free(&hash->entries);
	hash->slots = NULL;
	hash->slot_count = 0;
	hash->count = 0;
}

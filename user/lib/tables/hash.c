// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* tables/hash.c: a hash table: keys are bytes of any number, values are structs of one size. */
#include <endian.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>

#include "base/internal.h"
#include "tables/hash.h"

#define SLOTS_LEAST 64

/* ---- SipHash-1-3 ----------------------------------------------------------------------------- */

struct sip {
	uint64_t a, b, c, d;
};

static uint64_t rotate(uint64_t word, unsigned int bits)
{
	return word << bits | word >> (64 - bits);
}

static inline void sip_round(struct sip *s)
{
	s->a += s->b;
	s->b = rotate(s->b, 13) ^ s->a;
	s->a = rotate(s->a, 32);
	s->c += s->d;
	s->d = rotate(s->d, 16) ^ s->c;
	s->a += s->d;
	s->d = rotate(s->d, 21) ^ s->a;
	s->c += s->b;
	s->b = rotate(s->b, 17) ^ s->c;
	s->c = rotate(s->c, 32);
}

static inline void sip_word(struct sip *s, uint64_t word)
{
	s->d ^= word;
	sip_round(s);
	s->a ^= word;
}

static uint64_t sip_hash(const uint64_t seed[2], const void *key, uint32_t bytes)
{
	struct sip s = { seed[0] ^ 0x736f6d6570736575, seed[1] ^ 0x646f72616e646f6d,
			 seed[0] ^ 0x6c7967656e657261, seed[1] ^ 0x7465646279746573 };
	const char *at = key, *end = at + (bytes & ~7u);
	uint64_t word;

	for (; at < end; at += 8) {
		memcpy(&word, at, 8);
		sip_word(&s, le64toh(word));
	}
	word = 0;
	memcpy(&word, at, bytes & 7);
	sip_word(&s, le64toh(word) | (uint64_t)bytes << 56);
	s.c ^= 0xff;
	for (int i = 0; i < 3; i++)
		sip_round(&s);
	return s.a ^ s.b ^ s.c ^ s.d;
}

/* ---- slots ----------------------------------------------------------------------------------- */

void table_hash__init(struct table_hash *hash, size_t value_bytes)
{
	*hash = (struct table_hash){ .value_bytes = value_bytes };
	if (getrandom(hash->seed, sizeof(hash->seed), GRND_NONBLOCK) == sizeof(hash->seed))
		return;
	hash->seed[0] = monotonic_ns(); /* early after boot */
	hash->seed[1] = (uint64_t)(uintptr_t)hash;
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
static struct hash_slot *slot_of(const struct table_hash *hash, uint64_t code, const void *key,
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
	slot = slot_of(hash, sip_hash(hash->seed, key, bytes), key, bytes);
	return slot->entry ? slot->entry->value : NULL;
}

static struct hash_slot *free_slot(struct hash_slot *slots, size_t mask, uint64_t code)
{
	size_t at = (size_t)code & mask;

	while (slots[at].entry)
		at = (at + 1) & mask;
	return &slots[at];
}

static bool grow(struct table_hash *hash)
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

	if (4 * hash->count >= 3 * hash->slot_count && !grow(hash))
		return NULL;
	entry = table_arena__allocate(&hash->entries, sizeof(*entry) + hash->value_bytes + bytes);
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
		slot = slot_of(hash, code, key, bytes);
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
	table_arena__free(&hash->entries);
	hash->slots = NULL;
	hash->slot_count = 0;
	hash->count = 0;
}

/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * base/hash.h: a hash table of structs that never move, with a link inside.  The table allocates
 * buckets only.
 *
 *	struct hash_link *link = hash__first(&hash, code);
 *
 *	while (link && !is_same(HASH_ENTRY(link, struct file, link), key))
 *		link = hash__next(link);
 *
 * Codes of keys that strangers choose are made with a seed, by sip_hash__key() or number_hash().
 */
#ifndef PEAT_BASE_HASH_H
#define PEAT_BASE_HASH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct hash_link {
	struct hash_link *next;
	uint64_t code; /* the hash of the key */
};

struct hash {
	struct hash_link **buckets; /* bucket_count is a power of two, or 0 */
	size_t bucket_count, count;
};

/* The struct that holds the link; a link of another type is refused. */
#define HASH_ENTRY(link_, type, member)                                                            \
	((type *)(void *)((char *)(1 ? (link_) : &((type *)0)->member) - offsetof(type, member)))

/* Adds an entry, also if its key is there already.  0 or -ENOMEM: it was not added. */
int hash__add(struct hash *hash, struct hash_link *link, uint64_t code);

void hash__remove(struct hash *hash, const struct hash_link *link); /* it was added */

void hash__free(struct hash *hash); /* not the entries; all zero: nothing */

/* All entries, in no order.  The body may remove and free its entry. */
#define for_each_entry(hash, link)                                                                 \
	for (struct hash_link *link = hash__begin(hash), *link##_after_;                           \
	     link && (link##_after_ = hash__after(hash, link), true); link = link##_after_)

struct hash_link *hash__begin(const struct hash *hash); /* NULL: no more */
struct hash_link *hash__after(const struct hash *hash, const struct hash_link *link);

/* The entries with this code; NULL: no more. */
static inline struct hash_link *hash__match(struct hash_link *link, uint64_t code)
{
	while (link && link->code != code)
		link = link->next;
	return link;
}

static inline struct hash_link *hash__first(const struct hash *hash, uint64_t code)
{
	return hash->count ? hash__match(hash->buckets[code & (hash->bucket_count - 1)], code)
			   : NULL;
}

static inline struct hash_link *hash__next(const struct hash_link *link)
{
	return hash__match(link->next, link->code);
}

/* A code for a number that no stranger chooses, such as an address.  Different numbers differ. */
static inline uint64_t hash__number(uint64_t number)
{
	uint64_t product = number * 0x9e3779b97f4a7c15;

	return product ^ product >> 32;
}

#endif /* PEAT_BASE_HASH_H */

// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* base/hash.c: a hash table of structs that never move, with a link inside. */
#include <errno.h>
#include <stdlib.h>

#include "base/hash.h"

#define BUCKETS_LEAST 16

static struct hash_link **bucket_of(const struct hash *hash, uint64_t code)
{
	return &hash->buckets[code & (hash->bucket_count - 1)];
}

static void put(struct hash *hash, struct hash_link *link)
{
	struct hash_link **bucket = bucket_of(hash, link->code);

	link->next = *bucket;
	*bucket = link;
}

/* Without memory the chains get longer; the first buckets are needed. */
static int grow_hash(struct hash *hash)
{
	struct hash grown = {
		.bucket_count = hash->bucket_count ? 2 * hash->bucket_count : BUCKETS_LEAST,
		.count = hash->count,
	};

	grown.buckets = calloc(grown.bucket_count, sizeof(struct hash_link *));
	if (!grown.buckets)
		return hash->bucket_count ? 0 : -ENOMEM;
	for (size_t i = 0; i < hash->bucket_count; i++)
		while (hash->buckets[i]) {
			struct hash_link *link = hash->buckets[i];

			hash->buckets[i] = link->next;
			put(&grown, link);
		}
	free(hash->buckets);
	*hash = grown;
	return 0;
}

int hash__add(struct hash *hash, struct hash_link *link, uint64_t code)
{
	int err = hash->count == hash->bucket_count ? grow_hash(hash) : 0;

	if (err)
		return err;
	link->code = code;
	put(hash, link);
	hash->count++;
	return 0;
}

void hash__remove(struct hash *hash, const struct hash_link *link)
{
	struct hash_link **at = bucket_of(hash, link->code);

	while (*at != link)
		at = &(*at)->next;
	*at = link->next;
	hash->count--;
}

static struct hash_link *first_from(const struct hash *hash, size_t bucket)
{
	for (; bucket < hash->bucket_count; bucket++)
		if (hash->buckets[bucket])
			return hash->buckets[bucket];
	return NULL;
}

struct hash_link *hash__begin(const struct hash *hash)
{
	return first_from(hash, 0);
}

struct hash_link *hash__after(const struct hash *hash, const struct hash_link *link)
{
	if (link->next)
		return link->next;
	return first_from(hash, (link->code & (hash->bucket_count - 1)) + 1);
}

void hash__free(struct hash *hash)
{
	free(hash->buckets);
	*hash = (struct hash){ 0 };
}

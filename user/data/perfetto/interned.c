// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* perfetto/interned.c: ids of strings, files, frames and stacks. */
#include <string.h>

#include "base/sip_hash.h"
#include "perfetto/interned.h"

struct interned_entry {
	struct hash_link link;
	uint64_t id;
	enum interned_kind kind;
	size_t bytes;
	unsigned char key[];
};

static struct interned_entry *find_entry(const struct interned *interned, enum interned_kind kind,
					 const void *key, size_t bytes, uint64_t code)
{
	struct hash_link *link = hash__first(&interned->by_key, code);

	for (; link; link = hash__next(link)) {
		struct interned_entry *entry = HASH_ENTRY(link, struct interned_entry, link);

		if (entry->kind == kind && entry->bytes == bytes &&
		    (!bytes || !memcmp(entry->key, key, bytes)))
			return entry;
	}
	return NULL;
}

uint64_t interned__find(struct interned *interned, enum interned_kind kind, const void *key,
			size_t bytes, bool *is_new)
{
	uint64_t code = sip_hash__key(key, bytes) + kind;
	struct interned_entry *entry = find_entry(interned, kind, key, bytes, code);

	*is_new = !entry;
	if (entry)
		return entry->id;
	entry = arena__take(&interned->memory, sizeof(*entry) + bytes);
	if (!entry || hash__add(&interned->by_key, &entry->link, code))
		return 0;
	entry->id = ++interned->counts[kind];
	entry->kind = kind;
	entry->bytes = bytes;
	if (bytes)
		memcpy(entry->key, key, bytes);
	return entry->id;
}

size_t interned__bytes(const struct interned *interned)
{
	return interned->memory.bytes + interned->by_key.bucket_count * sizeof(void *);
}

void interned__free(struct interned *interned)
{
	hash__free(&interned->by_key);
	arena__free(&interned->memory);
	*interned = (struct interned){ 0 };
}

// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* recorder/mapped_ids.c: reads the build ids of mapped files. */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/sip_hash.h"
#include "recorder/mapped_ids.h"
#include "symbols/elf/head_id.h"
#include "symbols/files/symbol_file.h"

struct mapped_id {
	struct hash_link link;
	uint64_t key[3];    /* inode, generation, device */
	struct build_id id; /* 0 bytes: the file has none */
};

/* ---- files ----------------------------------------------------------------------------------- */

static void read_id(struct build_id *id, uint32_t pid, const struct proc_map *map)
{
	static const struct file_reader reader; /* not used, since there is no id to compare */
	const struct mapped_file file = { .key = { .path = map->path,
						   .major = map->major,
						   .minor = map->minor,
						   .inode = map->inode } };
	const struct file_place place = { pid, map->start, map->end, true, NULL };
	struct opened_file opened;

	if (symbol_file__open(&reader, &file, &place, &opened))
		return;
	if (!head_id__read(opened.fd, id))
		*id = (struct build_id){ 0 };
	close(opened.fd);
}

/* ---- the table ------------------------------------------------------------------------------- */

static struct mapped_id *find_mapped_id(const struct mapped_ids *ids, const uint64_t *key,
					uint64_t code)
{
	struct hash_link *link = hash__first(&ids->by_file, code);

	for (; link; link = hash__next(link)) {
		struct mapped_id *mapped = HASH_ENTRY(link, struct mapped_id, link);

		if (!memcmp(mapped->key, key, sizeof(mapped->key)))
			return mapped;
	}
	return NULL;
}

const struct build_id *mapped_ids__find(struct mapped_ids *ids, uint32_t pid, uint64_t generation,
					const struct proc_map *map)
{
	const uint64_t key[] = { map->inode, generation, (uint64_t)map->major << 32 | map->minor };
	uint64_t code = sip_hash__key(key, sizeof(key));
	struct mapped_id *mapped;

	if (!map->inode || *map->path != '/')
		return NULL;
	mapped = find_mapped_id(ids, key, code);
	if (!mapped) {
		mapped = calloc(1, sizeof(*mapped));
		if (!mapped || hash__add(&ids->by_file, &mapped->link, code)) {
			free(mapped);
			return NULL;
		}
		memcpy(mapped->key, key, sizeof(key));
		read_id(&mapped->id, pid, map);
	}
	return mapped->id.bytes ? &mapped->id : NULL;
}

void mapped_ids__free(struct mapped_ids *ids)
{
	for_each_entry (&ids->by_file, link)
		free(HASH_ENTRY(link, struct mapped_id, link));
	hash__free(&ids->by_file);
	*ids = (struct mapped_ids){ 0 };
}

// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* recorder/mapped_ids.c: reads the build ids of mapped files. */
#include <stdlib.h>
#include <unistd.h>

#include "base/internal.h"
#include "base/sip_hash.h"
#include "recorder/mapped_ids.h"
#include "symbols/elf/head_id.h"
#include "symbols/files/symbol_file.h"

#define ROOM_MIN 64

struct mapped_id {
	uint64_t inode; /* 0: a free place */
	uint64_t generation;
	uint32_t major, minor;
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

static struct mapped_id *find_place(const struct mapped_ids *ids, const struct mapped_id *key)
{
	const uint64_t words[] = { key->inode, key->generation,
				   (uint64_t)key->major << 32 | key->minor };
	size_t at = (size_t)sip_hash__key(words, sizeof(words));

	for (;; at++) {
		struct mapped_id *place = &ids->places[at & (ids->room - 1)];

		if (!place->inode ||
		    (place->inode == key->inode && place->major == key->major &&
		     place->minor == key->minor && place->generation == key->generation))
			return place;
	}
}

static bool grow(struct mapped_ids *ids)
{
	struct mapped_ids more = { .room = ids->room ? 2 * ids->room : ROOM_MIN,
				   .count = ids->count };

	if (2 * (ids->count + 1) <= ids->room)
		return true;
	more.places = calloc(more.room, sizeof(*more.places));
	if (!more.places)
		return false;
	for (size_t i = 0; i < ids->room; i++)
		if (ids->places[i].inode)
			*find_place(&more, &ids->places[i]) = ids->places[i];
	free(ids->places);
	*ids = more;
	return true;
}

const struct build_id *mapped_ids__find(struct mapped_ids *ids, uint32_t pid, uint64_t generation,
					const struct proc_map *map)
{
	struct mapped_id key = { .inode = map->inode,
				 .generation = generation,
				 .major = map->major,
				 .minor = map->minor };
	struct mapped_id *place;

	if (!map->inode || *map->path != '/' || !grow(ids))
		return NULL;
	place = find_place(ids, &key);
	if (!place->inode) {
		*place = key;
		read_id(&place->id, pid, map);
		ids->count++;
	}
	return place->id.bytes ? &place->id : NULL;
}

void mapped_ids__free(struct mapped_ids *ids)
{
	free(ids->places);
	*ids = (struct mapped_ids){ 0 };
}

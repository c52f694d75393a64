// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* replay/build_ids.c: the build ids of files that a recording lists. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "replay/build_ids.h"

#define ROOM_MIN  64
#define MD5_BYTES 16

/* perf before 5.10 pads shorter ids with zeroes, without a size. */
static uint8_t count_bytes(const struct tool_build_id *id)
{
	static const uint8_t padding[RECORDED_ID_BYTES - MD5_BYTES];

	if (id->id_bytes == RECORDED_ID_BYTES &&
	    !memcmp(id->id + MD5_BYTES, padding, sizeof(padding)))
		return MD5_BYTES;
	return id->id_bytes;
}

static int grow(struct build_ids *ids)
{
	size_t room = ids->room ? 2 * ids->room : ROOM_MIN;
	struct recorded_id *list = reallocarray(ids->list, room, sizeof(*list));

	if (!list)
		return -ENOMEM;
	ids->list = list;
	ids->room = room;
	return 0;
}

int build_ids__add(struct build_ids *ids, const struct tool_build_id *id)
{
	struct recorded_id added = { .bytes = count_bytes(id) };

	if (!added.bytes)
		return 0;
	if (ids->count == ids->room && grow(ids))
		return -ENOMEM;
	memcpy(added.id, id->id, added.bytes);
	added.path = strndup(id->filename, id->filename_bytes);
	if (!added.path)
		return -ENOMEM;
	ids->list[ids->count++] = added;
	ids->is_sorted = false;
	return 0;
}

static int compare(const void *left, const void *right)
{
	const struct recorded_id *a = left, *b = right;

	return strcmp(a->path, b->path);
}

/* Keeps each path once. */
static void sort(struct build_ids *ids)
{
	struct recorded_id *list = ids->list;
	size_t kept = 0;

	ids->is_sorted = true;
	if (!ids->count)
		return;
	qsort(list, ids->count, sizeof(*list), compare);
	for (size_t i = 1; i < ids->count; i++) {
		if (strcmp(list[kept].path, list[i].path) != 0) {
			list[++kept] = list[i];
			continue;
		}
		if (list[kept].bytes != list[i].bytes ||
		    memcmp(list[kept].id, list[i].id, list[i].bytes) != 0)
			list[kept].bytes = 0;
		free(list[i].path);
	}
	ids->count = kept + 1;
}

const struct recorded_id *build_ids__find(struct build_ids *ids, const char *path)
{
	const struct recorded_id key = { .path = (char *)path };
	const struct recorded_id *found;

	if (!ids->is_sorted)
		sort(ids);
	if (!ids->count)
		return NULL;
	found = bsearch(&key, ids->list, ids->count, sizeof(key), compare);
	return found && found->bytes ? found : NULL;
}

void build_ids__free(struct build_ids *ids)
{
	for (size_t i = 0; i < ids->count; i++)
		free(ids->list[i].path);
	free(ids->list);
	*ids = (struct build_ids){ 0 };
}

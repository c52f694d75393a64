// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* replay/noted_types.c: reads schemas from notes. */
#include <errno.h>
#include <stdlib.h>

#include "base/array.h"
#include "base/cursor.h"
#include "replay/noted_types.h"
#include "schema/schema_bytes.h"

/* Limits: no agent has so many types. */
#define TYPES_MAX	 4096
#define TYPES_BYTES_MAX	 (32u << 20)
#define SCHEMA_BYTES_MAX (4u << 20)

static struct noted_type *find_equal(const struct noted_types *types, uint32_t *index)
{
	for (uint32_t i = 0; i < types->count; i++) {
		struct noted_type *type = types->at[i];

		*index = i;
		if (type->count == types->part.count &&
		    (!type->count || !memcmp(type->bytes, types->part.bytes, type->count)))
			return type;
	}
	return NULL;
}

static void free_type(struct noted_type *type)
{
	if (!type)
		return;
	peat_schema__free(type->schema);
	free(type->bytes);
	free(type);
}

/* 1: added; 0: it is damaged; -ENOMEM. */
static int add_type(struct noted_types *types)
{
	struct noted_type *type = calloc(1, sizeof(*type));
	size_t count = types->part.count;
	int err = 0;

	if (!type || !ARRAY_RESERVE_NEXT(types->at, types->count)) {
		free(type);
		return -ENOMEM;
	}
	type->count = count;
	type->bytes = malloc(count + !count);
	if (type->bytes && count) {
		memcpy(type->bytes, types->part.bytes, count);
		type->schema = schema_bytes__read(type->bytes, count);
		err = type->schema ? 0 : -errno;
	}
	if (!type->bytes || err) {
		err = type->bytes ? err : -ENOMEM;
		free_type(type);
		return err == -ENOMEM ? err : 0;
	}
	types->bytes += count;
	types->at[types->count++] = type;
	return 1;
}

/* All bytes of the schema of this id are in the part. */
static int finish_type(struct noted_types *types, uint64_t id)
{
	uint32_t index;
	int ret;

	if (!find_equal(types, &index)) {
		if (types->count == TYPES_MAX || types->bytes > TYPES_BYTES_MAX)
			return 0;
		ret = add_type(types);
		if (ret <= 0)
			return ret;
		index = types->count - 1;
	}
	if (types->id_count == TYPES_MAX)
		return 0;
	if (!ARRAY_RESERVE_NEXT(types->ids, types->id_count))
		return -ENOMEM;
	types->ids[types->id_count++] = (struct noted_id){ .id = id, .type = index };
	return 0;
}

int noted_types__read(struct noted_types *types, const struct note *note, bool swapped)
{
	const struct peat_layout layout = { .swapped = swapped };
	struct cursor cur;
	uint32_t id, bytes, at;

	cursor__init(&cur, note->bytes, note->bytes + note->count, &layout);
	id = cursor__u32(&cur);
	cursor__bytes(&cur, 3 * sizeof(uint32_t)); /* type, kind, flags */
	bytes = cursor__u32(&cur);
	at = cursor__u32(&cur);
	cursor__bytes(&cur, cursor__u32(&cur)); /* map */
	if (!at) {
		types->part.count = 0;
		types->part_id = id;
	}
	if (cur.bad || swapped || bytes > SCHEMA_BYTES_MAX || id != types->part_id ||
	    at != types->part.count || cursor__left(&cur) > bytes - at)
		return 0;
	strbuf__bytes(&types->part, cur.at, cursor__left(&cur));
	if (types->part.failed)
		return -ENOMEM;
	return types->part.count == bytes ? finish_type(types, id) : 0;
}

void noted_types__restart(struct noted_types *types)
{
	types->id_count = 0;
	types->part.count = 0;
	types->part_id = 0;
}

struct noted_type *noted_types__find(const struct noted_types *types, uint64_t id)
{
	for (uint32_t i = 0; i < types->id_count; i++)
		if (types->ids[i].id == id)
			return types->at[types->ids[i].type];
	return NULL;
}

uint32_t noted_types__size(const uint8_t *raw, uint32_t bytes)
{
	uint32_t pad = bytes ? raw[bytes - 1] : 0;

	return pad <= bytes ? bytes - pad : bytes;
}

void noted_types__free(struct noted_types *types)
{
	for (uint32_t i = 0; i < types->count; i++)
		free_type(types->at[i]);
	free(types->at);
	free(types->ids);
	strbuf__free(&types->part);
	*types = (struct noted_types){ 0 };
}

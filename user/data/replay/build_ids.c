// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* replay/build_ids.c: the build ids of files that a recording lists. */
#include <errno.h>
#include <string.h>

#include "replay/build_ids.h"

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

int build_ids__add(struct build_ids *ids, const struct tool_build_id *id)
{
	uint32_t path_bytes = (uint32_t)strnlen(id->filename, id->filename_bytes);
	struct recorded_id added = { .bytes = count_bytes(id) }, *kept;
	bool is_new;

	if (!added.bytes)
		return 0;
	memcpy(added.id, id->id, added.bytes);
	if (!ids->by_path.value_bytes)
		table_hash__init(&ids->by_path, sizeof(*kept));
	kept = table_hash__add(&ids->by_path, id->filename, path_bytes, &is_new);
	if (!kept)
		return -ENOMEM;
	if (is_new)
		*kept = added;
	else if (memcmp(kept, &added, sizeof(added)) != 0)
		kept->bytes = 0;
	return 0;
}

const struct recorded_id *build_ids__find(const struct build_ids *ids, const char *path)
{
	const struct recorded_id *found =
		table_hash__find(&ids->by_path, path, (uint32_t)strlen(path));

	return found && found->bytes ? found : NULL;
}

void build_ids__free(struct build_ids *ids)
{
	table_hash__clear(&ids->by_path);
}

// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* schema/appended.c: bytes after the struct of an event, and padding after these. */
#include <string.h>

#include "schema/appended.h"

/* ---- the field ------------------------------------------------------------------------------- */

static bool has_open_field(const struct peat_schema *schema)
{
	const struct peat_field *field = schema->fields, *end = field + schema->count;

	for (; field < end; field += field->span)
		if (!field->bytes)
			return true;
	return false;
}

static bool has_field(const struct peat_schema *schema, const char *name)
{
	uint32_t offset;

	return peat_schema__find(schema, name, &offset) != NULL;
}

void appended__init(struct peat_schema *schema)
{
	static const char *const names[] = { "payload", "payload_", "payload__" };
	size_t i = 0;

	if (has_open_field(schema))
		return;
	while (i + 1 < sizeof(names) / sizeof(*names) && has_field(schema, names[i]))
		i++;
	schema->appended = (struct peat_field){ .name = names[i],
						.kind = PEAT_FIELD_BYTES,
						.span = 1,
						.offset = schema->bytes,
						.schema = schema };
}

/* ---- padding --------------------------------------------------------------------------------- */

static bool is_length(const struct peat_field *field)
{
	return fields__is_number(field) &&
	       (strstr(field->name, "len") || strstr(field->name, "size") ||
		strstr(field->name, "bytes"));
}

/* A packet's own length may be larger than the part that was appended: the least one is right. */
static uint32_t trim_by_member(const struct peat_schema *schema, const void *data, uint32_t bytes)
{
	const struct peat_field *field = schema->fields, *end = field + schema->count;
	uint32_t most = bytes - schema->bytes, least = most;

	for (; field < end; field += field->span) {
		uint64_t length;

		if (is_length(field) && peat_field__number(field, data, bytes, &length) &&
		    length < least && most - length <= APPENDED_PADDING_MAX)
			least = (uint32_t)length;
	}
	return schema->bytes + least;
}

uint32_t appended__trim(const struct peat_schema *schema, const void *data, uint32_t bytes)
{
	if (!schema || !appended__has(schema, bytes))
		return bytes;
	if (bytes - schema->bytes <= APPENDED_PADDING_MAX)
		return schema->bytes;
	return trim_by_member(schema, data, bytes);
}

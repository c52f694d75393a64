// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* field/appended.c: bytes after the struct of an event, and padding after these. */
#include <string.h>

#include "field/appended.h"

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

/*
 * The least length in the struct that padding allows: a packet's own length may be larger than the
 * part that was appended.  UINT32_MAX: none.
 */
static uint32_t length_in_member(const struct peat_schema *schema, const void *data, uint32_t bytes)
{
	const struct peat_field *field = schema->fields, *end = field + schema->count;
	uint32_t most = bytes - schema->bytes, least = UINT32_MAX;

	for (; field < end; field += field->span) {
		uint64_t length;

		if (is_length(field) && peat_field__number(field, data, bytes, &length) &&
		    length < least && length <= most && most - length <= APPENDED_PADDING_MAX)
			least = (uint32_t)length;
	}
	return least;
}

/*
 * The kernel keeps no size but the padded one.  Up to 7 bytes may all be padding: they are a
 * payload if the program is known to append some, and the struct has the length.
 */
uint32_t appended__trim(const struct peat_schema *schema, const void *data, uint32_t bytes)
{
	uint32_t length;
	bool is_short;

	if (!schema || !appended__has(schema, bytes))
		return bytes;
	is_short = bytes - schema->bytes <= APPENDED_PADDING_MAX;
	if (is_short && !schema->expects_appended)
		return schema->bytes;
	length = length_in_member(schema, data, bytes);
	if (length != UINT32_MAX)
		return schema->bytes + length;
	return is_short ? schema->bytes : bytes;
}

// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* field/several_strings.c: the end of the last string in an array of characters. */
#include <stdio.h>
#include <string.h>

#include "field/appended.h"
#include "field/several_strings.h"

#define NAME_BYTES 128

/* Part of an array that can have strings. */
struct extent {
	uint32_t bytes;	     /* strings end here */
	uint32_t last_start; /* strings begin before this; less than `bytes`: padding follows */
};

/* ---- the extent ------------------------------------------------------------------------------ */

static const char *const suffixes[] = { "_size", "_len", "_length", "_bytes" };

#define SUFFIXES (sizeof(suffixes) / sizeof(*suffixes))

/* A number called like this field and a suffix; NULL: there is none. */
static const struct peat_field *find_length_field(const struct peat_field *field,
						  const char *suffix)
{
	const struct peat_field *found;
	char name[NAME_BYTES];
	uint32_t offset;
	int count = snprintf(name, sizeof(name), "%s%s", field->name, suffix);

	if (count < 0 || (size_t)count >= sizeof(name))
		return NULL;
	found = peat_schema__find(field->schema, name, &offset);
	return found && fields__is_number(found) ? found : NULL;
}

static bool is_string(const struct peat_field *field)
{
	return field_type__of(field)->strings == FIELD_ONE_STRING;
}

void several_strings__init(struct peat_schema *schema)
{
	const struct peat_field *field = schema->fields, *end = field + schema->count;

	for (; field < end; field += field->span)
		for (size_t i = 0; i < SUFFIXES && is_string(field); i++)
			schema->has_text_lengths |= find_length_field(field, suffixes[i]) != NULL;
}

static bool is_top_level(const struct peat_field *field)
{
	uint32_t offset;

	return peat_schema__find(field->schema, field->name, &offset) == field;
}

bool several_strings__has_length(const struct peat_field *field)
{
	bool has_length = field->length;

	if (!field->schema || !field->schema->has_text_lengths || !is_top_level(field))
		return has_length;
	for (size_t i = 0; i < SUFFIXES; i++)
		has_length |= find_length_field(field, suffixes[i]) != NULL;
	return has_length;
}

/* A length that ends at a NUL, or at the end of the event but for its padding. */
static bool is_length_of(uint64_t length, const struct peat_field *field, const char *text,
			 uint32_t count)
{
	if (!length || length > count)
		return false;
	return count < field->bytes ? count - length <= APPENDED_PADDING_MAX : !text[length - 1];
}

static bool find_stated_length(const struct peat_field *field, const void *data, uint32_t bytes,
			       const char *text, uint32_t count, uint32_t *length)
{
	uint64_t stated;

	if (!field->schema || !field->schema->has_text_lengths || !is_top_level(field))
		return false;
	for (size_t i = 0; i < SUFFIXES; i++) {
		const struct peat_field *found = find_length_field(field, suffixes[i]);

		if (!found || !peat_field__number(found, data, bytes, &stated) ||
		    !is_length_of(stated, field, text, count))
			continue;
		*length = (uint32_t)stated;
		return true;
	}
	return false;
}

static struct extent find_extent(const struct peat_field *field, const void *data, uint32_t bytes,
				 const char *text, uint32_t count)
{
	uint32_t length, padding = APPENDED_PADDING_MAX;

	if (field->place != PEAT_PLACE_OFFSET)
		return (struct extent){ 0 };
	if (field->length)
		return (struct extent){ count, count };
	if (find_stated_length(field, data, bytes, text, count, &length))
		return (struct extent){ length, length };
	if (count >= field->bytes || count <= padding)
		return (struct extent){ 0 };
	return (struct extent){ count, count - padding };
}

/* ---- strings --------------------------------------------------------------------------------- */

static bool is_text(const char *text, uint32_t bytes)
{
	for (uint32_t i = 0; i < bytes; i++) {
		unsigned char c = (unsigned char)text[i];

		if ((c < ' ' && c != '\t' && c != '\n' && c != '\r') || c == 0x7f)
			return false;
	}
	return true;
}

/* The end of the last string in the extent; `end`: the end of the first. */
static uint32_t find_end(const struct extent *extent, const char *text, uint32_t end)
{
	uint32_t start = end + 1;

	while (start < extent->last_start) {
		uint32_t length = (uint32_t)strnlen(text + start, extent->bytes - start);

		if (!is_text(text + start, length))
			break;
		if (length)
			end = start + length;
		start += length + 1;
	}
	return end;
}

uint32_t several_strings__bytes(const struct peat_field *field, const void *data, uint32_t bytes,
				const char *text, uint32_t count)
{
	uint32_t first = (uint32_t)strnlen(text, count), end;
	struct extent extent;

	if (first + 1 >= count)
		return first;
	extent = find_extent(field, data, bytes, text, count);
	end = find_end(&extent, text, first);
	if (extent.last_start < extent.bytes && extent.bytes - end > 1 + APPENDED_PADDING_MAX)
		return first;
	return end;
}

// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* field/fields.c: finding the fields of an event by name, and reading them from its bytes. */
#include <errno.h>
#include <string.h>

#include "base/errors.h"
#include "field/fields.h"

const char *const fields__event_reserved[] = { "type", "time_ns", "time", "cpu", "pid",
					       "tid",  "comm",	  "late", NULL };

const char *peat_schema__name(const struct peat_schema *schema)
{
	return schema->name;
}

const char *peat_schema__doc(const struct peat_schema *schema)
{
	return schema->doc;
}

const char *peat_schema__subject(const struct peat_schema *schema)
{
	return schema->subject;
}

const char *peat_schema__like(const struct peat_schema *schema)
{
	return schema->like_tools;
}

uint32_t peat_schema__bytes(const struct peat_schema *schema)
{
	return schema->bytes;
}

const struct peat_field *peat_schema__fields(const struct peat_schema *schema, uint32_t *count)
{
	if (count)
		*count = schema->count;
	return schema->fields;
}

/* ---- by name --------------------------------------------------------------------------------- */

static const struct peat_field *find_among(const struct peat_field *field,
					   const struct peat_field *end, const char *name,
					   size_t bytes)
{
	for (; field < end; field += field->span)
		if (!strncmp(field->name, name, bytes) && !field->name[bytes])
			return field;
	return NULL;
}

const struct peat_field *peat_schema__find(const struct peat_schema *schema, const char *path,
					   uint32_t *offset)
{
	const struct peat_field *first = schema->fields, *end = first + schema->count, *found;
	uint32_t unused;

	if (!offset)
		offset = &unused;
	*offset = 0;
	for (;;) {
		size_t bytes = strcspn(path, ".");

		found = find_among(first, end, path, bytes);
		if (!found || !path[bytes])
			break;
		if (!fields__has_members(found))
			return fail_null(-ENOENT);
		*offset += found->offset;
		first = found + 1;
		end = found + found->span;
		path += bytes + 1;
	}
	return found ? found : fail_null(-ENOENT);
}

/* ---- bytes ----------------------------------------------------------------------------------- */

static bool is_present(const struct peat_field *field, const void *data, uint32_t bytes)
{
	uint64_t number;

	return peat_field__number(field->presence, data, bytes, &number) && number;
}

/* Largest size by the length field; UINT32_MAX: none, or the event ends before it. */
static uint32_t length_from_field(const struct peat_field *field, const void *data, uint32_t bytes)
{
	uint64_t length;

	if (!field->length || !peat_field__number(field->length, data, bytes, &length))
		return UINT32_MAX;
	if (field->length->is_signed && (int64_t)length < 0)
		return 0;
	return length < UINT32_MAX ? (uint32_t)length : UINT32_MAX;
}

/* Finds a __data_loc or __rel_loc field, cut by the event's end. */
static const void *find_dynamic(const struct peat_field *field, const void *data, uint32_t bytes,
				uint32_t *count)
{
	uint64_t at;
	uint32_t where, stated;

	if (bytes < sizeof(where) || field->offset > bytes - sizeof(where))
		return NULL;
	memcpy(&where, (const char *)data + field->offset, sizeof(where));
	stated = where >> 16;
	at = where & UINT16_MAX;
	if (field->place == PEAT_PLACE_REL_LOC)
		at += field->offset + sizeof(where);
	if (at > bytes || (at == bytes && stated))
		return NULL;
	*count = stated < bytes - at ? stated : bytes - (uint32_t)at;
	if (stated && *count == stated && field_type__of(field)->strings == FIELD_ALL_BYTES &&
	    !((const char *)data)[at + stated - 1])
		--*count; /* the NUL that perf needs */
	return (const char *)data + at;
}

const void *fields__bytes(const struct peat_field *field, const void *data, uint32_t bytes,
			  uint32_t *count)
{
	uint32_t left = bytes > field->offset ? bytes - field->offset : 0;
	uint32_t stated;

	*count = 0;
	if (__builtin_expect(field->presence != NULL, 0) && !is_present(field, data, bytes))
		return NULL;
	if (__builtin_expect(field->place != PEAT_PLACE_OFFSET, 0))
		return find_dynamic(field, data, bytes, count);
	stated = length_from_field(field, data, bytes);
	*count = field->bytes && field->bytes < left ? field->bytes : left;
	if (!*count && field->bytes && stated)
		return NULL;
	if (stated < *count)
		*count = stated;
	if (*count < field->bytes && !field_type__may_be_cut(field->kind))
		return NULL;
	return (const char *)data + (bytes < field->offset ? bytes : field->offset);
}

/* ---- numbers --------------------------------------------------------------------------------- */

static uint64_t load_native(const unsigned char *bytes, uint32_t count)
{
	uint16_t two;
	uint32_t four;
	uint64_t eight;

	switch (count) {
	case 1:
		return bytes[0];
	case 2:
		memcpy(&two, bytes, 2);
		return two;
	case 4:
		memcpy(&four, bytes, 4);
		return four;
	default:
		memcpy(&eight, bytes, 8);
		return eight;
	}
}

static uint64_t load_big(const unsigned char *bytes, uint32_t count)
{
	uint64_t value = 0;

	for (uint32_t i = 0; i < count; i++)
		value = value << 8 | bytes[i];
	return value;
}

static uint64_t sign_extend(uint64_t value, uint32_t bits)
{
	uint32_t shift = 64 - bits;

	return (uint64_t)((int64_t)(value << shift) >> shift);
}

/* Bits of the field's number; 0: the field is no number. */
static uint32_t number_bits(const struct peat_field *field)
{
	if (!field_type__is_number(field->kind))
		return 0;
	if (field->bytes != 1 && field->bytes != 2 && field->bytes != 4 && field->bytes != 8)
		return 0;
	if (field->bit_offset + field->bits > field->bytes * 8)
		return 0;
	return field->bits ? field->bits : field->bytes * 8;
}

bool fields__is_number(const struct peat_field *field)
{
	return number_bits(field) != 0;
}

/* fields__bytes() of a number, which cannot be cut.  Most numbers have a fixed place. */
static const void *number_bytes(const struct peat_field *field, const void *data, uint32_t bytes,
				uint32_t *count)
{
	if (__builtin_expect(field->presence || field->length || field->place != PEAT_PLACE_OFFSET,
			     0))
		return fields__bytes(field, data, bytes, count);
	*count = field->bytes;
	return bytes >= field->offset && bytes - field->offset >= field->bytes
		       ? (const char *)data + field->offset
		       : NULL;
}

bool peat_field__number(const struct peat_field *field, const void *data, uint32_t bytes,
			uint64_t *value)
{
	uint32_t count, bits = number_bits(field);
	const unsigned char *at = bits ? number_bytes(field, data, bytes, &count) : NULL;

	*value = 0;
	if (!at)
		return false;
	*value = field->big_endian ? load_big(at, count) : load_native(at, count);
	if (bits < 64)
		*value = *value >> field->bit_offset & ((1ULL << bits) - 1);
	if (field->is_signed)
		*value = sign_extend(*value, bits);
	return true;
}

uint32_t fields__elements(const struct peat_field *array, uint32_t bytes)
{
	uint32_t each = array->span > 1 ? array[1].bytes : 0, whole = each ? bytes / each : 0;

	if (!array->count || whole >= array->count)
		return array->count ? array->count : whole;
	return whole + (each && bytes % each);
}

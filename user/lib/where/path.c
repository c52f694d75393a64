// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* where/path.c: "from.port", "args[2]", "exec.pid": the fields of events by their paths. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "field/fields.h"
#include "field/sampled.h"
#include "where/path.h"

#define PATH_BYTES 256

/* An element of bytes that are no array. */
static const struct peat_field byte_field = {
	.name = "", .kind = PEAT_FIELD_UNSIGNED, .span = 1, .bytes = 1
};

#define COMMON(of, called, is, size)                                                               \
	{                                                                                          \
		WHERE_##of,                                                                        \
		{                                                                                  \
			.name = (called), .kind = (is), .span = 1, .bytes = (size)                 \
		}                                                                                  \
	}

/* By enum where_operand. */
static const struct {
	enum where_operand operand;
	struct peat_field field;
} common[] = {
	COMMON(PID, "pid", PEAT_FIELD_UNSIGNED, 4), COMMON(TID, "tid", PEAT_FIELD_UNSIGNED, 4),
	COMMON(CPU, "cpu", PEAT_FIELD_UNSIGNED, 4), COMMON(TIME, "time", PEAT_FIELD_DURATION, 8),
	COMMON(SIZE, "size", PEAT_FIELD_SIZE, 4),   COMMON(COMM, "comm", PEAT_FIELD_STRING, 16),
};

#define COMMONS (sizeof(common) / sizeof(*common))

/* ---- finding --------------------------------------------------------------------------------- */

static bool find_common(const char *name, struct where_place *place)
{
	for (size_t i = 0; i < COMMONS; i++)
		if (!strcmp(common[i].field.name, name)) {
			*place = (struct where_place){ .operand = common[i].operand,
						       .field = &common[i].field };
			return true;
		}
	return false;
}

static bool is_called(const char *name, const char *path, size_t bytes)
{
	return !strncmp(name, path, bytes) && !name[bytes];
}

/* A member of the fields from `first` on. */
static bool enter_member(struct where_place *place, const struct peat_field *first,
			 const struct peat_field *end, const char *name, size_t bytes)
{
	for (; first < end; first += first->span)
		if (is_called(first->name, name, bytes)) {
			place->field = first;
			return true;
		}
	return false;
}

static bool has_bytes(const struct peat_field *field)
{
	const struct field_type *type = field_type__of(field);

	return type->class == PEAT_CLASS_BYTES ||
	       (type->class == PEAT_CLASS_ADDRESS && !type->has_members);
}

/* Bytes in use vary, or their place does, or they can be absent. */
static bool is_dynamic(const struct peat_field *field)
{
	return field->place != PEAT_PLACE_OFFSET || field->length || field->presence;
}

static bool enter_element(struct where_place *place, unsigned long index)
{
	const struct peat_field *array = place->field;
	bool is_array = field_type__of(array)->class == PEAT_CLASS_ELEMENTS && array->span > 1;
	const struct peat_field *element = is_array ? array + 1 : &byte_field;
	uint32_t count = is_array ? array->count : array->bytes;

	if ((!is_array && !has_bytes(array)) || !element->bytes ||
	    index > UINT16_MAX / element->bytes)
		return false;
	if (count && index >= count) {
		place->elements = count;
		return false;
	}
	place->field = element;
	if (is_dynamic(array)) {
		if (place->array)
			return false;
		place->array = array;
		place->array_base = place->base;
		place->base = (uint32_t)index * element->bytes;
	} else {
		place->base += array->offset + (uint32_t)index * element->bytes;
	}
	return true;
}

static bool enter_struct(struct where_place *place, const char *name, size_t bytes)
{
	const struct peat_field *outer = place->field;

	place->base += outer->offset;
	return fields__has_members(outer) &&
	       enter_member(place, outer + 1, outer + outer->span, name, bytes);
}

static bool find_field(const struct peat_schema *schema, const char *path,
		       struct where_place *place)
{
	size_t bytes = strcspn(path, ".[");
	char *end;

	*place = (struct where_place){ .operand = WHERE_FIELD };
	if (!enter_member(place, schema->fields, schema->fields + schema->count, path, bytes))
		return false;
	for (path += bytes; *path;) {
		if (*path == '[') {
			if (!enter_element(place, strtoul(path + 1, &end, 10)))
				return false;
			path = end + 1;
			continue;
		}
		bytes = strcspn(++path, ".[");
		if (!enter_struct(place, path, bytes))
			return false;
		path += bytes;
	}
	return true;
}

static bool find_sampled(const struct peat_schema *schema, const char *name,
			 struct where_place *place)
{
	const struct sampled_number *number = sampled__find(schema, name);

	if (!number)
		return false;
	*place = (struct where_place){ .operand = WHERE_SAMPLED,
				       .field = &number->field,
				       .sampled = number };
	return true;
}

static bool find_in(const struct peat_schema *schema, const char *path, struct where_place *place)
{
	return (schema && find_field(schema, path, place)) || find_common(path, place) ||
	       find_sampled(schema, path, place);
}

/* Whether the path can only be one of a struct or an array of this type. */
static bool begins_with_outer(const struct peat_schema *schema, const char *path, size_t first)
{
	struct where_place place = { 0 };

	if (path[first] != '.')
		return true;
	return schema &&
	       enter_member(&place, schema->fields, schema->fields + schema->count, path, first) &&
	       fields__has_members(place.field);
}

enum where_found where_path__find(const struct peat_schema *schema, const char *path,
				  struct where_place *place)
{
	size_t first = strcspn(path, ".[");
	bool is_own = schema && path[first] == '.' && is_called(schema->name, path, first);

	*place = (struct where_place){ 0 };
	if (find_in(schema, path, place) || (is_own && find_in(schema, path + first + 1, place)))
		return WHERE_FOUND;
	return is_own || begins_with_outer(schema, path, first) ? WHERE_LACKED
								: WHERE_OF_ANOTHER_TYPE;
}

bool where_path__lacks_owner(const struct peat_schema *schema, const char *path)
{
	const char *last = strrchr(path, '.');
	struct where_place place;

	return sampled__is_of_owner(last ? last + 1 : path) &&
	       where_path__find(schema, path, &place) == WHERE_LACKED;
}

/* ---- listing --------------------------------------------------------------------------------- */

void where_path__list_common(void (*each)(void *context, const char *path), void *context)
{
	for (size_t i = 0; i < COMMONS; i++)
		each(context, common[i].field.name);
}

static void list(const struct peat_field *field, const struct peat_field *end, const char *prefix,
		 void (*each)(void *context, const char *path), void *context)
{
	char path[PATH_BYTES];

	for (; field < end; field += field->span) {
		int bytes = snprintf(path, sizeof(path), "%s%s", prefix, field->name);

		if (bytes < 0 || (size_t)bytes >= sizeof(path) - 1)
			continue;
		each(context, path);
		if (!fields__has_members(field))
			continue;
		strcat(path, ".");
		list(field + 1, field + field->span, path, each, context);
	}
}

void where_path__list(const struct peat_schema *schema,
		      void (*each)(void *context, const char *path), void *context)
{
	list(schema->fields, schema->fields + schema->count, "", each, context);
	sampled__list(schema, each, context);
}

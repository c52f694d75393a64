// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* session/foreign/array_names.c: names that tell the arrays of several objects apart. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "field/fields.h"
#include "session/foreign/array_names.h"
#include "session/parts/session.h"

/* ---- objects --------------------------------------------------------------------------------- */

/* The file name without its directory; `bytes` leaves out ".bpf.o" or ".o". */
static const char *short_name(const struct part *part, size_t *bytes)
{
	static const char *const ends[] = { ".bpf.o", ".o" };
	const char *slash = strrchr(part->name, '/');
	const char *name = slash ? slash + 1 : part->name;

	*bytes = strlen(name);
	for (size_t i = 0; i < sizeof(ends) / sizeof(*ends); i++) {
		size_t end = strlen(ends[i]);

		if (*bytes > end && !strcmp(name + *bytes - end, ends[i])) {
			*bytes -= end;
			break;
		}
	}
	return name;
}

/* The number of an object among those of the same short name, from 1. */
static unsigned number_of(const struct peat_session *session, size_t part)
{
	size_t bytes, other_bytes;
	const char *name = short_name(&session->parts[part], &bytes);
	unsigned number = 1;

	for (size_t i = 0; i < part; i++) {
		const char *other = short_name(&session->parts[i], &other_bytes);

		number += other_bytes == bytes && !memcmp(other, name, bytes);
	}
	return number;
}

/* "id17.events" for the map of another program. */
static char *full_name_by_id(const struct array *array, const char *name)
{
	char *text;

	return asprintf(&text, "id%u.%s", array->id, name) < 0 ? NULL : text;
}

char *array_names__full(const struct peat_session *session, size_t part, const char *name)
{
	unsigned number = number_of(session, part);
	char suffix[16] = "", *text;
	size_t bytes;
	const char *object = short_name(&session->parts[part], &bytes);

	if (number > 1)
		snprintf(suffix, sizeof(suffix), "-%u", number);
	if (asprintf(&text, "%.*s%s.%s", (int)bytes, object, suffix, name) < 0)
		return NULL;
	return text;
}

static char *full_name(const struct peat_session *session, const struct array *array,
		       const char *name)
{
	return array->map ? array_names__full(session, array->part, name)
			  : full_name_by_id(array, name);
}

/* ---- maps ------------------------------------------------------------------------------------ */

static bool is_map_ambiguous(const struct peat_session *session, const struct array *array)
{
	for (uint32_t i = 0; i < session->array_count; i++) {
		const struct array *other = &session->arrays[i];

		if (other->part != array->part && !strcmp(other->base_name, array->base_name))
			return true;
	}
	return false;
}

int array_names__set(struct peat_session *session)
{
	for (uint32_t i = 0; i < session->array_count; i++) {
		struct array *array = &session->arrays[i];

		free(array->name);
		array->name = is_map_ambiguous(session, array)
				      ? full_name(session, array, array->base_name)
				      : strdup(array->base_name);
		if (!array->name)
			return -ENOMEM;
	}
	return 0;
}

bool array_names__match(const struct peat_session *session, const struct array *array,
			const char *name)
{
	char *full;
	bool matches;

	if (!name || !strcmp(parts__map_name(array), name) || !strcmp(array->base_name, name))
		return true;
	full = full_name(session, array, array->base_name);
	matches = full && !strcmp(full, name);
	free(full);
	return matches;
}

/* ---- types ----------------------------------------------------------------------------------- */

static bool is_type_ambiguous(const struct peat_session *session, const struct array *array)
{
	for (uint32_t i = 0; i < session->array_count; i++) {
		const struct array *other = &session->arrays[i];

		if (other->part != array->part && other->schema &&
		    !strcmp(other->schema->name, array->schema->name))
			return true;
	}
	return false;
}

/* The array of another program may have been pinned with its object's name. */
static char *full_type_name(const struct peat_session *session, const struct array *array)
{
	const char *name = array->schema->name, *dot = strrchr(array->name, '.');
	char *text;

	if (array->map || !dot)
		return full_name(session, array, name);
	return asprintf(&text, "%.*s.%s", (int)(dot - array->name), array->name, name) < 0 ? NULL
											   : text;
}

int array_names__set_types(struct peat_session *session)
{
	for (uint32_t i = 0; i < session->array_count; i++) {
		struct array *array = &session->arrays[i];

		if (!array->schema || !is_type_ambiguous(session, array))
			continue;
		array->type_name = full_type_name(session, array);
		if (!array->type_name)
			return -ENOMEM;
	}
	for (uint32_t i = 0; i < session->array_count; i++)
		if (session->arrays[i].type_name)
			session->arrays[i].schema->name = session->arrays[i].type_name;
	return 0;
}

/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* where/path.h: finds the field that a path of an expression names. */
#ifndef PEAT_WHERE_PATH_H
#define PEAT_WHERE_PATH_H

#include "where/tree.h"

/* A field of the event, or what all events have; see struct where_test. */
struct where_place {
	enum where_operand operand;
	const struct peat_field *field; /* also of a PID and so on */
	const struct sampled_number *sampled;
	uint32_t base;
	const struct peat_field *array;
	uint32_t array_base;
	uint32_t elements; /* LACKED: the array has only so many; 0: another reason */
};

/* Whether the number of its bytes is another one in each event: BYTES, STRINGS. */
static inline bool where_place__varies(const struct peat_field *field)
{
	return field->length || !field->bytes || field->place != PEAT_PLACE_OFFSET;
}

enum where_found {
	WHERE_LACKED,
	WHERE_FOUND,
	WHERE_OF_ANOTHER_TYPE /* the path begins with the name of another type */
};

/* `schema` may be NULL. */
enum where_found where_path__find(const struct peat_schema *schema, const char *path,
				  struct where_place *place);

/* Whether the path is a number of the task's owner that the type has no field for. */
bool where_path__lacks_owner(const struct peat_schema *schema, const char *path);

/*
 * Calls `each` with "pid" and so on, and with the paths of all fields of the schema but elements,
 * and the names of sampled numbers.
 */
void where_path__list_common(void (*each)(void *context, const char *path), void *context);
void where_path__list(const struct peat_schema *schema,
		      void (*each)(void *context, const char *path), void *context);

#endif /* PEAT_WHERE_PATH_H */

/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * tables/columns.h: columns that are fields of events: found by name in each type of events, and
 * merged, so that all types fill the same column.
 */
#ifndef PEAT_TABLES_COLUMNS_H
#define PEAT_TABLES_COLUMNS_H

#include <peat/reader.h>

#include "schema/plan.h"
#include "tables/table.h"

struct table_column {
	char *path;		 /* the field's name in the options */
	bool known;		 /* a type has the field: the members below are set */
	bool has_u64;		 /* a type has unsigned numbers of 64 bits */
	struct table_field like; /* of the first type: the source of names and doc */
	/*
	 * In a row: numbers have 8 bytes, a FLOAT is a double; strings and bytes have a place, a
	 * DATA_LOC.  Names are those of `like`.
	 */
	struct peat_field field;
	enum peat_field_class class; /* of `field`, and some of its properties */
	bool is_string, is_truth;
};

/* Whether a row has a place for the field, and its bytes at the end. */
static inline bool table_column__has_place(const struct table_column *column)
{
	return column->field.place != PEAT_PLACE_OFFSET;
}

/* Finds the field of this name in a type; `schema` may be NULL.  False: there is none. */
bool table_column__find(const char *path, const struct peat_schema *schema,
			struct table_field *field);

/*
 * Merges a type's field into the column.  `fixed`: rows were read, so the column must stay as it
 * is.  0, or -EINVAL: it does not fit, see the log.
 */
int table_column__merge(struct table_column *column, const struct table_field *field,
			const struct peat_schema *schema, bool fixed);

/* -EINVAL: the field cannot be a key, or has no number; see the log. */
int table_column__check_key(const char *path, const struct table_field *field,
			    const struct peat_schema *schema);
int table_column__check_value(const char *path, const struct table_field *field,
			      const struct peat_schema *schema);

/* The name of a type of events; `schema` may be NULL. */
const char *table_column__type_name(const struct peat_schema *schema);

/* Reads the number of a field.  False: the event ends before it. */
bool table_column__number(const struct table_field *field, const struct peat_event *event,
			  uint64_t *number);

/* Appends the column's field under this name.  0 or a negative errno. */
int table_column__plan(struct plan *plan, const struct table_column *column, const char *name);

/* Adds copies of the names of a field to the plan, and lets the field use them.  0 or -ENOMEM. */
int table_column__plan_names(struct plan *plan, struct peat_field *field);

#endif /* PEAT_TABLES_COLUMNS_H */

/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* tables/types.h: the fields of a table, resolved for each type of events. */
#ifndef PEAT_TABLES_TYPES_H
#define PEAT_TABLES_TYPES_H

#include "tables/columns.h"
#include "tables/hash.h"
#include "tables/table.h"

struct table_type {
	struct table_plan plan;
	int result; /* of peat_table__add_type() */
	struct table_type *next;
};

struct table_types {
	struct table_column keys[TABLE_KEYS_MAX];
	uint32_t key_count;
	bool has_value;
	bool known; /* a type has all fields: the columns are known */
	bool fixed; /* rows were read: the columns stay as they are */
	struct table_column value;
	uint32_t key_bytes; /* of the key in a row, without its strings and bytes */
	uint32_t found;	    /* keys that some type has, a bit for each */
	bool value_found;
	/* Numbers stacks, as in peat_table_opts; NULL: "stack" cannot be a key. */
	int (*stack_id)(void *arg, const struct peat_event *event, uint64_t *id);
	void *stack_arg;
	const char *host;	  /* the key "host"; NULL: it is a field as any other */
	struct table_hash types;  /* struct table_type by the schema's address */
	struct table_type *first; /* in the order of their addition */
	struct table_type **end;
	const struct table_type *last; /* found */
};

/* `by` and `field` as in peat_table_opts.  0, -EINVAL: see the log; or -ENOMEM. */
int table_types__init(struct table_types *types, const char *by, const char *field);
void table_types__free(struct table_types *types);

/* Finds or adds a type; `schema` may be NULL.  NULL: no memory. */
const struct table_type *table_types__add(struct table_types *types,
					  const struct peat_schema *schema);

/* The type, if it was added; else NULL. */
const struct table_type *table_types__find(const struct table_types *types,
					   const struct peat_schema *schema);

/* As table__lacks_owner(). */
bool table_types__lack_owner(const struct table_types *types, const struct peat_schema *schema);

/* As peat_table__check(). */
int table_types__check(const struct table_types *types);

#endif /* PEAT_TABLES_TYPES_H */

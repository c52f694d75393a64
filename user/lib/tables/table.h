/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* tables/table.h: what the makers of tables share: the fields of a key, counts, and rows. */
#ifndef PEAT_TABLES_TABLE_H
#define PEAT_TABLES_TABLE_H

#include <peat/table.h>

struct fork_mark;
struct sampled_number; /* see field/sampled.h */

/* ---- events ---------------------------------------------------------------------------------- */

enum table_operand {
	TABLE_FIELD, /* `field` */
	TABLE_PID,   /* peat_event.pid, and so on */
	TABLE_TID,
	TABLE_CPU,
	TABLE_COMM,
	TABLE_TYPE,    /* the name of the event's type */
	TABLE_SAMPLED, /* `sampled` */
	TABLE_HOST,    /* table__set_host() */
	TABLE_STACK    /* the number of the event's stack: peat_table_opts.stack_id */
};

/* A field of a key, or the field whose numbers are summed up, resolved for a type of events. */
struct table_field {
	enum table_operand operand;
	const struct peat_field *field; /* TABLE_FIELD, TABLE_SAMPLED */
	const struct sampled_number *sampled;
	const char *const *host;
	uint32_t base; /* offset of the struct that has the field: add field->offset */
};

#define TABLE_KEYS_MAX 16

/* The fields of a table in one type of events. */
struct table_plan {
	const struct peat_schema *schema;
	struct table_field keys[TABLE_KEYS_MAX];
	uint32_t key_count;
	bool has_value;
	struct table_field value;
};

/* The first member of struct peat_table.  Readers without a table do not link it. */
struct table_functions {
	int (*add)(struct peat_table *table, const struct peat_event *event);
};

/* As peat_table__add(). */
static inline int table__add(struct peat_table *table, const struct peat_event *event)
{
	return ((const struct table_functions *)table)->add(table, event);
}

/* The plan of a type that was added and has all fields; NULL: it lacks one. */
const struct table_plan *table__plan(const struct peat_table *table,
				     const struct peat_schema *schema);

/* Whether a key is a number of the task's owner that the type has no field for. */
bool table__lacks_owner(const struct peat_table *table, const struct peat_schema *schema);

/* Whether a key is a part of the task's identity, or a field of such a name. */
bool table__names_identity(const struct peat_table *table);

/*
 * Makes "host" a key of the table: this text, for the events that are added from now on.  It has to
 * live until the next call.  Call it before the first type is added.
 */
void table__set_host(struct peat_table *table, const char *host);

/* Once keys have so many bytes, further keys are counted together, as above max_rows. */
void table__limit_bytes(struct peat_table *table, size_t bytes);

/* The options that it was made with, with strings of its own. */
const struct peat_table_opts *table__opts(const struct peat_table *table);

/*
 * Numbers of one key.  sum, min and max are of signed numbers if the field is.  The last slot of
 * LOG2 counts the negative numbers of a signed field, which have the highest bit.
 */
struct key_counts {
	uint64_t count, sum, min, max;
	uint64_t slots[PEAT_TABLE_SLOTS]; /* of a histogram */
};

/*
 * Adds the counts to the row of the event's key.  `data` of the event needs to have the fields of
 * the key only.  0; -EINVAL: the event's type, or the event, lacks a field of the key; or another
 * result of peat_table__add() below 0.
 */
int table__add_counts(struct peat_table *table, const struct peat_event *event,
		      const struct key_counts *counts);

/*
 * Sets where further counts come from: peat_table__read() and peat_table__clear() call `collect`,
 * which calls table__add_counts() with the counts since its last call.  It returns 0 or a negative
 * errno.  NULL: nowhere.  Children of the process of `mark` cannot collect: it has to live as long
 * as it is set.
 */
void table__set_source(struct peat_table *table, int (*collect)(void *source), void *source,
		       const struct fork_mark *mark);

/* ---- rows of another origin, such as a BPF map ----------------------------------------------- */

/*
 * Makes a table whose rows are given as a whole: `schema` describes them, its first `keys` columns
 * are the key.  It owns the schema.  `read` fills it, by table__put_row(), at each
 * peat_table__read(), and `clear` empties the origin; `free` frees `origin`.  `sort` as in
 * peat_table_opts; NULL: the column "count", else the first value with a number, else the key.
 *
 * NULL and errno, EINVAL: there is no column `sort`, see the log; or ENOMEM.  The caller then keeps
 * the schema and `origin`.
 */
struct table_origin_ops {
	int (*read)(struct peat_table *table, void *origin);
	int (*clear)(void *origin);
	void (*free)(void *origin);
};
struct peat_table *table__new_rows(struct peat_schema *schema, uint32_t keys, const char *sort,
				   const struct table_origin_ops *ops, void *origin);

/* Sets the unit of a histogram: it is copied.  0 or -ENOMEM. */
int table__set_unit(struct peat_table *table, const char *unit);

/* Copies a row, which is then 8-byte aligned; `read` calls it.  0 or -ENOMEM. */
int table__put_row(struct peat_table *table, const void *data, uint32_t bytes);

#endif /* PEAT_TABLES_TABLE_H */

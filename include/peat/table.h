/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * table.h: tables: events counted by their fields, or BPF maps that programs fill themselves.
 *
 *	struct peat_table_opts opts = { .sz = sizeof(opts), .by = "comm,error" };
 *	struct peat_table *table = peat_table__new(&opts);
 *
 *	...peat_table__add(table, event) for each event...
 *	peat_table__read(table);
 *	while (peat_table__next(table, &row) > 0)
 *		use(row.data, row.bytes);	as peat_table__schema() describes them
 *	peat_table__free(table);
 *
 * With peat_session_opts.table or peat_channel_opts.table, programs count the events themselves,
 * without transporting them, if the kernel can.  The reader counts the others.
 */
#ifndef PEAT_TABLE_H
#define PEAT_TABLE_H

#include <peat/common.h>
#include <peat/schema.h>

PEAT_BEGIN_DECLS

struct peat_event;
struct peat_table;

/* What is computed for each key, or-ed.  The number of events, COUNT, is always there. */
enum peat_table_value {
	PEAT_TABLE_COUNT = 1,
	PEAT_TABLE_SUM = 2,
	PEAT_TABLE_AVERAGE = 4,
	PEAT_TABLE_MIN = 8,
	PEAT_TABLE_MAX = 16,
	PEAT_TABLE_LOG2 = 32,  /* a histogram, slot i counts numbers from 2^i to 2^(i+1) - 1 */
	PEAT_TABLE_LINEAR = 64 /* a histogram of slots of the same width */
};

#define PEAT_TABLE_SLOTS 64

struct peat_table_opts {
	size_t sz; /* sizeof(struct peat_table_opts) */
	/*
	 * Fields whose values are the key, separated by commas: fields of the event, "from.port",
	 * or pid tid comm cpu type.  NULL or "": no key, one row.
	 */
	const char *by;
	const char *field; /* whose number the values other than COUNT are computed from; or NULL */
	uint32_t values;   /* PEAT_TABLE_*, or-ed; 0: COUNT */
	uint32_t reserved;
	/*
	 * LINEAR: slot i counts numbers from linear_first + i * linear_width, the first slot also
	 * smaller, the last one also larger ones.
	 */
	int64_t linear_first;
	uint64_t linear_width;
	/* The order of rows: a column, "count", "sum", or a key; NULL: "count".  Descending for
	 * values, ascending for keys. */
	const char *sort;
};

#define PEAT_TABLE_OPTS_INIT                                                                       \
	{                                                                                          \
		sizeof(struct peat_table_opts), NULL, NULL, 0, 0, 0, 0, NULL                       \
	}

/*
 * Makes an empty table of events.  NULL and errno: EINVAL: wrong options, in the log; ENOMEM.
 */
PEAT_API struct peat_table *peat_table__new(const struct peat_table_opts *opts);

/*
 * Resolves the fields for a type of events, as peat_where__add_type() does: 1: it has all of them;
 * 0: its events are not counted; -EINVAL: a field has no number, or another type's field of this
 * name is of another kind; -ENOMEM.  The schema has to live as long as the table.
 */
PEAT_API int peat_table__add_type(struct peat_table *table, const struct peat_schema *schema);

/* Call it once all types are added: 0, or -EINVAL: none of them has a field; see the log. */
PEAT_API int peat_table__check(const struct peat_table *table);

/* Counts an event.  1: counted; 0: not of a type that has the fields; or a negative errno. */
PEAT_API int peat_table__add(struct peat_table *table, const struct peat_event *event);

struct peat_table_row {
	size_t sz;	  /* sizeof(struct peat_table_row), set by the caller */
	const void *data; /* valid until the next peat_table__read(), __clear() or __free() */
	uint32_t bytes;
	uint32_t reserved;
};

/*
 * Reads the counts of the kernel, if there are any, and sorts the rows; peat_table__next() begins
 * with the first.  The number of rows, or a negative errno.
 */
PEAT_API int peat_table__read(struct peat_table *table);

/* 1: *row is set; 0: there are no more rows; or a negative errno. */
PEAT_API int peat_table__next(struct peat_table *table, struct peat_table_row *row);

/*
 * The columns of a row, after the first peat_table__read(): the fields of the key by their names,
 * then "count", and "sum", "average", "min", "max" of `values`; a histogram is an array "slots" of
 * PEAT_TABLE_SLOTS numbers.  Valid as long as the table.
 */
PEAT_API const struct peat_schema *peat_table__schema(const struct peat_table *table);

/* The number of columns that are the key: the first ones. */
PEAT_API uint32_t peat_table__keys(const struct peat_table *table);

/* Sets all counts to 0: the rows are gone.  0 or a negative errno. */
PEAT_API int peat_table__clear(struct peat_table *table);

/* Accepts NULL. */
PEAT_API void peat_table__free(struct peat_table *table);

PEAT_END_DECLS

#endif /* PEAT_TABLE_H */

/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * page/type_rows.h: the fields of a type's events: a column for each field that is no struct, by
 * its path ("from.port"), and for each number that is sampled.
 */
#ifndef PEAT_PAGE_TYPE_ROWS_H
#define PEAT_PAGE_TYPE_ROWS_H

#include <peat/reader.h>

#include "base/hash.h"
#include "page/column.h"

struct sampled_number;

struct page_field {
	struct page_column column;
	char *path;
	const struct peat_field *field;
	const struct sampled_number *sampled; /* NULL: a field of the event */
	uint32_t base;			      /* of the struct that has it */
};

struct page_type {
	struct hash_link link;		  /* by the address of the schema */
	const struct peat_schema *schema; /* NULL: events without a type */
	char *name;
	uint32_t number;
	uint64_t events;
	struct page_field *fields;
	uint32_t field_count;
	const struct page_field *duration; /* of the event, which ends at its time; NULL: none */
	uint32_t rows;			   /* in the columns */
};

/* NULL: no memory. */
struct page_type *page_type__new(const struct peat_event *event, uint32_t number);
void page_type__free(struct page_type *type); /* NULL is allowed */

/* Adds an event of the type. */
void page_type__add(struct page_type *type, const struct peat_event *event);

/* The duration of an event in nanoseconds; false: none, or it began before the clock did. */
bool page_type__duration(const struct page_type *type, const struct peat_event *event,
			 uint64_t *ns);

/* Whether the columns are large enough for a block. */
bool page_type__is_full(const struct page_type *type);

/* Appends the columns, each with its size before it, and empties them. */
void page_type__put(struct page_type *type, struct strbuf *out);

/* Whether the field's values are numbers; otherwise they are texts. */
bool page_field__is_number(const struct page_field *field);

#endif /* PEAT_PAGE_TYPE_ROWS_H */

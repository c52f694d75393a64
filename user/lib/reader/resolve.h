/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* reader/resolve.h: finds the fields of an expression and a table in all types of events. */
#ifndef PEAT_READER_RESOLVE_H
#define PEAT_READER_RESOLVE_H

#include <peat/reader.h>

struct resolve {
	struct peat_where *where; /* NULL: none, as for the table */
	struct peat_table *table;
	uint32_t types; /* added so far */
};

/* Add a type of events, or all records of these kinds.  0 or a negative errno. */
int resolve__type(struct resolve *resolve, const struct peat_schema *schema);
int resolve__side_band(struct resolve *resolve, uint32_t kinds);

/* Call it once all types are added.  0, or -EINVAL: none of them has one of the fields; logged. */
int resolve__check(const struct resolve *resolve);

#endif /* PEAT_READER_RESOLVE_H */

/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* tables/row_schema.h: the schema of the rows of a table of events. */
#ifndef PEAT_TABLES_ROW_SCHEMA_H
#define PEAT_TABLES_ROW_SCHEMA_H

#include "tables/key_counts.h"
#include "tables/types.h"

/*
 * Makes the schema; the columns have to be known.  Keys that are named as a value, "count", get an
 * underscore.  0 or -ENOMEM.
 */
int row_schema__new(const struct table_types *types, const struct table_numbers *numbers,
		    struct peat_schema **schema);

/* Checks that rows will have this column.  0, -EINVAL: see the log; or -ENOMEM. */
int row_schema__check_column(const struct table_types *types, const struct table_numbers *numbers,
			     const char *column);

#endif /* PEAT_TABLES_ROW_SCHEMA_H */

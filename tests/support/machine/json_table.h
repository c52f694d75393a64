/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* json_table.h: rows of a table that peat count, hist or top printed as JSON. */
#ifndef TESTS_SUPPORT_MACHINE_JSON_TABLE_H
#define TESTS_SUPPORT_MACHINE_JSON_TABLE_H

#include <stdio.h>

#include "json_event.h"

/* "rows[3].count" */
static inline const char *json_table__path(unsigned row, const char *column)
{
	static char path[64];

	snprintf(path, sizeof(path), "rows[%u].%s", row, column);
	return path;
}

static inline unsigned json_table__rows(const char *table)
{
	unsigned row = 0;
	char path[32];

	do
		snprintf(path, sizeof(path), "rows[%u]", row);
	while (json_event__has(table, path) && ++row);
	return row;
}

/* The number of the first row whose column has this text; -1: none. */
static inline int json_table__find(const char *table, const char *column, const char *text)
{
	for (unsigned row = 0; row < json_table__rows(table); row++)
		if (!strcmp(json_event__text(table, json_table__path(row, column)), text))
			return (int)row;
	return -1;
}

static inline unsigned long long json_table__number(const char *table, int row, const char *column)
{
	return json_event__number(table, json_table__path((unsigned)row, column));
}

/* The sum of the counts of all rows. */
static inline unsigned long long json_table__total(const char *table)
{
	unsigned long long total = 0;

	for (unsigned row = 0; row < json_table__rows(table); row++)
		total += json_table__number(table, (int)row, "count");
	return total;
}

#endif /* TESTS_SUPPORT_MACHINE_JSON_TABLE_H */

/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* fixture.h: a type of events with fields of every kind, and the messages of the library. */
#ifndef TESTS_UNIT_TABLES_FIXTURE_H
#define TESTS_UNIT_TABLES_FIXTURE_H

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <peat/peat.h>

#include "field/fields.h"
#include "tables/table.h"

#define COUNT_OF(array) (uint32_t)(sizeof(array) / sizeof(*(array)))

/* A field of a struct. */
#define FIELD(type, member, kind_, ...)                                                            \
	{                                                                                          \
		.name = #member, .kind = PEAT_FIELD_##kind_, .span = 1,                            \
		.offset = offsetof(struct type, member),                                           \
		.bytes = sizeof(((struct type *)0)->member), ##__VA_ARGS__                         \
	}

/* A type with these fields, an array. */
#define SCHEMA(type, fields_)                                                                      \
	{                                                                                          \
		.name = #type, .bytes = sizeof(struct type), .count = COUNT_OF(fields_),           \
		.fields = (fields_), .stacks_fd = -1                                               \
	}

/* An event with this struct as its data. */
#define EVENT(schema_, data_)                                                                      \
	((struct peat_event){ .kind = PEAT_EVENT_DATA,                                             \
			      .schema = (schema_),                                                 \
			      .data = (data_),                                                     \
			      .size = sizeof(*(data_)),                                            \
			      .pid = 70,                                                           \
			      .tid = 71,                                                           \
			      .cpu = 2,                                                            \
			      .comm = "nginx" })

static char messages[4096];

static inline void keep_messages(enum peat_log_level level, const char *text)
{
	size_t used = strlen(messages);

	(void)level;
	snprintf(messages + used, sizeof(messages) - used, "%s\n", text);
}

static inline void watch_messages(void)
{
	messages[0] = '\0';
	peat_set_print(keep_messages);
}

static inline struct peat_table *new_table(const char *by, const char *field, uint32_t values)
{
	struct peat_table_opts opts = { .sz = sizeof(opts), .by = by, .field = field };
	struct peat_table *table;

	opts.values = values;
	watch_messages();
	table = peat_table__new(&opts);
	ck_assert_msg(table != NULL, "%s", messages);
	return table;
}

/* Prints the rows: columns separated by blanks, rows by ';'. */
static inline const char *rows_of(struct peat_table *table)
{
	static char text[16384];
	struct peat_table_row row = { .sz = sizeof(row) };
	int rows = peat_table__read(table), seen = 0;
	size_t used = 0;

	ck_assert_msg(rows >= 0, "%d %s", rows, messages);
	text[0] = '\0';
	for (; peat_table__next(table, &row) == 1; seen++) {
		const struct peat_field *field, *end;
		uint32_t count;

		field = peat_schema__fields(peat_table__schema(table), &count);
		used += (size_t)snprintf(text + used, sizeof(text) - used, "%s", seen ? ";" : "");
		for (end = field + count; field < end; field += field->span) {
			used += peat_field__text(field, row.data, row.size, text + used,
						 sizeof(text) - used);
			ck_assert_uint_lt(used, sizeof(text) - 2);
			if (field + field->span < end)
				strcpy(text + used++, " ");
		}
	}
	ck_assert_int_eq(seen, rows);
	return text;
}

#endif /* TESTS_UNIT_TABLES_FIXTURE_H */

// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* tables/order.c: the column by which rows are sorted. */
#include <errno.h>
#include <string.h>

#include "base/log.h"
#include "base/strbuf.h"
#include "field/fields.h"
#include "tables/rows.h"

static int no_such_column(const struct peat_schema *schema, const char *column)
{
	const struct peat_field *end = schema->fields + schema->count;
	struct strbuf names = { 0 };

	for (const struct peat_field *field = schema->fields; field < end; field += field->span) {
		strbuf__text(&names, names.count ? ", " : "");
		strbuf__text(&names, field->name);
	}
	strbuf__char(&names, '\0');
	log__error("cannot sort a table by '%s': its columns are %s", column,
		   names.failed ? "others" : names.bytes);
	strbuf__free(&names);
	return -EINVAL;
}

/* The first column that is a value: behind the key. */
static const struct peat_field *first_value(const struct peat_schema *schema, uint32_t keys)
{
	const struct peat_field *field = schema->fields, *end = field + schema->count;

	for (; keys && field < end; keys--)
		field += field->span;
	return field;
}

static const struct peat_field *default_column(const struct peat_schema *schema, uint32_t keys)
{
	const struct peat_field *field = first_value(schema, keys);
	const struct peat_field *end = schema->fields + schema->count, *found = NULL;

	for (; field < end; field += field->span) {
		if (!strcmp(field->name, "count") && fields__is_number(field))
			return field;
		if (!found && fields__is_number(field))
			found = field;
	}
	return found;
}

/* A column, not a path, first: the name of a key can have dots.  Sets `base` for a path. */
static const struct peat_field *find_column(const struct peat_schema *schema, const char *name,
					    uint32_t *base)
{
	const struct peat_field *field = schema->fields, *end = field + schema->count;

	for (; field < end; field += field->span)
		if (!strcmp(field->name, name))
			return field;
	return peat_schema__find(schema, name, base);
}

int table_order__find(struct table_order *order, const struct peat_schema *schema, uint32_t keys,
		      const char *column)
{
	*order = (struct table_order){ .schema = schema, .keys = keys };
	if (column)
		order->field = find_column(schema, column, &order->base);
	else
		order->field = default_column(schema, keys);
	if (column && !order->field)
		return no_such_column(schema, column);
	order->descending = order->field && order->field >= first_value(schema, keys);
	return 0;
}

// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* list_search.c: the sources that mention a text. */
#include <stdint.h>
#include <string.h>
#include <strings.h>

#include <peat/peat.h>

#include "cli/list/list_search.h"
#include "cli/list/list_source.h"

/* A part of the text, without blanks. */
struct word {
	const char *start;
	size_t bytes;
};

static bool is_in(const char *text, struct word word)
{
	for (; text && *text; text++)
		if (!strncasecmp(text, word.start, word.bytes))
			return true;
	return false;
}

static bool is_in_type(const struct peat_schema *schema, struct word word)
{
	const struct peat_field *fields;
	uint32_t count;

	if (is_in(peat_schema__name(schema), word) || is_in(peat_schema__doc(schema), word) ||
	    is_in(peat_schema__subject(schema), word) || is_in(peat_schema__like(schema), word))
		return true;
	fields = peat_schema__fields(schema, &count);
	for (uint32_t i = 0; i < count; i++)
		if (is_in(fields[i].name, word) || is_in(fields[i].doc, word))
			return true;
	return false;
}

static bool is_in_settings(const struct peat_object *object, struct word word)
{
	struct peat_option option = { .sz = sizeof(option) };
	struct peat_hook hook = { .sz = sizeof(hook) };

	for (uint32_t i = 0; peat_object__option(object, i, &option) > 0; i++)
		if (is_in(option.name, word) || is_in(option.doc, word))
			return true;
	for (uint32_t i = 0; peat_object__hook(object, i, &hook) > 0; i++)
		if (is_in(hook.section, word))
			return true;
	return false;
}

static bool is_in_tables(const struct peat_object *object, struct word word)
{
	struct peat_object_table table = { .sz = sizeof(table) };

	for (uint32_t i = 0; peat_object__table(object, i, &table) > 0; i++)
		if (is_in(table.name, word) || is_in(table.doc, word) ||
		    is_in_type(table.schema, word))
			return true;
	return false;
}

static bool is_in_object(const struct peat_object *object, struct word word)
{
	const struct peat_schema *schema;

	if (is_in(peat_object__name(object), word) || is_in_settings(object, word) ||
	    is_in_tables(object, word))
		return true;
	for (uint32_t i = 0; (schema = peat_object__type(object, i)); i++)
		if (is_in_type(schema, word))
			return true;
	return false;
}

static bool is_in_kind(enum peat_side_band kind, struct word word)
{
	const struct peat_schema *schema;

	if (is_in(peat_side_band__name(kind), word))
		return true;
	for (uint32_t i = 0; (schema = peat_side_band__schema(kind, i)); i++)
		if (is_in_type(schema, word))
			return true;
	return false;
}

bool list_search__finds(const struct list_source *source, const char *text)
{
	static const char blanks[] = " \t";

	for (text += strspn(text, blanks); *text; text += strspn(text, blanks)) {
		struct word word = { text, strcspn(text, blanks) };

		if (!is_in(list_source__summary(source), word) &&
		    !(source->object ? is_in_object(source->object, word)
				     : is_in_kind(source->kind, word)))
			return false;
		text += word.bytes;
	}
	return true;
}

// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* field/call_fields.c: finds the fields of a system call. */
#include <string.h>

#include "field/call_fields.h"
#include "field/call_table.h"
#include "field/fields.h"

/* Finds the next of the names in a list: "call, texts".  NULL: the schema has no such field. */
static const struct peat_field *find_next(const struct peat_schema *schema, const char **names)
{
	const char *start = *names + strspn(*names, ", ");
	size_t bytes = strcspn(start, ", ");

	*names = start + bytes;
	for (uint32_t i = 0; i < schema->count; i += schema->fields[i].span) {
		const char *name = schema->fields[i].name;

		if (!strncmp(name, start, bytes) && !name[bytes])
			return &schema->fields[i];
	}
	return NULL;
}

static bool are_numbers(const struct peat_field *field)
{
	return field_type__of(field)->class == PEAT_CLASS_ELEMENTS && field->span == 2 &&
	       field->count <= CALL_ARGUMENTS_MAX && field[1].bytes == 8 &&
	       fields__is_number(field + 1);
}

bool call_fields__bind(struct peat_schema *schema, uint32_t index, const char *names)
{
	struct call_fields call = { .args = &schema->fields[index] };

	call.call = find_next(schema, &names);
	if (!are_numbers(call.args) || !call.call || field_type__of(call.call) != &field_type__enum)
		return false;
	if (*names) {
		call.texts = find_next(schema, &names);
		call.memory = find_next(schema, &names);
		if (!call.texts || !call.memory || !fields__is_number(call.texts) ||
		    field_type__of(call.memory)->class != PEAT_CLASS_TEXT)
			return false;
	}
	if (*names) {
		call.endpoint = find_next(schema, &names);
		if (!call.endpoint || field_type__of(call.endpoint) != &field_type__endpoint)
			return false;
	}
	schema->call = call;
	return true;
}

bool call_fields__are(const struct peat_field *field)
{
	return field->schema && field->schema->call.args == field;
}

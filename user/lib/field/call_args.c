// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* field/call_args.c: the arguments of a system call as text. */
#include <string.h>

#include "field/call_args.h"
#include "field/call_fields.h"
#include "field/call_text.h"
#include "field/field_text.h"
#include "field/fields.h"

/* Numbers of read(2). */
#define READ_ON_ARM64 63
#define READ_ON_S390X 3

/* The numbers of the calls show the machine. */
static enum call_machine machine_of(const struct peat_field *call)
{
	for (uint32_t i = 0; i < call->name_count && call->names[i].value <= READ_ON_ARM64; i++) {
		if (strcmp(call->names[i].name, "read"))
			continue;
		return call->names[i].value == READ_ON_ARM64   ? CALL_ARM64
		       : call->names[i].value == READ_ON_S390X ? CALL_S390X
							       : CALL_X86_64;
	}
	return CALL_X86_64;
}

static const struct call *find_call(const struct peat_field *field, enum call_machine machine,
				    const void *data, uint32_t bytes)
{
	const char *name = NULL;
	uint64_t number;

	if (peat_field__number(field, data, bytes, &number))
		name = field_text__find_name(field, number);
	return name ? call_table__find(name, machine) : NULL;
}

/* The first `arguments`: the others do not matter to the call. */
static bool read_values(struct call_values *values, const struct call_fields *call,
			uint32_t arguments, const void *data, uint32_t bytes)
{
	uint32_t count;
	const char *at = fields__bytes(call->args, data, bytes, &count);
	uint64_t texts = 0;

	for (uint32_t i = 0; i < arguments; i++)
		if (!at || i * 8 >= count ||
		    !peat_field__number(call->args + 1, at + i * 8, count - i * 8,
					&values->args[i]))
			return false;
	if (!call->memory || !peat_field__number(call->texts, data, bytes, &texts))
		return true;
	values->texts = (uint32_t)texts;
	values->memory = fields__bytes(call->memory, data, bytes, &values->memory_bytes);
	if (!values->memory)
		values->memory_bytes = 0;
	if (call->endpoint)
		values->endpoint = fields__bytes(call->endpoint, data, bytes, &count);
	return true;
}

bool call_args__append(struct strbuf *out, const struct peat_field *field, const void *data,
		       uint32_t bytes, struct field_style style)
{
	struct call_values values = { 0 };
	const struct call_fields *fields;
	const struct call *call;

	if (!call_fields__are(field))
		return false;
	fields = &field->schema->call;
	values.machine = machine_of(fields->call);
	call = find_call(fields->call, values.machine, data, bytes);
	if (!call || call->count > field->count ||
	    !read_values(&values, fields, call->count, data, bytes))
		return false;
	if (style.quoted)
		strbuf__char(out, '{');
	call_text__append(out, call, &values);
	if (style.quoted)
		strbuf__char(out, '}');
	return true;
}

// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* field/field_text.c: the fields of an event as text for humans. */
#include <stdlib.h>
#include <string.h>

#include "base/escape.h"
#include "field/appended.h"
#include "field/call_args.h"
#include "field/fields.h"
#include "sys/kallsyms.h"
#include "field/field_text.h"
#include "field/several_strings.h"

#define APPENDED_SHOWN 64 /* bytes */
#define NO_MEMORY      "(no memory)"

static void append_value(struct strbuf *out, const struct peat_field *field, const void *data,
			 uint32_t bytes, struct field_style style);

static void append_escaped_name(struct strbuf *out, const char *text)
{
	escape__text(out, text, strlen(text), 0);
}

/* ---- numbers and bytes ----------------------------------------------------------------------- */

bool field_text__append_name(struct strbuf *out, const struct peat_field *field, uint64_t number)
{
	const struct field_type *type = field_type__of(field);

	return type->name && type->name(out, field, number);
}

void field_text__append_number(struct strbuf *out, const struct peat_field *field, uint64_t number,
			       struct field_style style)
{
	const struct field_type *type = field_type__of(field);

	if (fields__is_unknown(field, number))
		strbuf__char(out, '-');
	else if (type->number)
		type->number(out, field, number, style);
	else if (type->name && type->name(out, field, number))
		return;
	else if (field->is_signed)
		strbuf__signed(out, (int64_t)number);
	else
		strbuf__unsigned(out, number);
}

/* An address of another size, and a number of one, has its bytes. */
static void append_bytes(struct strbuf *out, const struct peat_field *field, const void *at,
			 uint32_t count, struct field_style style)
{
	const struct field_type *type = field_type__of(field);

	if (type->text && (!type->bytes || type->bytes == count))
		type->text(out, at, count, style);
	else
		strbuf__hex_bytes(out, at, count);
}

/* ---- structs and arrays ---------------------------------------------------------------------- */

static void append_members(struct strbuf *out, const struct peat_field *field, const void *at,
			   uint32_t count, struct field_style style)
{
	bool is_first = true;

	style.quoted = true;
	strbuf__char(out, '{');
	for (const struct peat_field *inner = field + 1; inner < field + field->span;
	     inner += inner->span) {
		if (inner->is_hidden)
			continue;
		if (!is_first)
			strbuf__char(out, ' ');
		is_first = false;
		append_escaped_name(out, inner->name);
		if (*inner->name)
			strbuf__char(out, '=');
		append_value(out, inner, at, count, style);
	}
	strbuf__char(out, '}');
}

static void append_array(struct strbuf *out, const struct peat_field *field, const char *at,
			 uint32_t count, struct field_style style)
{
	uint32_t elements = fields__elements(field, count);

	style.quoted = true;
	strbuf__char(out, '[');
	for (uint32_t i = 0; i < elements; i++) {
		uint32_t offset = i * field[1].bytes;

		if (i)
			strbuf__char(out, ' ');
		append_value(out, field + 1, at + offset, count - offset, style);
	}
	strbuf__char(out, ']');
}

static void append_value(struct strbuf *out, const struct peat_field *field, const void *data,
			 uint32_t bytes, struct field_style style)
{
	const struct field_type *type = field_type__of(field);
	uint32_t count;
	const void *at = fields__bytes(field, data, bytes, &count);
	uint64_t number;
	double value;

	if (!at) {
		strbuf__char(out, '-');
		return;
	}
	switch (type->class) {
	case PEAT_CLASS_MEMBERS:
		append_members(out, field, at, count, style);
		return;
	case PEAT_CLASS_ELEMENTS:
		if (!call_args__append(out, field, data, bytes, style))
			append_array(out, field, at, count, style);
		return;
	case PEAT_CLASS_NUMBER:
	case PEAT_CLASS_NAMED:
	case PEAT_CLASS_CODE:
	case PEAT_CLASS_STACK:
		if (!peat_field__number(field, data, bytes, &number))
			break;
		field_text__append_number(out, field, number, style);
		return;
	case PEAT_CLASS_FLOAT:
		if (!field_text__float(field, data, bytes, &value))
			break;
		field_text__append_float(out, "%g", value);
		return;
	case PEAT_CLASS_TEXT:
		if (type->strings == FIELD_ONE_STRING)
			count = several_strings__bytes(field, data, bytes, at, count);
		break;
	case PEAT_CLASS_BYTES:
	case PEAT_CLASS_ADDRESS:
		break;
	}
	append_bytes(out, field, at, count, style);
}

void field_text__append(struct strbuf *out, const struct peat_field *field, const void *data,
			uint32_t bytes, enum symbols symbols)
{
	append_value(out, field, data, bytes,
		     (struct field_style){ .frames_apart = true, .symbols = symbols });
}

void field_text__append_quoted(struct strbuf *out, const struct peat_field *field, const void *data,
			       uint32_t bytes, enum symbols symbols)
{
	append_value(
		out, field, data, bytes,
		(struct field_style){ .quoted = true, .frames_apart = true, .symbols = symbols });
}

static void append_frames(struct strbuf *out, const struct peat_field *field, const char *name,
			  uint64_t number, enum symbols symbols)
{
	uint32_t count;
	int64_t id;
	uint64_t *addresses = field_text__stack(field, number, &id, &count);

	if (!count)
		return;
	strbuf__text(out, "\n" FIELD_TEXT_STACK_INDENT);
	append_escaped_name(out, name);
	strbuf__char(out, ':');
	for (uint32_t i = 0; i < count; i++) {
		strbuf__text(out, "\n" FIELD_TEXT_FRAME_INDENT);
		kallsyms__append(out, addresses[i], field_text__symbols(field, symbols));
	}
	free(addresses);
}

/* `name`: of the field, or of the array that it is an element of. */
static void append_frames_in(struct strbuf *out, const struct peat_field *field, const char *name,
			     const void *data, uint32_t bytes, enum symbols symbols)
{
	uint32_t count, elements;
	const char *at = fields__bytes(field, data, bytes, &count);
	uint64_t number;

	if (*field->name)
		name = field->name;
	if (at && fields__has_members(field)) {
		for (const struct peat_field *inner = field + 1; inner < field + field->span;
		     inner += inner->span)
			append_frames_in(out, inner, name, at, count, symbols);
	} else if (at && field_type__of(field)->class == PEAT_CLASS_ELEMENTS) {
		elements = fields__elements(field, count);
		for (uint32_t i = 0; i < elements; i++)
			append_frames_in(out, field + 1, name, at + i * field[1].bytes,
					 count - i * field[1].bytes, symbols);
	} else if (field_type__of(field)->frames == FIELD_KERNEL_FRAMES &&
		   peat_field__number(field, data, bytes, &number)) {
		append_frames(out, field, name, number, symbols);
	}
}

void field_text__append_frames(struct strbuf *out, const struct peat_schema *schema,
			       const void *data, uint32_t bytes, enum symbols symbols)
{
	if (schema->stacks_fd < 0)
		return;
	for (const struct peat_field *field = schema->fields;
	     field < schema->fields + schema->count; field += field->span)
		append_frames_in(out, field, "", data, bytes, symbols);
}

void field_text__append_appended(struct strbuf *out, const struct peat_schema *schema,
				 const void *data, uint32_t bytes)
{
	const char *name = schema->appended.name;
	uint32_t count, shown;

	if (!appended__has(schema, bytes))
		return;
	count = bytes - schema->bytes;
	shown = count < APPENDED_SHOWN ? count : APPENDED_SHOWN;
	strbuf__char(out, ' ');
	strbuf__text(out, name);
	strbuf__text(out, "_bytes=");
	strbuf__unsigned(out, count);
	strbuf__char(out, ' ');
	strbuf__text(out, name);
	strbuf__char(out, '=');
	strbuf__hex_bytes(out, (const char *)data + schema->bytes, shown);
	if (shown < count)
		strbuf__text(out, "...");
}

size_t peat_field__text(const struct peat_field *field, const void *data, uint32_t bytes,
			char *text, size_t room)
{
	struct strbuf out = { 0 };
	const char *from;
	size_t count;

	append_value(&out, field, bytes ? data : "", bytes,
		     (struct field_style){ .symbols = SYMBOLS_ALL });
	from = out.failed ? NO_MEMORY : out.bytes ? out.bytes : "";
	count = out.failed ? strlen(NO_MEMORY) : out.count;
	if (room) {
		size_t fitting = count < room ? count : room - 1;

		memcpy(text, from, fitting);
		text[fitting] = 0;
	}
	strbuf__free(&out);
	return count;
}

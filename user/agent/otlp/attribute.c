// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* otlp/attribute.c: appends attributes, also those of an event's fields. */
#include <stdlib.h>

#include "base/escape.h"
#include "field/call_args.h"
#include "field/call_fields.h"
#include "field/field_text.h"
#include "field/fields.h"
#include "field/several_strings.h"
#include "otlp/attribute.h"
#include "sys/kallsyms.h"

/* Field numbers of KeyValue, AnyValue, ArrayValue and KeyValueList. */
enum { KEY = 1, VALUE = 2 };
enum { STRING = 1, BOOL = 2, INT = 3, DOUBLE = 4, ARRAY = 5, KVLIST = 6, BYTES = 7 };
enum { ELEMENT = 1 };

static void append_field_value(struct strbuf *out, const struct peat_field *field, const void *data,
			       uint32_t bytes);

/* ---- values ---------------------------------------------------------------------------------- */

static bool is_utf8(const char *text, size_t count)
{
	size_t length;
	bool is_shown;

	for (size_t i = 0; i < count; i += length) {
		length = 1;
		if (!(text[i] & 0x80))
			continue;
		length = escape__character(text + i, count - i, &is_shown);
		if (length == 1)
			return false;
	}
	return true;
}

/* No string of protobuf may have bytes that are not UTF-8. */
static void append_text_value(struct strbuf *out, const char *text, size_t count)
{
	protobuf__bytes(out, is_utf8(text, count) ? STRING : BYTES, text, count);
}

static void append_unsigned_value(struct strbuf *out, uint64_t number)
{
	struct protobuf_mark mark;

	if (number <= INT64_MAX) {
		protobuf__varint(out, INT, number);
		return;
	}
	mark = protobuf__begin(out, STRING, 1);
	strbuf__unsigned(out, number);
	protobuf__end(out, mark);
}

/* False, without output: the number has no name. */
static bool append_name_value(struct strbuf *out, const struct peat_field *field, uint64_t number)
{
	size_t start = out->count;
	struct protobuf_mark mark = protobuf__begin(out, STRING, 1);

	if (field_text__append_name(out, field, number)) {
		protobuf__end(out, mark);
		return true;
	}
	strbuf__cut(out, start);
	return false;
}

static void append_kernel_stack_value(struct strbuf *out, const struct peat_field *field,
				      uint64_t number)
{
	struct protobuf_mark array;
	uint32_t count;
	int64_t id;
	uint64_t *addresses = field_text__stack(field, number, &id, &count);

	if (!count) {
		protobuf__varint(out, INT, (uint64_t)id);
		return;
	}
	array = protobuf__begin(out, ARRAY, 2);
	for (uint32_t i = 0; i < count; i++)
		otlp_attribute__kernel_frame(out, addresses[i]);
	protobuf__end(out, array);
	free(addresses);
}

static void append_code_value(struct strbuf *out, const struct peat_field *field, uint64_t number)
{
	struct protobuf_mark mark;

	switch (field_type__of(field)->frames) {
	case FIELD_NO_FRAMES:
		mark = protobuf__begin(out, STRING, 1);
		kallsyms__append(out, number, field_text__symbols(field, SYMBOLS_ALL));
		protobuf__end(out, mark);
		return;
	case FIELD_KERNEL_FRAMES:
		append_kernel_stack_value(out, field, number);
		return;
	case FIELD_USER_FRAMES:
		break;
	}
	protobuf__varint(out, INT, number); /* the number of a user stack, or a negative errno */
}

static void append_number_value(struct strbuf *out, const struct peat_field *field, uint64_t number)
{
	const struct field_type *type = field_type__of(field);

	if (type->class == PEAT_CLASS_CODE)
		append_code_value(out, field, number);
	else if (type->is_truth)
		protobuf__varint(out, BOOL, number != 0);
	else if (type->class == PEAT_CLASS_NAMED && append_name_value(out, field, number))
		return;
	else if (field->is_signed)
		protobuf__varint(out, INT, number);
	else
		append_unsigned_value(out, number);
}

static void append_element(struct strbuf *out, const struct peat_field *field, const char *at,
			   uint32_t bytes)
{
	struct protobuf_mark mark = protobuf__begin(out, ELEMENT, 1);

	append_field_value(out, field, at, bytes);
	protobuf__end(out, mark);
}

static void append_elements(struct strbuf *out, const struct peat_field *field, const char *at,
			    uint32_t count)
{
	const uint32_t elements = fields__elements(field, count);
	struct protobuf_mark array = protobuf__begin(out, ARRAY, 1);

	for (uint32_t i = 0; i < elements; i++)
		append_element(out, field + 1, at + i * field[1].bytes, count - i * field[1].bytes);
	protobuf__end(out, array);
}

static void append_members(struct strbuf *out, const struct peat_field *field, const void *at,
			   uint32_t count)
{
	struct protobuf_mark list = protobuf__begin(out, KVLIST, 1);

	for (const struct peat_field *inner = field + 1; inner < field + field->span;
	     inner += inner->span)
		otlp_attribute__field(out, ELEMENT, inner, at, count);
	protobuf__end(out, list);
}

static void append_strings(struct strbuf *out, const char *at, uint32_t count)
{
	struct protobuf_mark array = protobuf__begin(out, ARRAY, 1), element;
	uint32_t length;

	for (; count; at += length, count -= length) {
		length = (uint32_t)strnlen(at, count);
		element = protobuf__begin(out, ELEMENT, 1);
		append_text_value(out, at, length);
		protobuf__end(out, element);
		length += length < count; /* its NUL */
	}
	protobuf__end(out, array);
}

static void append_text_field(struct strbuf *out, const struct peat_field *field, const void *data,
			      uint32_t bytes, const char *at, uint32_t count)
{
	const struct field_type *type = field_type__of(field);

	if (type->strings == FIELD_STRINGS) {
		append_strings(out, at, count);
		return;
	}
	if (type->strings == FIELD_ONE_STRING)
		count = several_strings__bytes(field, data, bytes, at, count);
	append_text_value(out, at, count);
}

static void append_address_value(struct strbuf *out, const struct peat_field *field,
				 const void *data, uint32_t bytes)
{
	struct protobuf_mark mark = protobuf__begin(out, STRING, 1);

	field_text__append(out, field, data, bytes, SYMBOLS_NONE);
	protobuf__end(out, mark);
}

/* Appends a field that is not a single number. */
static void append_bytes_value(struct strbuf *out, const struct peat_field *field, const void *data,
			       uint32_t bytes)
{
	const struct field_type *type = field_type__of(field);
	uint32_t count;
	const void *at = fields__bytes(field, data, bytes, &count);
	double value;

	if (!at)
		return;
	switch (type->class) {
	case PEAT_CLASS_TEXT:
		append_text_field(out, field, data, bytes, at, count);
		return;
	case PEAT_CLASS_ELEMENTS:
		append_elements(out, field, at, count);
		return;
	case PEAT_CLASS_MEMBERS:
		append_members(out, field, at, count);
		return;
	case PEAT_CLASS_ADDRESS:
		if (type->has_members)
			append_members(out, field, at, count);
		else
			append_address_value(out, field, data, bytes);
		return;
	case PEAT_CLASS_FLOAT:
		if (!field_text__float(field, data, bytes, &value))
			break;
		protobuf__double(out, DOUBLE, value);
		return;
	case PEAT_CLASS_NUMBER:
	case PEAT_CLASS_NAMED:
	case PEAT_CLASS_CODE:
	case PEAT_CLASS_BYTES:
	case PEAT_CLASS_STACK:
		break;
	}
	protobuf__bytes(out, BYTES, at, count);
}

/* Appends no value if the field is absent. */
static void append_field_value(struct strbuf *out, const struct peat_field *field, const void *data,
			       uint32_t bytes)
{
	uint64_t number;

	if (!peat_field__number(field, data, bytes, &number))
		append_bytes_value(out, field, data, bytes);
	else if (!fields__is_unknown(field, number))
		append_number_value(out, field, number);
}

/* ---- attributes ------------------------------------------------------------------------------ */

struct attribute {
	struct protobuf_mark whole, value;
};

static struct attribute begin(struct strbuf *out, uint32_t in, const char *key)
{
	struct attribute attribute;

	attribute.whole = protobuf__begin(out, in, 1);
	protobuf__text(out, KEY, key);
	attribute.value = protobuf__begin(out, VALUE, 1);
	return attribute;
}

static void end(struct strbuf *out, struct attribute attribute)
{
	protobuf__end(out, attribute.value);
	protobuf__end(out, attribute.whole);
}

void otlp_attribute__integer(struct strbuf *out, uint32_t in, const char *key, int64_t value)
{
	struct attribute attribute = begin(out, in, key);

	protobuf__varint(out, INT, (uint64_t)value);
	end(out, attribute);
}

void otlp_attribute__unsigned(struct strbuf *out, uint32_t in, const char *key, uint64_t value)
{
	struct attribute attribute = begin(out, in, key);

	append_unsigned_value(out, value);
	end(out, attribute);
}

void otlp_attribute__text(struct strbuf *out, uint32_t in, const char *key, const char *text)
{
	struct attribute attribute = begin(out, in, key);

	append_text_value(out, text, strlen(text));
	end(out, attribute);
}

void otlp_attribute__bytes(struct strbuf *out, uint32_t in, const char *key, const void *bytes,
			   size_t count)
{
	struct attribute attribute = begin(out, in, key);

	protobuf__bytes(out, BYTES, bytes, count);
	end(out, attribute);
}

void otlp_attribute__event_name(struct strbuf *out, uint32_t in, const char *type)
{
	struct attribute attribute = begin(out, in, "event.name");
	struct protobuf_mark name = protobuf__begin(out, STRING, 1);

	strbuf__text(out, "peat.");
	strbuf__text(out, type);
	protobuf__end(out, name);
	end(out, attribute);
}

/* The text of a system call's arguments, beside their numbers. */
static void append_call_text(struct strbuf *out, uint32_t in, const struct peat_field *field,
			     const void *data, uint32_t bytes)
{
	struct strbuf text = { 0 }, name = { 0 };

	if (!call_args__append(&text, field, data, bytes, (struct field_style){ 0 }))
		return;
	strbuf__text(&name, field->name);
	strbuf__bytes(&name, "_text", sizeof("_text"));
	strbuf__char(&text, 0);
	out->failed |= text.failed || name.failed;
	if (!out->failed)
		otlp_attribute__text(out, in, name.bytes, text.bytes);
	strbuf__free(&name);
	strbuf__free(&text);
}

void otlp_attribute__field(struct strbuf *out, uint32_t in, const struct peat_field *field,
			   const void *data, uint32_t bytes)
{
	const size_t start = out->count;
	struct attribute attribute;
	size_t value;

	if (field->is_hidden)
		return;
	attribute = begin(out, in, field->name);
	value = out->count;
	append_field_value(out, field, data, bytes);
	if (out->count == value) {
		strbuf__cut(out, start);
		return;
	}
	end(out, attribute);
	if (call_fields__are(field))
		append_call_text(out, in, field, data, bytes);
}

/* ---- stacks ---------------------------------------------------------------------------------- */

struct otlp_frames otlp_attribute__begin_frames(struct strbuf *out, uint32_t in, const char *key)
{
	struct otlp_frames frames;

	frames.attribute = protobuf__begin(out, in, 2);
	protobuf__text(out, KEY, key);
	frames.value = protobuf__begin(out, VALUE, 2);
	frames.array = protobuf__begin(out, ARRAY, 2);
	return frames;
}

static void append_frame(struct strbuf *out, uint64_t address, enum symbols symbols)
{
	struct protobuf_mark element = protobuf__begin(out, ELEMENT, 1);
	struct protobuf_mark text = protobuf__begin(out, STRING, 1);

	kallsyms__append(out, address, symbols);
	protobuf__end(out, text);
	protobuf__end(out, element);
}

void otlp_attribute__kernel_frame(struct strbuf *out, uint64_t address)
{
	append_frame(out, address, SYMBOLS_ALL);
}

void otlp_attribute__user_frame(struct strbuf *out, uint64_t address)
{
	append_frame(out, address, SYMBOLS_NONE);
}

void otlp_attribute__end_frames(struct strbuf *out, struct otlp_frames frames)
{
	protobuf__end(out, frames.array);
	protobuf__end(out, frames.value);
	protobuf__end(out, frames.attribute);
}

// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* print/json_values.c: appends the fields of an event as members of a JSON object. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/decimal.h"
#include "base/json_value.h"
#include "field/field_text.h"
#include "field/fields.h"
#include "field/several_strings.h"
#include "print/frames.h"
#include "print/json_call.h"
#include "print/json_values.h"

static void append_json_stack(struct strbuf *out, const struct json_plan *plan,
			      const struct peat_field *field, uint64_t number)
{
	const char *name;
	uint32_t count;
	int64_t id;
	uint64_t *addresses = field_text__stack(field, number, &id, &count);

	if (!count) {
		name = field_text__errno_name(id);
		if (name)
			json_value__string(out, name, strlen(name));
		else
			strbuf__signed(out, id);
		return;
	}
	for (uint32_t i = 0; i < count; i++) {
		strbuf__char(out, i ? ',' : '[');
		frames__append_json_kernel(out, field_text__symbols(field, plan->symbols),
					   addresses[i]);
	}
	strbuf__char(out, ']');
	free(addresses);
}

/* False, without output: there is no name, or a quote or backslash in it would break the string. */
static bool append_json_name(struct strbuf *out, const struct peat_field *field, uint64_t number)
{
	size_t start = out->count;
	bool named;

	strbuf__char(out, '"');
	named = field_text__append_name(out, field, number);
	if (out->failed)
		return true;
	if (named && !memchr(out->bytes + start + 1, '"', out->count - start - 1) &&
	    !memchr(out->bytes + start + 1, '\\', out->count - start - 1)) {
		strbuf__char(out, '"');
		return true;
	}
	strbuf__cut(out, start);
	return false;
}

/* False, without output: the stack is none of the event itself, or without names. */
static bool append_json_user_stack(struct strbuf *out, const struct json_plan *plan,
				   const struct peat_field *field, const void *data)
{
	struct address_names names = { plan->symbols, plan->user_names };

	return plan->event && data == plan->event->data &&
	       frames__append_json_user(out, plan->event, &names, field);
}

/* False, without output: the number has no name, and no frames. */
static bool append_json_code(struct strbuf *out, const struct json_plan *plan,
			     const struct peat_field *field, const void *data, uint64_t number)
{
	switch (field_type__of(field)->frames) {
	case FIELD_NO_FRAMES:
		frames__append_json_kernel(out, field_text__symbols(field, plan->symbols), number);
		return true;
	case FIELD_KERNEL_FRAMES:
		append_json_stack(out, plan, field, number);
		return true;
	case FIELD_USER_FRAMES:
		break;
	}
	return append_json_user_stack(out, plan, field, data);
}

static void append_json_number(struct strbuf *out, const struct json_plan *plan,
			       const struct peat_field *field, const void *data, uint64_t number)
{
	const struct field_type *type = field_type__of(field);

	if (type->class == PEAT_CLASS_CODE && append_json_code(out, plan, field, data, number))
		return;
	if (type->class == PEAT_CLASS_NAMED) {
		if (type->is_truth) {
			strbuf__text(out, number ? "true" : "false");
			return;
		}
		if (append_json_name(out, field, number))
			return;
	}
	if (fields__is_unknown(field, number))
		strbuf__text(out, "null");
	else if (field->is_signed)
		strbuf__signed(out, (int64_t)number);
	else
		strbuf__unsigned(out, number);
}

static void append_json_float(struct strbuf *out, double value)
{
	if (isfinite(value))
		field_text__append_float(out, "%.17g", value);
	else
		strbuf__text(out, "null");
}

static void append_key(struct strbuf *out, const struct json_plan *plan, const struct json_key *key)
{
	char *at = strbuf__room(out, key->bytes + JSON_KEY_PADDING);

	if (at)
		out->count = (size_t)(json_plan__copy(plan, key, at) - out->bytes);
}

static uint64_t load(const char *at, uint32_t bytes, bool is_signed)
{
	uint64_t eight;
	uint32_t four;
	uint16_t two;

	switch (bytes) {
	case 1:
		return is_signed ? (uint64_t)(int8_t)*at : (uint8_t)*at;
	case 2:
		memcpy(&two, at, sizeof(two));
		return is_signed ? (uint64_t)(int16_t)two : two;
	case 4:
		memcpy(&four, at, sizeof(four));
		return is_signed ? (uint64_t)(int32_t)four : four;
	default:
		memcpy(&eight, at, sizeof(eight));
		return eight;
	}
}

/* Appends the key and a number at a fixed place.  False, without output: the event is cut. */
static bool append_plain(struct strbuf *out, const struct json_plan *plan,
			 const struct json_key *key, const struct peat_field *field,
			 const char *data, uint32_t bytes)
{
	uint64_t number;
	char *at;

	if (bytes < key->number_bytes || field->offset > bytes - key->number_bytes)
		return false;
	at = strbuf__room(out, key->bytes + JSON_KEY_PADDING + DECIMAL_ROOM);
	if (!at)
		return true;
	number = load(data + field->offset, key->number_bytes, field->is_signed);
	at = json_plan__copy(plan, key, at);
	at = field->is_signed ? decimal__signed(at, (int64_t)number)
			      : decimal__unsigned(at, number);
	out->count = (size_t)(at - out->bytes);
	return true;
}

void json_values__members(struct strbuf *out, const struct json_plan *plan,
			  const struct peat_field *first, const struct peat_field *end,
			  const void *data, uint32_t bytes)
{
	for (const struct peat_field *field = first; field < end; field += field->span) {
		const struct json_key *key = &plan->keys[field - plan->schema->fields];

		if (field->is_hidden)
			continue;
		if (key->number_bytes && append_plain(out, plan, key, field, data, bytes))
			continue;
		append_key(out, plan, key);
		json_values__append(out, plan, field, data, bytes);
		json_call__append(out, field, data, bytes);
	}
}

static void append_json_elements(struct strbuf *out, const struct json_plan *plan,
				 const struct peat_field *field, const char *at, uint32_t count)
{
	uint32_t elements = fields__elements(field, count);

	strbuf__char(out, '[');
	for (uint32_t i = 0; i < elements; i++) {
		uint32_t offset = i * field[1].bytes;

		if (i)
			strbuf__char(out, ',');
		json_values__append(out, plan, field + 1, at + offset, count - offset);
	}
	strbuf__char(out, ']');
}

static void append_json_text(struct strbuf *out, const struct peat_field *field, const void *data,
			     uint32_t bytes, const char *at, uint32_t count)
{
	switch (field_type__of(field)->strings) {
	case FIELD_ONE_STRING:
		count = several_strings__bytes(field, data, bytes, at, count);
		break;
	case FIELD_STRINGS:
		json_value__strings(out, at, count);
		return;
	case FIELD_ALL_BYTES:
	case FIELD_NO_TEXT:
		break;
	}
	json_value__string(out, at, count);
}

static void append_json_object(struct strbuf *out, const struct json_plan *plan,
			       const struct peat_field *field, const void *at, uint32_t count)
{
	strbuf__char(out, '{');
	json_values__members(out, plan, field + 1, field + field->span, at, count);
	strbuf__char(out, '}');
}

/* Appends a field that is not a single number. */
static void append_json_bytes(struct strbuf *out, const struct json_plan *plan,
			      const struct peat_field *field, const void *data, uint32_t bytes)
{
	const struct field_type *type = field_type__of(field);
	uint32_t count;
	const void *at = fields__bytes(field, data, bytes, &count);
	double value;

	if (!at) {
		strbuf__text(out, "null");
		return;
	}
	switch (type->class) {
	case PEAT_CLASS_TEXT:
		append_json_text(out, field, data, bytes, at, count);
		return;
	case PEAT_CLASS_ELEMENTS:
		append_json_elements(out, plan, field, at, count);
		return;
	case PEAT_CLASS_MEMBERS:
		append_json_object(out, plan, field, at, count);
		return;
	case PEAT_CLASS_ADDRESS:
		if (!type->has_members)
			break;
		append_json_object(out, plan, field, at, count);
		return;
	case PEAT_CLASS_FLOAT:
		if (!field_text__float(field, data, bytes, &value))
			break;
		append_json_float(out, value);
		return;
	case PEAT_CLASS_NUMBER:
	case PEAT_CLASS_NAMED:
	case PEAT_CLASS_CODE:
	case PEAT_CLASS_BYTES:
	case PEAT_CLASS_STACK:
		break;
	}
	strbuf__char(out, '"');
	field_text__append(out, field, data, bytes,
			   plan->symbols); /* an address, or hexadecimal digits */
	strbuf__char(out, '"');
}

void json_values__append(struct strbuf *out, const struct json_plan *plan,
			 const struct peat_field *field, const void *data, uint32_t bytes)
{
	uint64_t number;

	if (peat_field__number(field, data, bytes, &number))
		append_json_number(out, plan, field, data, number);
	else
		append_json_bytes(out, plan, field, data, bytes);
}

// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* perfetto/arguments.c: the fields of an event as arguments of a slice. */
#include "base/varint.h"
#include "field/field_text.h"
#include "field/fields.h"
#include "perfetto/arguments.h"
#include "perfetto/packets.h"
#include "print/frames.h"

/* Fields of messages, as in perfetto_trace.proto. */
enum {
	PACKET_INTERNED_DATA = 12,

	INTERNED_EVENT_NAMES = 2,
	INTERNED_ARGUMENT_NAMES = 3,

	ARGUMENT_NAME_IID = 1,
	ARGUMENT_BOOL = 2,
	ARGUMENT_UNSIGNED = 3,
	ARGUMENT_SIGNED = 4,
	ARGUMENT_DOUBLE = 5,
	ARGUMENT_STRING = 6,
	ARGUMENT_POINTER = 7,
	ARGUMENT_ENTRIES = 11,
};

/* The event that fields are appended of. */
struct values {
	const struct peat_schema *schema;
	uint64_t id; /* of the type's name */
	enum symbols symbols;
};

uint64_t arguments__intern(struct strbuf *out, const struct peat_schema *schema, uint64_t id)
{
	struct protobuf_mark packet = packet__begin(out, PACKET_SEQUENCE, PACKET_STATE_NEEDED);
	struct protobuf_mark interned = protobuf__begin(out, PACKET_INTERNED_DATA, 2);

	packet__interned(out, INTERNED_EVENT_NAMES, id++, schema->name);
	for (const struct peat_field *field = schema->fields; field < fields__end(schema); field++)
		packet__interned(out, INTERNED_ARGUMENT_NAMES, id++, field->name);
	protobuf__end(out, interned);
	protobuf__end(out, packet);
	return id;
}

/* ---- values ---------------------------------------------------------------------------------- */

static void put_text(struct strbuf *out, const struct values *values,
		     const struct peat_field *field, const void *data, uint32_t bytes)
{
	struct protobuf_mark text = protobuf__begin(out, ARGUMENT_STRING, 1);

	field_text__append(out, field, data, bytes, values->symbols);
	protobuf__end(out, text);
}

/* The field of a number without a name. */
static uint32_t plain_field(const struct peat_field *field)
{
	if (field_type__of(field)->format == FIELD_FORMAT_HEX)
		return ARGUMENT_POINTER;
	return field_type__is_signed(field) ? ARGUMENT_SIGNED : ARGUMENT_UNSIGNED;
}

/* A number without a name stays a number. */
static void put_named(struct strbuf *out, const struct peat_field *field, uint64_t number)
{
	size_t start = out->count;
	struct protobuf_mark text;

	if (field_type__of(field)->is_truth) {
		protobuf__varint(out, ARGUMENT_BOOL, number != 0);
		return;
	}
	text = protobuf__begin(out, ARGUMENT_STRING, 1);
	if (field_text__append_name(out, field, number)) {
		protobuf__end(out, text);
		return;
	}
	strbuf__cut(out, start);
	protobuf__varint(out, plain_field(field), number);
}

static void put_members(struct strbuf *out, const struct values *values, uint32_t tag,
			const struct peat_field *first, const struct peat_field *end,
			const void *data, uint32_t bytes);

/* `at` are the `count` bytes of a field that is no number. */
static void put_bytes(struct strbuf *out, const struct values *values,
		      const struct peat_field *field, const void *data, uint32_t bytes,
		      const void *at, uint32_t count)
{
	double number;

	switch (field_type__of(field)->class) {
	case PEAT_CLASS_MEMBERS:
		put_members(out, values, ARGUMENT_ENTRIES, field + 1, field + field->span, at,
			    count);
		return;
	case PEAT_CLASS_FLOAT:
		if (!field_text__float(field, data, bytes, &number))
			break;
		protobuf__double(out, ARGUMENT_DOUBLE, number);
		return;
	case PEAT_CLASS_NUMBER:
	case PEAT_CLASS_NAMED:
	case PEAT_CLASS_CODE:
	case PEAT_CLASS_TEXT:
	case PEAT_CLASS_BYTES:
	case PEAT_CLASS_ADDRESS:
	case PEAT_CLASS_ELEMENTS:
	case PEAT_CLASS_STACK:
		break;
	}
	put_text(out, values, field, data, bytes);
}

/* Most fields are numbers: their arguments, of at most 22 bytes, are written at once. */
static void put_plain_argument(struct strbuf *out, uint32_t tag, uint64_t id,
			       const struct peat_field *field, uint64_t number)
{
	uint8_t *start = (uint8_t *)strbuf__room(out, 2 + 2 * (1 + PROTOBUF_VARINT_MAX)), *at;
	uint32_t value = plain_field(field);

	if (!start)
		return;
	at = start + 2;
	*at++ = ARGUMENT_NAME_IID << 3 | PROTOBUF_VARINT;
	at = varint__store(at, id);
	*at++ = (uint8_t)(value << 3 | PROTOBUF_VARINT);
	at = varint__store(at, number);
	start[0] = (uint8_t)(tag << 3 | PROTOBUF_LENGTH);
	start[1] = (uint8_t)(at - start - 2);
	out->count += (size_t)(at - start);
}

static uint64_t name_id(const struct values *values, const struct peat_field *field)
{
	return values->id + 1 + (uint64_t)(field - values->schema->fields);
}

static struct protobuf_mark begin_argument(struct strbuf *out, const struct values *values,
					   uint32_t tag, const struct peat_field *field)
{
	struct protobuf_mark argument = protobuf__begin(out, tag, 1);

	protobuf__varint(out, ARGUMENT_NAME_IID, name_id(values, field));
	return argument;
}

/* A number that is written as it is. */
static bool is_plain(const struct peat_field *field)
{
	enum peat_field_class class = field_type__of(field)->class;

	return class != PEAT_CLASS_NAMED && class != PEAT_CLASS_CODE;
}

static void put_field(struct strbuf *out, const struct values *values, uint32_t tag,
		      const struct peat_field *field, const void *data, uint32_t bytes)
{
	struct protobuf_mark argument;
	const void *at = NULL;
	uint64_t number;
	uint32_t count;
	bool is_number = peat_field__number(field, data, bytes, &number);

	if (!is_number)
		at = fields__bytes(field, data, bytes, &count);
	if (is_number ? fields__is_unknown(field, number) : !at)
		return;
	if (is_number && is_plain(field)) {
		put_plain_argument(out, tag, name_id(values, field), field, number);
		return;
	}
	argument = begin_argument(out, values, tag, field);
	if (is_number && field_type__of(field)->class == PEAT_CLASS_NAMED)
		put_named(out, field, number);
	else if (is_number)
		put_text(out, values, field, data, bytes); /* of code */
	else
		put_bytes(out, values, field, data, bytes, at, count);
	protobuf__end(out, argument);
}

static void put_members(struct strbuf *out, const struct values *values, uint32_t tag,
			const struct peat_field *first, const struct peat_field *end,
			const void *data, uint32_t bytes)
{
	for (const struct peat_field *field = first; field < end; field += field->span)
		if (!field->is_hidden)
			put_field(out, values, tag, field, data, bytes);
}

void arguments__append(struct strbuf *out, const struct peat_event *event, uint64_t id)
{
	const struct peat_schema *schema = event->schema;
	const struct values values = { schema, id, frames__kernel_symbols(event, false) };

	put_members(out, &values, PACKET_ARGUMENT, schema->fields, fields__end(schema),
		    event->data ? event->data : "", event->size);
}

uint64_t arguments__duration(const struct peat_event *event)
{
	const struct peat_field *end = fields__end(event->schema);
	uint64_t number;

	for (const struct peat_field *field = event->schema->fields; field < end;
	     field += field->span)
		if (field_type__of(field)->unit == FIELD_NANOSECONDS &&
		    peat_field__number(field, event->data, event->size, &number) && number)
			return number;
	return 0;
}

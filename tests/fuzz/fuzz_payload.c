// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * fuzz_payload.c: formats of any schema, and any events of it.
 *
 * Input: fields, then an event.  The event is used as a record as well: its first bytes are the
 * sample_type, the rest is a sample that gets such a payload.  A field is its kind, its size or
 * number of elements, flags and a character of its name; 0xff ends the fields of each level.  Each
 * format has to be one that trace_format.c reads, by which no payload has a part that is not within
 * it.  Payloads are restored: the event has the same size and the same payload.  The event is
 * restored as if it were a payload, too.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "field/fields.h"
#include "tracing_data/payload.h"
#include "convert/retype_sample.h"
#include "tracepoint/format_parse.h"

#define FIELDS_MAX 40
#define DEPTH_MAX  4
#define END	   0xff

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

struct input {
	const uint8_t *at, *end;
};

static struct peat_field fields[FIELDS_MAX];
static char names[FIELDS_MAX][4];
static uint32_t field_count;

static const struct peat_name value_names[] = {
	{ 0, "NONE" }, { 1, "ONE" }, { 2, "\"" }, { 4, "\\" }, { 6, "%s" }, { (uint64_t)-1, "" },
};

static void require(bool holds)
{
	if (!holds)
		abort();
}

static uint8_t take(struct input *input)
{
	return input->at < input->end ? *input->at++ : END;
}

static uint32_t add_fields(struct input *input, uint32_t limit, unsigned int depth);

/* A size that a number of the kind may have, or 0 to 255. */
static uint32_t bytes_of(const struct peat_field *field, uint8_t size)
{
	static const uint32_t numbers[] = { 1, 2, 4, 8 };
	const struct field_type *type = field_type__of(field);

	switch (type->class) {
	case PEAT_CLASS_TEXT:
	case PEAT_CLASS_BYTES:
		return size;
	case PEAT_CLASS_ADDRESS:
		return type->bytes;
	case PEAT_CLASS_FLOAT:
		return size & 1 ? 4 : 8;
	case PEAT_CLASS_NUMBER:
	case PEAT_CLASS_NAMED:
	case PEAT_CLASS_CODE:
	case PEAT_CLASS_STACK:
	case PEAT_CLASS_MEMBERS:
	case PEAT_CLASS_ELEMENTS:
		break;
	}
	return numbers[size & 3];
}

static bool holds_fields(const struct peat_field *field)
{
	return fields__has_members(field) || field_type__of(field)->class == PEAT_CLASS_ELEMENTS;
}

/* `before`: the field before it in the same struct, or NULL. */
static void set_flags(struct peat_field *field, const struct peat_field *before, uint8_t flags)
{
	field->is_signed = flags & 1;
	field->big_endian = flags & 2;
	if (flags & 4 && fields__is_number(field)) {
		field->bits = (uint8_t)(1 + flags % (field->bytes * 8));
		field->bit_offset = (uint8_t)(field->bytes * 8 - field->bits);
	}
	if (field_type__of(field)->has_own_names) {
		field->names = value_names;
		field->name_count = (flags >> 3) % (sizeof(value_names) / sizeof(*value_names) + 1);
	}
	if (flags & 8 && before && fields__is_number(before) && !before->offset && field->bytes &&
	    !fields__is_number(field))
		field->length = before;
}

static void add_inside(struct input *input, struct peat_field *field, uint8_t size, uint32_t limit,
		       unsigned int depth)
{
	if (fields__has_members(field)) {
		field->bytes = add_fields(input, limit, depth + 1);
	} else if (field_count < FIELDS_MAX) {
		struct peat_field *element = &fields[field_count];
		uint32_t bytes = add_fields(input, limit, DEPTH_MAX + depth + 1);

		field->count = size % 20;
		if (bytes && (uint64_t)bytes * field->count <= limit) {
			field->bytes = field->count * bytes;
			element->bits = element->bit_offset = 0;
		} else {
			field_count = (uint32_t)(element - fields);
		}
	}
	field->span = (uint32_t)(&fields[field_count] - field);
}

/* Makes the fields of a struct, or an array's element (depth >= DEPTH_MAX); returns their bytes. */
static uint32_t add_fields(struct input *input, uint32_t limit, unsigned int depth)
{
	const struct peat_field *before = NULL;
	uint32_t offset = 0;

	while (field_count < FIELDS_MAX) {
		uint8_t kind = take(input), size, flags;
		struct peat_field *field = &fields[field_count];

		if (kind == END)
			break;
		size = take(input);
		flags = take(input);
		memset(names[field_count], 0, sizeof(names[0]));
		names[field_count][0] = (char)take(input);
		*field = (struct peat_field){ .name = depth >= DEPTH_MAX ? "" : names[field_count],
					      .kind = kind % FIELD_KINDS,
					      .span = 1,
					      .offset = offset };
		field_count++;
		if (holds_fields(field) && depth % DEPTH_MAX < DEPTH_MAX - 1) {
			add_inside(input, field, size, limit - offset, depth % DEPTH_MAX);
		} else {
			if (holds_fields(field))
				field->kind = PEAT_FIELD_BYTES;
			field->bytes = bytes_of(field, size);
			set_flags(field, before, flags);
		}
		if (field->bytes > limit - offset) {
			field_count = (uint32_t)(field - fields);
			break;
		}
		offset += field->bytes;
		before = field;
		if (depth >= DEPTH_MAX)
			break;
	}
	return offset;
}

static void check_payload(const struct peat_schema *schema, const uint8_t *payload, uint32_t bytes)
{
	require(bytes >= schema->bytes);
	for (uint32_t i = 0; i < schema->count; i += schema->fields[i].span) {
		const struct peat_field *field = &schema->fields[i];
		uint32_t count;
		const uint8_t *at = fields__bytes(field, payload, bytes, &count);

		require(at != NULL);
		require(field->place == PEAT_PLACE_OFFSET || at < payload + bytes);
		if (field->kind == PEAT_FIELD_STRING)
			require(count && !at[count - 1]);
	}
}

static int restore(const struct payload_format *format, const uint8_t *payload, uint32_t bytes,
		   uint8_t **event)
{
	uint8_t *copy = malloc(bytes + !bytes);
	uint32_t room = 65535;
	int size;

	if (bytes)
		memcpy(copy, payload, bytes);
	*event = malloc(room);
	memset(*event, 0xa5, room);
	size = payload__restore(format, copy, bytes, *event, room);
	free(copy);
	return size;
}

static void check_restored(const struct payload_format *format, const uint8_t *payload, int made,
			   uint32_t bytes)
{
	uint32_t count = (uint32_t)made & PAYLOAD_BYTES, appended;
	uint8_t *event, *again = malloc(PAYLOAD_BYTES_MAX);
	int size = restore(format, payload, count, &event);

	require(size >= 0 || (size == -ENOTSUP && format->left_out) ||
		(size == -ENODATA && made & PAYLOAD_CUT));
	appended = bytes > format->schema->bytes ? bytes - format->schema->bytes : 0;
	if (size >= 0 && (!(made & PAYLOAD_CUT) || appended)) {
		require(made & PAYLOAD_CUT || (uint32_t)size == bytes);
		if ((uint32_t)size == bytes) {
			size = payload__convert(format, event, bytes, 1, again, PAYLOAD_BYTES_MAX);
			require(size == made && !memcmp(again, payload, count));
		}
	}
	free(again);
	free(event);
}

static void convert(const struct payload_format *format, const struct peat_schema *schema,
		    const uint8_t *data, uint32_t bytes, uint32_t room)
{
	uint8_t *event = malloc(bytes + !bytes), *payload = malloc(room + !room);
	int size;

	if (bytes)
		memcpy(event, data, bytes);
	size = payload__convert(format, event, bytes, 1, payload, room);
	if (size >= 0)
		check_payload(schema, payload, (uint32_t)size & PAYLOAD_BYTES);
	else
		require(room < PAYLOAD_BYTES_MAX);
	if (size >= 0 && format->is_exact && room == PAYLOAD_BYTES_MAX)
		check_restored(format, payload, size, bytes);
	free(event);
	free(payload);
}

/* Encodes a valid sample again, with a payload by the format. */
static void check_retyped(const struct peat_layout *layout, const struct peat_schema *schema,
			  const struct peat_record *old, const uint8_t *sample, uint32_t bytes)
{
	/* Fields that were not sampled stay unset. */
	struct peat_record rec = { .sz = sizeof(rec) };

	require(bytes <= 65528 && peat_record__decode(layout, sample, bytes, &rec) == 1);
	require(rec.size == bytes && rec.type == old->type && rec.misc == old->misc);
	require(rec.time_ns == old->time_ns && rec.id == old->id && rec.tid == old->tid);
	require(rec.sample.callchain.count == old->sample.callchain.count);
	require(rec.sample.stack_user_bytes == old->sample.stack_user_bytes);
	require(rec.sample.cgroup == old->sample.cgroup);
	check_payload(schema, rec.sample.raw, rec.sample.raw_bytes);
}

static void retype(const struct payload_format *format, const struct peat_schema *schema,
		   const uint8_t *data, uint32_t size)
{
	static uint64_t out[RETYPE_ROOM / sizeof(uint64_t)];
	struct peat_layout layout = { .regs_user = 5, .regs_intr = 3 };
	struct peat_record old = { .sz = sizeof(old) };
	uint8_t *sample;
	int bytes;

	if (size < 2 * sizeof(uint64_t))
		return;
	memcpy(&layout.sample_type, data, sizeof(uint64_t));
	memcpy(&layout.read_format, data + 1, sizeof(uint8_t));
	size -= sizeof(uint64_t);
	sample = malloc(size);
	memcpy(sample, data + sizeof(uint64_t), size);
	bytes = retype_sample__convert(format, &layout, sample, size, out);
	require(bytes > 0 || bytes == -EBADMSG || bytes == -ENOSPC);
	if (bytes > 0 && size % 8 == 0 && peat_record__decode(&layout, sample, size, &old) > 0)
		check_retyped(&layout, schema, &old, (const uint8_t *)out,
			      (uint32_t)bytes & RETYPE_BYTES);
	free(sample);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct input input = { data, data + size };
	struct peat_schema schema = { .name = "", .fields = fields, .stacks_fd = -1 };
	struct payload_format format;
	struct trace_format read_back;
	const char *why;
	uint8_t *event;
	uint32_t left;

	field_count = 0;
	schema.bytes = add_fields(&input, 65535, 0);
	schema.count = field_count;
	left = (uint32_t)(input.end - input.at);
	require(!payload__init(&format, &schema, "x", 40000));
	require(!format_parse__text(&read_back, "peat", format.text, format.text_bytes, 8, &why));
	convert(&format, read_back.schema, input.at, left, PAYLOAD_BYTES_MAX);
	convert(&format, read_back.schema, input.at, left / 2, 200);
	convert(&format, read_back.schema, data, (uint32_t)size, PAYLOAD_BYTES_MAX);
	format.is_exact = true;
	convert(&format, read_back.schema, input.at, left, PAYLOAD_BYTES_MAX);
	convert(&format, read_back.schema, input.at, left / 2, 200);
	require(restore(&format, input.at, left, &event) <= 65535);
	free(event);
	format.is_exact = false;
	retype(&format, read_back.schema, input.at, left);
	format_parse__free(&read_back);
	payload__free(&format);
	return 0;
}

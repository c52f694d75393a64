// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* protobuf/protobuf_read.c: reads the fields of a message of protocol buffers. */
#include <endian.h>

#include "protobuf/protobuf_read.h"

#define FIELD_NUMBER_MAX ((1u << 29) - 1)

static bool refuse(struct protobuf_message *message)
{
	message->is_bad = true;
	message->at = message->end;
	return false;
}

static bool read_varint(struct protobuf_message *message, uint64_t *value)
{
	*value = 0;
	for (unsigned shift = 0; shift < 64 && message->at < message->end; shift += 7) {
		uint8_t byte = *message->at++;

		*value |= (uint64_t)(byte & 0x7f) << shift;
		if (!(byte & 0x80))
			return true;
	}
	return refuse(message);
}

static bool read_fixed(struct protobuf_message *message, size_t bytes, uint64_t *value)
{
	uint64_t little = 0;

	if ((size_t)(message->end - message->at) < bytes)
		return refuse(message);
	memcpy(&little, message->at, bytes);
	message->at += bytes;
	*value = le64toh(little);
	return true;
}

static bool read_bytes(struct protobuf_message *message, struct protobuf_field *field)
{
	uint64_t count;

	if (!read_varint(message, &count))
		return false;
	if (count > (size_t)(message->end - message->at))
		return refuse(message);
	field->bytes = message->at;
	field->count = count;
	message->at += count;
	return true;
}

bool protobuf__next(struct protobuf_message *message, struct protobuf_field *field)
{
	uint64_t tag;

	*field = (struct protobuf_field){ 0 };
	if (message->at >= message->end || !read_varint(message, &tag))
		return false;
	if (tag >> 3 == 0 || tag >> 3 > FIELD_NUMBER_MAX)
		return refuse(message);
	field->number = (uint32_t)(tag >> 3);
	field->wire = (enum protobuf_wire)(tag & 7);
	switch (field->wire) {
	case PROTOBUF_VARINT:
		return read_varint(message, &field->value);
	case PROTOBUF_FIXED64:
		return read_fixed(message, 8, &field->value);
	case PROTOBUF_FIXED32:
		return read_fixed(message, 4, &field->value);
	case PROTOBUF_LENGTH:
		return read_bytes(message, field);
	}
	return refuse(message);
}

struct protobuf_message protobuf__inner(const struct protobuf_field *field)
{
	const uint8_t *end = field->count ? field->bytes + field->count : field->bytes;

	return (struct protobuf_message){ field->bytes, end, false };
}

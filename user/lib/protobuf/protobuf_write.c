// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* protobuf/protobuf_write.c: appends fields of a message of protocol buffers. */
#include <endian.h>

#include "base/varint.h"
#include "protobuf/protobuf_write.h"

void protobuf__bare_varint(struct strbuf *out, uint64_t value)
{
	varint__put(out, value);
}

void protobuf__bare_fixed64(struct strbuf *out, uint64_t value)
{
	const uint64_t little = htole64(value);

	strbuf__bytes(out, &little, sizeof(little));
}

static void append_tag(struct strbuf *out, uint32_t field, enum protobuf_wire wire)
{
	protobuf__bare_varint(out, (uint64_t)field << 3 | wire);
}

void protobuf__varint(struct strbuf *out, uint32_t field, uint64_t value)
{
	append_tag(out, field, PROTOBUF_VARINT);
	protobuf__bare_varint(out, value);
}

void protobuf__zigzag(struct strbuf *out, uint32_t field, int64_t value)
{
	protobuf__varint(out, field, (uint64_t)value << 1 ^ (uint64_t)(value >> 63));
}

void protobuf__fixed64(struct strbuf *out, uint32_t field, uint64_t value)
{
	append_tag(out, field, PROTOBUF_FIXED64);
	protobuf__bare_fixed64(out, value);
}

void protobuf__double(struct strbuf *out, uint32_t field, double value)
{
	uint64_t bits;

	memcpy(&bits, &value, sizeof(bits));
	protobuf__fixed64(out, field, bits);
}

void protobuf__bytes(struct strbuf *out, uint32_t field, const void *bytes, size_t count)
{
	append_tag(out, field, PROTOBUF_LENGTH);
	protobuf__bare_varint(out, count);
	if (count)
		strbuf__bytes(out, bytes, count);
}

void protobuf__text(struct strbuf *out, uint32_t field, const char *text)
{
	protobuf__bytes(out, field, text, strlen(text));
}

struct protobuf_mark protobuf__begin(struct strbuf *out, uint32_t field, unsigned length_bytes)
{
	struct protobuf_mark mark;

	append_tag(out, field, PROTOBUF_LENGTH);
	mark = (struct protobuf_mark){ out->count, length_bytes };
	strbuf__fill(out, 0, length_bytes);
	return mark;
}

void protobuf__end(struct strbuf *out, struct protobuf_mark mark)
{
	size_t from = mark.at + mark.reserved, count;
	uint8_t length[PROTOBUF_VARINT_MAX];
	unsigned bytes;

	if (out->failed)
		return;
	count = out->count - from;
	bytes = (unsigned)(varint__store(length, count) - length);
	if (bytes != mark.reserved) {
		if (!strbuf__room(out, bytes))
			return;
		memmove(out->bytes + mark.at + bytes, out->bytes + from, count);
		out->count = mark.at + bytes + count;
	}
	memcpy(out->bytes + mark.at, length, bytes);
}

/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * protobuf/protobuf_write.h: appends fields of a message of protocol buffers to a string buffer.
 *
 *	struct protobuf_mark mark = protobuf__begin(out, 2, 1);
 *
 *	protobuf__text(out, 1, "name");
 *	protobuf__end(out, mark);
 *
 * Fields are written even if they are 0 or empty: proto3 leaves that to the caller.
 */
#ifndef PEAT_PROTOBUF_WRITE_H
#define PEAT_PROTOBUF_WRITE_H

#include "base/strbuf.h"

enum protobuf_wire {
	PROTOBUF_VARINT = 0,
	PROTOBUF_FIXED64 = 1,
	PROTOBUF_LENGTH = 2, /* texts, bytes, messages, packed arrays */
	PROTOBUF_FIXED32 = 5
};

#define PROTOBUF_VARINT_MAX 10 /* bytes */

/* Appends numbers without a field number, for packed arrays. */
void protobuf__bare_varint(struct strbuf *out, uint64_t value);
void protobuf__bare_fixed64(struct strbuf *out, uint64_t value);

/* uint64, uint32, bool, enum, and int64 and int32, whose negative numbers have 10 bytes. */
void protobuf__varint(struct strbuf *out, uint32_t field, uint64_t value);

/* sint64 and sint32 */
void protobuf__zigzag(struct strbuf *out, uint32_t field, int64_t value);

/* fixed64 and sfixed64 */
void protobuf__fixed64(struct strbuf *out, uint32_t field, uint64_t value);

void protobuf__double(struct strbuf *out, uint32_t field, double value);

void protobuf__bytes(struct strbuf *out, uint32_t field, const void *bytes, size_t count);
void protobuf__text(struct strbuf *out, uint32_t field, const char *text);

/* A field that has begun: a message, or a packed array. */
struct protobuf_mark {
	size_t at;	   /* of its length */
	unsigned reserved; /* bytes for the length */
};

/*
 * Begins a field whose length is not known yet.  length_bytes is a guess of the bytes that the
 * length needs: 1 below 128, 2 below 16 Ki, 3 below 2 Mi.  If it is wrong, protobuf__end() moves
 * the contents.
 */
struct protobuf_mark protobuf__begin(struct strbuf *out, uint32_t field, unsigned length_bytes);
void protobuf__end(struct strbuf *out, struct protobuf_mark mark);

#endif /* PEAT_PROTOBUF_WRITE_H */

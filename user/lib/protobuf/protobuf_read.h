/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * protobuf/protobuf_read.h: reads the fields of a message that a stranger sent.
 *
 *	struct protobuf_field field;
 *
 *	while (protobuf__next(&message, &field))
 *		if (field.number == 2)
 *			use(field.value);
 *	if (message.is_bad)
 *		...the rest is no message...
 */
#ifndef PEAT_PROTOBUF_READ_H
#define PEAT_PROTOBUF_READ_H

#include "protobuf/protobuf_write.h"

/* Bytes to be read, of a whole message: { bytes, bytes + count, false }. */
struct protobuf_message {
	const uint8_t *at, *end;
	bool is_bad; /* it is cut, or has a group or an unknown wire type */
};

struct protobuf_field {
	uint32_t number;
	enum protobuf_wire wire;
	uint64_t value;	      /* VARINT, FIXED64, FIXED32; others: 0 */
	const uint8_t *bytes; /* LENGTH, in the message; others: NULL */
	size_t count;	      /* of `bytes` */
};

/* Whether there is a field more, which is stored in `field`. */
bool protobuf__next(struct protobuf_message *message, struct protobuf_field *field);

/* A message in a field of the wire type LENGTH.  Other fields are an empty message. */
struct protobuf_message protobuf__inner(const struct protobuf_field *field);

#endif /* PEAT_PROTOBUF_READ_H */

/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * otlp/attribute.h: attributes of OTLP: messages KeyValue, in field number `in` of any message.
 *
 *	integers		int_value; above INT64_MAX string_value, in decimal
 *	enums, flags, errnos	string_value: the name; without one, int_value
 *	texts			string_value; not UTF-8: bytes_value
 *	bytes			bytes_value
 *	addresses		string_value
 *	structs, arrays		kvlist_value, array_value
 */
#ifndef PEAT_OTLP_ATTRIBUTE_H
#define PEAT_OTLP_ATTRIBUTE_H

#include <peat/schema.h>

#include "protobuf/protobuf_write.h"

void otlp_attribute__integer(struct strbuf *out, uint32_t in, const char *key, int64_t value);
void otlp_attribute__unsigned(struct strbuf *out, uint32_t in, const char *key, uint64_t value);
void otlp_attribute__text(struct strbuf *out, uint32_t in, const char *key, const char *text);
void otlp_attribute__bytes(struct strbuf *out, uint32_t in, const char *key, const void *bytes,
			   size_t count);

/* "event.name": "peat.TYPE". */
void otlp_attribute__event_name(struct strbuf *out, uint32_t in, const char *type);

/*
 * A field of an event.  `data` and `bytes` as for peat_field__number().  A field that is absent, or
 * hidden, has no attribute.
 */
void otlp_attribute__field(struct strbuf *out, uint32_t in, const struct peat_field *field,
			   const void *data, uint32_t bytes);

/* Frames of a stack with their names: begin the attribute, append each address, and end it. */
struct otlp_frames {
	struct protobuf_mark attribute, value, array;
};

struct otlp_frames otlp_attribute__begin_frames(struct strbuf *out, uint32_t in, const char *key);
void otlp_attribute__kernel_frame(struct strbuf *out, uint64_t address);
void otlp_attribute__user_frame(struct strbuf *out, uint64_t address);
void otlp_attribute__end_frames(struct strbuf *out, struct otlp_frames frames);

#endif /* PEAT_OTLP_ATTRIBUTE_H */

/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* otlp_messages.h: finds fields in messages that were written. */
#ifndef TESTS_UNIT_OTLP_OTLP_MESSAGES_H
#define TESTS_UNIT_OTLP_OTLP_MESSAGES_H

#include "protobuf/protobuf_read.h"
#include "support/machine/harness.h"

static inline struct protobuf_message whole(const struct strbuf *out)
{
	const uint8_t *at = (const uint8_t *)out->bytes;

	ck_assert(!out->failed);
	return (struct protobuf_message){ at, at + out->count, false };
}

/* The field `number`, its `nth` from 0.  False: there is none. */
static inline bool find_field(struct protobuf_message message, uint32_t number, unsigned nth,
			      struct protobuf_field *found)
{
	while (protobuf__next(&message, found))
		if (found->number == number && !nth--)
			return true;
	ck_assert(!message.is_bad);
	return false;
}

static inline struct protobuf_message inner(struct protobuf_message message, uint32_t number,
					    unsigned nth)
{
	struct protobuf_field field;

	ck_assert(find_field(message, number, nth, &field));
	ck_assert_int_eq(field.wire, PROTOBUF_LENGTH);
	return protobuf__inner(&field);
}

static inline uint64_t number_in(struct protobuf_message message, uint32_t number)
{
	struct protobuf_field field;

	ck_assert_msg(find_field(message, number, 0, &field), "no field %u", number);
	return field.value;
}

static inline void check_text(struct protobuf_message message, uint32_t number, const char *text)
{
	struct protobuf_field field;

	ck_assert_msg(find_field(message, number, 0, &field), "no field %u", number);
	ck_assert_uint_eq(field.count, strlen(text));
	ck_assert_mem_eq(field.bytes, text, field.count);
}

/* The AnyValue of an attribute.  False: there is none. */
static inline bool find_attribute(struct protobuf_message message, uint32_t number, const char *key,
				  struct protobuf_message *value)
{
	struct protobuf_field field, name;

	for (unsigned i = 0; find_field(message, number, i, &field); i++) {
		ck_assert(find_field(protobuf__inner(&field), 1, 0, &name));
		if (name.count != strlen(key) || memcmp(name.bytes, key, name.count) != 0)
			continue;
		*value = inner(protobuf__inner(&field), 2, 0);
		return true;
	}
	return false;
}

static inline struct protobuf_message attribute(struct protobuf_message message, uint32_t number,
						const char *key)
{
	struct protobuf_message value;

	ck_assert_msg(find_attribute(message, number, key, &value), "no attribute %s", key);
	return value;
}

#endif /* TESTS_UNIT_OTLP_OTLP_MESSAGES_H */

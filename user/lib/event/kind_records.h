/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * kind_records.h: what events of the kernel's records consist of, and how they are filled: for
 * kinds.c, which knows which kinds there are.
 */
#ifndef KIND_RECORDS_H
#define KIND_RECORDS_H

#include <string.h>

#include <peat/reader.h>

#include "schema/fields.h"

/* Where an event is written. */
struct kind_event {
	void *data;
	uint32_t room, bytes;
};

/* As kinds__fill(), by the kinds of live readers and by PEAT_KIND_OTHER. */
const struct peat_schema *kind_records__fill(struct kind_event *event,
					     const struct peat_record *record);
const struct peat_schema *kind_others__fill(struct kind_event *event,
					    const struct peat_record *record);

/* As peat_kind__schema(). */
const struct peat_schema *kind_records__schema(enum peat_kind kind, uint32_t i);
const struct peat_schema *kind_others__schema(uint32_t i);

/* As kinds__recorded(). */
const struct peat_schema *kind_records__recorded(const struct peat_schema *schema, const char *arch,
						 bool same_kernel);

/* ---- events ---------------------------------------------------------------------------------- */

/* The struct's own part: zeroed, as all of it is there to be seen. */
static inline void *kind_event__begin(struct kind_event *event, size_t bytes)
{
	event->bytes = (uint32_t)bytes;
	return memset(event->data, 0, bytes);
}

/* A struct that ends in `rest`, which has no length of its own, begins it without padding. */
#define BEGIN(event, of)      kind_event__begin(event, sizeof(struct of))
#define BEGIN_OPEN(event, of) kind_event__begin(event, offsetof(struct of, rest))

/* As much as there is room for. */
static inline void kind_event__add(struct kind_event *event, const void *bytes, size_t count)
{
	uint32_t room = event->room - event->bytes;

	if (count > room)
		count = room;
	memcpy((unsigned char *)event->data + event->bytes, bytes, count);
	event->bytes += (uint32_t)count;
}

/* An element of an array: as a whole, or false: there is no room. */
static inline bool kind_event__add_element(struct kind_event *event, const void *element,
					   size_t bytes)
{
	if (bytes > event->room - event->bytes)
		return false;
	kind_event__add(event, element, bytes);
	return true;
}

/* ---- schemas --------------------------------------------------------------------------------- */

#define COUNT(array) ((uint32_t)(sizeof(array) / sizeof((array)[0])))

#define FIELD_OF(of, member, called, is, said)                                                     \
	{                                                                                          \
		.name = (called), .kind = (is), .span = 1, .offset = offsetof(struct of, member),  \
		.bytes = sizeof(((struct of *)0)->member), .doc = (said)                           \
	}
#define FIELD(of, member, is, said) FIELD_OF(of, member, #member, is, said)

#define NAMED(of, member, is, of_names, said)                                                      \
	{                                                                                          \
		.name = #member, .kind = (is), .span = 1, .offset = offsetof(struct of, member),   \
		.bytes = sizeof(((struct of *)0)->member), .name_count = COUNT(of_names),          \
		.names = (of_names), .doc = (said)                                                 \
	}

/* Up to the end of the event, however long. */
#define REST(of, called, is, said)                                                                 \
	{                                                                                          \
		.name = (called), .kind = (is), .span = 1, .offset = offsetof(struct of, rest),    \
		.doc = (said)                                                                      \
	}

/* Likewise an array; what its elements are, in `inside` fields, follows. */
#define REST_ARRAY(of, called, inside, said)                                                       \
	{                                                                                          \
		.name = (called), .kind = PEAT_FIELD_ARRAY, .span = 1 + (inside),                  \
		.offset = offsetof(struct of, rest), .doc = (said)                                 \
	}
#define ELEMENT(is, length)                                                                        \
	{                                                                                          \
		.name = "", .kind = (is), .span = 1, .bytes = (length)                             \
	}
#define ELEMENT_STRUCT(of, members)                                                                \
	{                                                                                          \
		.name = "", .kind = PEAT_FIELD_STRUCT, .span = 1 + (members),                      \
		.bytes = sizeof(struct of)                                                         \
	}

/* Nobody writes to the fields, but those of other schemas are made. */
#define SCHEMA(called, of_fields, length, ...)                                                     \
	{                                                                                          \
		.name = "@" called, .bytes = (uint32_t)(length), .count = COUNT(of_fields),        \
		.fields = (of_fields), .stacks_fd = -1, __VA_ARGS__                                \
	}
#define FIXED(called, of_fields, of, ...) SCHEMA(called, of_fields, sizeof(struct of), __VA_ARGS__)
#define OPEN(called, of_fields, of, ...)                                                           \
	SCHEMA(called, of_fields, offsetof(struct of, rest), __VA_ARGS__)

#endif /* KIND_RECORDS_H */

/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * event/side_band_records.h: schemas of the kernel's records as events, and functions that fill the
 * events; event/side_band.c finds them by kind and record type.
 */
#ifndef PEAT_EVENT_SIDE_BAND_RECORDS_H
#define PEAT_EVENT_SIDE_BAND_RECORDS_H

#include <string.h>

#include <peat/reader.h>

#include "field/fields.h"

/* Memory for an event, and its length so far. */
struct kind_event {
	void *data;
	uint32_t room, bytes;
};

/* The event of a type of records; without a schema: none. */
struct kind_row {
	enum peat_side_band kind;
	const struct peat_schema *schema;
	/* Writes the event; NULL: the event is a copy of the record's own struct. */
	void (*fill)(struct kind_event *event, const struct peat_record *record);
};

#define KIND_ROWS (PEAT_RECORD_CALLCHAIN_DEFERRED + 1)

/* By enum peat_record_type: the kinds of live readers, and PEAT_SIDE_BAND_OTHER. */
extern const struct kind_row side_band_records[KIND_ROWS], side_band_others[KIND_ROWS];

/* ---- events ---------------------------------------------------------------------------------- */

/* Begins an event with a struct, zeroed, since users see its padding too. */
static inline void *kind_event__begin(struct kind_event *event, size_t bytes)
{
	event->bytes = (uint32_t)bytes;
	return memset(event->data, 0, bytes);
}

/* BEGIN_OPEN: for a struct that ends in `rest`, a member of any length; leaves out the padding. */
#define BEGIN(event, of)      kind_event__begin(event, sizeof(struct of))
#define BEGIN_OPEN(event, of) kind_event__begin(event, offsetof(struct of, rest))

/* Appends bytes; cut to the room. */
static inline void kind_event__add(struct kind_event *event, const void *bytes, size_t count)
{
	uint32_t room = event->room - event->bytes;

	if (count > room)
		count = room;
	memcpy((unsigned char *)event->data + event->bytes, bytes, count);
	event->bytes += (uint32_t)count;
}

/* Appends an element of an array; false: there is no room for the whole element. */
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
		.bytes = sizeof(((struct of *)0)->member), .is_signed = (is) == PEAT_FIELD_SIGNED, \
		.doc = (said)                                                                      \
	}
#define FIELD(of, member, is, said) FIELD_OF(of, member, #member, is, said)

#define NAMED_OF(of, member, called, is, of_names, said)                                           \
	{                                                                                          \
		.name = (called), .kind = (is), .span = 1, .offset = offsetof(struct of, member),  \
		.bytes = sizeof(((struct of *)0)->member), .name_count = COUNT(of_names),          \
		.names = (of_names), .doc = (said)                                                 \
	}
#define NAMED(of, member, is, of_names, said) NAMED_OF(of, member, #member, is, of_names, said)

/* A field up to the end of the event. */
#define REST(of, called, is, said)                                                                 \
	{                                                                                          \
		.name = (called), .kind = (is), .span = 1, .offset = offsetof(struct of, rest),    \
		.doc = (said)                                                                      \
	}

/* An array up to the end of the event; its elements are described by the next `inside` fields. */
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

/* `fields` is not const because other schemas are built at run time; these are not written to. */
#define SCHEMA(called, of_fields, length, ...)                                                     \
	{                                                                                          \
		.name = "@" called, .bytes = (uint32_t)(length), .count = COUNT(of_fields),        \
		.fields = (of_fields), .stacks_fd = -1, __VA_ARGS__                                \
	}
#define FIXED(called, of_fields, of, ...) SCHEMA(called, of_fields, sizeof(struct of), __VA_ARGS__)
#define OPEN(called, of_fields, of, ...)                                                           \
	SCHEMA(called, of_fields, offsetof(struct of, rest), __VA_ARGS__)

#endif /* PEAT_EVENT_SIDE_BAND_RECORDS_H */

/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * timeline_read.h: reads a Perfetto trace as trace_processor does: packets sorted by time, those of
 * one time in their order.
 */
#ifndef TESTS_SUPPORT_RECORDING_TIMELINE_READ_H
#define TESTS_SUPPORT_RECORDING_TIMELINE_READ_H

#include <stdlib.h>

#include "protobuf/protobuf_read.h"

enum { TIMELINE_BEGIN = 1, TIMELINE_END = 2, TIMELINE_INSTANT = 3 };

struct timeline_packet {
	struct protobuf_message whole;
	uint64_t time_ns, sequence, flags;
	bool has_event;
	uint64_t type, track, name; /* of an event */
	struct protobuf_message event;
	size_t number; /* of the packet */
};

/* The field `number`, its `nth` from 0.  False: there is none. */
static inline bool timeline_field(struct protobuf_message message, uint32_t number, unsigned nth,
				  struct protobuf_field *found)
{
	while (protobuf__next(&message, found))
		if (found->number == number && !nth--)
			return true;
	*found = (struct protobuf_field){ 0 };
	return false;
}

static inline uint64_t timeline_number(struct protobuf_message message, uint32_t number)
{
	struct protobuf_field field;

	timeline_field(message, number, 0, &field);
	return field.value;
}

/* Without the field: an empty message. */
static inline struct protobuf_message timeline_inner(struct protobuf_message message,
						     uint32_t number, unsigned nth)
{
	struct protobuf_field field;

	timeline_field(message, number, nth, &field);
	return protobuf__inner(&field);
}

/* A copy of a text; "": the field is not there. */
static inline const char *timeline_text(struct protobuf_message message, uint32_t number)
{
	static char texts[8][1024];
	static unsigned next;
	char *text = texts[next++ % 8];
	struct protobuf_field field;

	timeline_field(message, number, 0, &field);
	if (field.count >= sizeof(texts[0]))
		field.count = sizeof(texts[0]) - 1;
	if (field.count)
		memcpy(text, field.bytes, field.count);
	text[field.count] = 0;
	return text;
}

static inline void timeline_packet__read(struct timeline_packet *packet,
					 struct protobuf_message whole)
{
	struct protobuf_field event;

	*packet = (struct timeline_packet){ .whole = whole };
	packet->time_ns = timeline_number(whole, 8);
	packet->sequence = timeline_number(whole, 10);
	packet->flags = timeline_number(whole, 13);
	packet->has_event = timeline_field(whole, 11, 0, &event);
	packet->event = protobuf__inner(&event);
	packet->type = timeline_number(packet->event, 9);
	packet->track = timeline_number(packet->event, 11);
	packet->name = timeline_number(packet->event, 10);
}

/* All packets, which the caller frees, and their number.  NULL: the bytes are no trace. */
static inline struct timeline_packet *timeline_read(const void *bytes, size_t size, size_t *count)
{
	struct protobuf_message trace = { bytes, (const uint8_t *)bytes + size, false };
	struct timeline_packet *packets = malloc(sizeof(*packets));
	struct protobuf_field field;

	for (*count = 0; packets && protobuf__next(&trace, &field); ++*count) {
		/* Room for twice as many at each power of two; a sanitized realloc() copies. */
		if (!(*count & (*count + 1)))
			packets = reallocarray(packets, 2 * (*count + 1), sizeof(*packets));
		if (!packets || field.number != 1)
			break;
		timeline_packet__read(&packets[*count], protobuf__inner(&field));
		packets[*count].number = *count;
	}
	if (!trace.is_bad && trace.at == trace.end)
		return packets;
	free(packets);
	return NULL;
}

static inline int timeline_order(const void *a, const void *b)
{
	const struct timeline_packet *one = a, *other = b;

	if (one->track != other->track)
		return one->track < other->track ? -1 : 1;
	if (one->time_ns != other->time_ns)
		return one->time_ns < other->time_ns ? -1 : 1;
	return one->number < other->number ? -1 : one->number > other->number;
}

/*
 * Whether each end of a slice closes the slice whose begin is the packet before it in the file, and
 * no slice stays open.  Sorts the packets by track and time.
 */
static inline bool timeline_nests(struct timeline_packet *packets, size_t count)
{
	size_t *open = malloc((count + 1) * sizeof(*open)), depth = 0;
	bool holds = open;

	qsort(packets, count, sizeof(*packets), timeline_order);
	for (size_t i = 0; holds && i < count; i++) {
		const struct timeline_packet *packet = &packets[i];

		if (depth && i && packet->track != packets[i - 1].track)
			holds = false;
		else if (packet->has_event && packet->type == TIMELINE_BEGIN)
			open[depth++] = packet->number;
		else if (packet->has_event && packet->type == TIMELINE_END)
			holds = depth && open[--depth] + 1 == packet->number;
	}
	free(open);
	return holds && !depth;
}

#endif /* TESTS_SUPPORT_RECORDING_TIMELINE_READ_H */

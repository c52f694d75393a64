// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* counters/reading.c: values, times and ids in the bytes of read(2), and multiplexing. */
#include <errno.h>
#include <string.h>
#include <linux/perf_event.h>

#include "counters/reading.h"

/*
 * Layouts of perf_event_open(2), all words of 64 bits:
 *
 *	without PERF_FORMAT_GROUP   value enabled running id [lost]
 *	with it                     count enabled running, and for each member value id [lost]
 */
#define HEAD_WORDS 3

static size_t member_words(uint64_t read_format)
{
	return read_format & READING_LOST ? 3 : 2;
}

size_t reading__bytes(uint64_t read_format, uint32_t members)
{
	size_t words = member_words(read_format);

	return (read_format & PERF_FORMAT_GROUP ? HEAD_WORDS + words * members : 2 + words) *
	       sizeof(uint64_t);
}

static uint64_t word(const void *bytes, size_t index)
{
	uint64_t value;

	memcpy(&value, (const unsigned char *)bytes + index * sizeof(value), sizeof(value));
	return value;
}

static int parse_group(const void *bytes, size_t count, uint64_t read_format,
		       struct reading_member *members, uint32_t room)
{
	size_t words = member_words(read_format);
	uint64_t found = word(bytes, 0);

	if (found > room || count < reading__bytes(read_format, (uint32_t)found))
		return -EBADMSG;
	for (uint32_t i = 0; i < found; i++) {
		size_t at = HEAD_WORDS + i * words;

		members[i] = (struct reading_member){
			.id = word(bytes, at + 1),
			.reading = { .value = word(bytes, at),
				     .enabled_ns = word(bytes, 1),
				     .running_ns = word(bytes, 2),
				     .lost = words > 2 ? word(bytes, at + 2) : 0 },
		};
	}
	return (int)found;
}

int reading__parse(const void *bytes, size_t count, uint64_t read_format,
		   struct reading_member *members, uint32_t room)
{
	if (count < reading__bytes(read_format, 0) || !room)
		return -EBADMSG;
	if (read_format & PERF_FORMAT_GROUP)
		return parse_group(bytes, count, read_format, members, room);
	*members = (struct reading_member){
		.id = word(bytes, 3),
		.reading = { .value = word(bytes, 0),
			     .enabled_ns = word(bytes, 1),
			     .running_ns = word(bytes, 2),
			     .lost = read_format & READING_LOST ? word(bytes, 4) : 0 },
	};
	return 1;
}

void reading__add(struct reading *sum, const struct reading *other)
{
	sum->value += other->value;
	sum->enabled_ns += other->enabled_ns;
	sum->running_ns += other->running_ns;
	sum->lost += other->lost;
}

struct reading reading__since(const struct reading *now, const struct reading *base)
{
	return (struct reading){
		.value = now->value - base->value,
		.enabled_ns = now->enabled_ns - base->enabled_ns,
		.running_ns = now->running_ns - base->running_ns,
		.lost = now->lost - base->lost,
	};
}

/* The product of two 64-bit numbers needs 128 bits. */
__extension__ typedef unsigned __int128 product;

uint64_t reading__scaled(const struct reading *reading)
{
	product scaled;

	if (!reading->running_ns)
		return 0;
	if (reading->running_ns >= reading->enabled_ns)
		return reading->value;
	scaled = ((product)reading->value * reading->enabled_ns + reading->running_ns / 2) /
		 reading->running_ns;
	return scaled > UINT64_MAX ? UINT64_MAX : (uint64_t)scaled;
}

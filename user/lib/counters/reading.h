/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* counters/reading.h: what read(2) of a counter returns, and its arithmetic.  Pure. */
#ifndef PEAT_COUNTERS_READING_H
#define PEAT_COUNTERS_READING_H

#include <stddef.h>
#include <stdint.h>

/* PERF_FORMAT_LOST, Linux 6.0; the kernel headers of Debian 12 have it, those of 5.15 do not. */
#define READING_LOST (1ULL << 4)

struct reading {
	uint64_t value, enabled_ns, running_ns, lost;
};

/* One counter of a group. */
struct reading_member {
	uint64_t id;
	struct reading reading;
};

/* The bytes that read(2) returns for this format and a group of `members`. */
size_t reading__bytes(uint64_t read_format, uint32_t members);

/*
 * Parses what read(2) returned for a format with PERF_FORMAT_ID and both times, with or without
 * PERF_FORMAT_GROUP and READING_LOST.  Sets at most `room` members.  Their number, or -EBADMSG: the
 * bytes are too few, or a group has more than `room` members.
 */
int reading__parse(const void *bytes, size_t count, uint64_t read_format,
		   struct reading_member *members, uint32_t room);

void reading__add(struct reading *sum, const struct reading *other);

/* The difference: `now` minus `base`. */
struct reading reading__since(const struct reading *now, const struct reading *base);

/*
 * The value for all of the enabled time, if the counter was running for a part of it only: value *
 * enabled / running, rounded to the nearest.  0 if it was not running at all.
 */
uint64_t reading__scaled(const struct reading *reading);

#endif /* PEAT_COUNTERS_READING_H */

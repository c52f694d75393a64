/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * tables/map_merge.h: the values of a map's entry on several CPUs as one value, and the difference
 * of two readings.
 *
 *	amounts		UNSIGNED, SIGNED, DURATION, SIZE, FLOAT: the sum; the difference
 *	PEAT_MERGE()	the smallest or the largest; the current one
 *	all others	of the first CPU that has one other than 0; the current one
 */
#ifndef PEAT_TABLES_MAP_MERGE_H
#define PEAT_TABLES_MAP_MERGE_H

#include "schema/map_schema.h"

/* A part of the value: consecutive numbers, or bytes. */
struct merge_part {
	enum map_merge merge; /* never DEFAULT */
	bool is_signed, is_float;
	uint32_t offset, bytes; /* in the value; of a number */
	uint32_t count;
};

struct map_merge_plan {
	struct merge_part *parts;
	uint32_t count;
	uint32_t value_bytes;
};

/* 0, or -ENOMEM, or -EINVAL: too many parts, logged. */
int map_merge__make(struct map_merge_plan *plan, const struct map_schema *schema,
		    uint32_t value_bytes);

/* Merges the values of `cpus` CPUs, `stride` bytes apart, into `value`. */
void map_merge__cpus(const struct map_merge_plan *plan, void *value, const void *values,
		     uint32_t stride, uint32_t cpus);

/*
 * Subtracts the amounts of an earlier reading.  If an unsigned amount was larger then, the entry is
 * another one of the same key, made since: nothing is subtracted.
 */
void map_merge__subtract(const struct map_merge_plan *plan, void *value, const void *earlier);

/* Whether the value has amounts, of which an interval has the difference. */
bool map_merge__has_amounts(const struct map_merge_plan *plan);

void map_merge__free(struct map_merge_plan *plan);

#endif /* PEAT_TABLES_MAP_MERGE_H */

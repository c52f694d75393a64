// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* batch/points.c: copies points, with all that they point to. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/errors.h"
#include "base/log.h"
#include "batch/points.h"

static bool copy_text(struct arena *memory, const char **text)
{
	if (*text)
		*text = arena__copy(memory, *text, strlen(*text));
	return *text;
}

static bool copy_labels(struct arena *memory, struct peat_point *point)
{
	struct peat_label *copy = arena__take(memory, point->label_count * sizeof(*copy));

	if (!copy)
		return false;
	for (uint32_t i = 0; i < point->label_count; i++) {
		copy[i] = point->labels[i];
		if (!copy_text(memory, &copy[i].name) || !copy_text(memory, &copy[i].value))
			return false;
	}
	point->labels = copy;
	return true;
}

static bool copy_buckets(struct arena *memory, struct peat_point *point)
{
	size_t bytes = point->bucket_count * sizeof(*point->buckets);
	struct peat_bucket *copy = arena__take(memory, bytes);

	if (copy && bytes)
		memcpy(copy, point->buckets, bytes);
	point->buckets = copy;
	return copy;
}

static bool copy_all(struct arena *memory, struct peat_point *point)
{
	return copy_text(memory, &point->name) &&
	       (!point->unit || copy_text(memory, &point->unit)) &&
	       (!point->doc || copy_text(memory, &point->doc)) && copy_labels(memory, point) &&
	       copy_buckets(memory, point);
}

static bool are_buckets_valid(const struct peat_point *point)
{
	uint64_t count = 0;

	for (uint32_t i = 0; i < point->bucket_count; i++) {
		if (i && !(point->buckets[i].upper > point->buckets[i - 1].upper))
			return false;
		count += point->buckets[i].count;
	}
	return point->bucket_count && point->buckets[point->bucket_count - 1].upper == INFINITY &&
	       count == point->count;
}

static const char *find_fault(const struct peat_point *point)
{
	if (!point->name || !*point->name)
		return "it has no name";
	if (point->kind > PEAT_POINT_HISTOGRAM)
		return "its kind is unknown";
	for (uint32_t i = 0; i < point->label_count; i++)
		if (!point->labels[i].name || !point->labels[i].value)
			return "a label has no name or no value";
	if (point->kind == PEAT_POINT_HISTOGRAM && !are_buckets_valid(point))
		return "its buckets are not in order, not of all numbers, or have another count";
	return NULL;
}

int points__add(struct points *points, const struct peat_point *point)
{
	const char *fault = find_fault(point);
	struct peat_point copy = *point;

	if (fault) {
		log__error("peat_batch__add_point(): %s: %s", point->name ?: "a point", fault);
		return fail(-EINVAL);
	}
	if (!ARRAY_RESERVE_NEXT(points->at, points->count) || !copy_all(&points->memory, &copy))
		return fail(-ENOMEM);
	points->at[points->count++] = copy;
	return 0;
}

const struct peat_point *points__at(const struct points *points, uint64_t number)
{
	return number < points->count ? &points->at[number] : NULL;
}

size_t points__count(const struct points *points)
{
	return points->count;
}

size_t points__bytes(const struct points *points)
{
	return points->count * sizeof(*points->at) + points->memory.bytes;
}

void points__free(struct points *points)
{
	free(points->at);
	arena__free(&points->memory);
}

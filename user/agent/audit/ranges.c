// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* audit/ranges.c: keeps a set of numbers as ranges. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "audit/ranges.h"

/* The first range that ends at `number` or later, or is beside it. */
static size_t find(const struct ranges *ranges, uint64_t number)
{
	size_t low = 0, high = ranges->count;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (ranges->ranges[middle].last < number &&
		    number - ranges->ranges[middle].last > 1)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

/* Makes room for a range at this place. */
static int insert(struct ranges *ranges, size_t at, struct range range)
{
	if (ranges->count == RANGES_MAX)
		return -ENOSPC;
	if (ranges->count == ranges->room) {
		size_t room = ranges->room ? 2 * ranges->room : 4;
		struct range *grown = realloc(ranges->ranges, room * sizeof(*grown));

		if (!grown)
			return -ENOMEM;
		ranges->ranges = grown;
		ranges->room = room;
	}
	memmove(&ranges->ranges[at + 1], &ranges->ranges[at],
		(ranges->count - at) * sizeof(*ranges->ranges));
	ranges->ranges[at] = range;
	ranges->count++;
	ranges->numbers += range.last - range.first + 1;
	return 0;
}

/* Widens the range `at`, which takes in those after it that it reaches. */
static void widen(struct ranges *ranges, size_t at, uint64_t first, uint64_t last)
{
	struct range *range = &ranges->ranges[at];
	size_t end = at;

	while (end < ranges->count &&
	       (ranges->ranges[end].first <= last || ranges->ranges[end].first - last == 1)) {
		ranges->numbers -= ranges->ranges[end].last - ranges->ranges[end].first + 1;
		if (ranges->ranges[end].last > last)
			last = ranges->ranges[end].last;
		end++;
	}
	if (range->first < first)
		first = range->first;
	*range = (struct range){ first, last };
	ranges->numbers += last - first + 1;
	memmove(range + 1, &ranges->ranges[end], (ranges->count - end) * sizeof(*range));
	ranges->count -= end - at - 1;
}

int ranges__add(struct ranges *ranges, uint64_t first, uint64_t last, uint64_t *fresh)
{
	const uint64_t before = ranges->numbers;
	size_t at;
	int err = 0;

	*fresh = 0;
	if (last < first)
		return -EINVAL;
	at = find(ranges, first);
	if (at == ranges->count ||
	    (ranges->ranges[at].first > last && ranges->ranges[at].first - last > 1))
		err = insert(ranges, at, (struct range){ first, last });
	else
		widen(ranges, at, first, last);
	*fresh = ranges->numbers - before;
	return err;
}

void ranges__free(struct ranges *ranges)
{
	free(ranges->ranges);
	*ranges = (struct ranges){ 0 };
}

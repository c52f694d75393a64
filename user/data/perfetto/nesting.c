// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* perfetto/nesting.c: decides which slices share a track. */
#include <string.h>

#include "perfetto/nesting.h"

/* The spans that remain if a slice contains the others; UINT32_MAX: it would cut one. */
static uint32_t find_rest(const struct nesting *lane, uint64_t begin, uint64_t end)
{
	uint32_t rest = lane->count;

	for (; rest && lane->spans[rest - 1].begin > begin; rest--)
		if (lane->spans[rest - 1].end > end)
			return UINT32_MAX;
	return rest && lane->spans[rest - 1].end > begin ? UINT32_MAX : rest;
}

/* Joins the two neighbours with the smallest gap. */
static void join_spans(struct nesting *lane)
{
	uint32_t at = 0;
	uint64_t least = UINT64_MAX;

	for (uint32_t i = 0; i + 1 < lane->count; i++) {
		uint64_t gap = lane->spans[i + 1].begin - lane->spans[i].end;

		if (gap < least) {
			least = gap;
			at = i;
		}
	}
	lane->spans[at].end = lane->spans[at + 1].end;
	memmove(&lane->spans[at + 1], &lane->spans[at + 2],
		(lane->count - at - 2) * sizeof(*lane->spans));
	lane->count--;
}

bool nesting__add(struct nesting *lane, uint64_t begin, uint64_t end)
{
	uint32_t rest = find_rest(lane, begin, end);

	if (rest == UINT32_MAX)
		return false;
	lane->count = rest;
	if (lane->count == NESTING_SPANS)
		join_spans(lane);
	lane->spans[lane->count++] = (struct nesting_span){ begin, end };
	return true;
}

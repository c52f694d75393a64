// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* prometheus/buckets.c: adds the buckets of histograms. */
#include "prometheus/buckets.h"

static bool has_same_bounds(const struct buckets *buckets, const struct peat_bucket *more,
			    uint32_t count)
{
	if (buckets->count != count)
		return false;
	for (uint32_t i = 0; i < count; i++)
		if (buckets->at[i].upper < more[i].upper || buckets->at[i].upper > more[i].upper)
			return false;
	return true;
}

/* The next bucket of both lists, and its count in both. */
static struct peat_bucket merge_next(const struct peat_bucket **a, const struct peat_bucket *a_end,
				     const struct peat_bucket **b, const struct peat_bucket *b_end)
{
	bool is_a = *b == b_end || (*a < a_end && (*a)->upper <= (*b)->upper);
	bool is_b = *a == a_end || (*b < b_end && (*b)->upper <= (*a)->upper);
	struct peat_bucket next = { is_a ? (*a)->upper : (*b)->upper, 0 };

	if (is_a)
		next.count += (*a)++->count;
	if (is_b)
		next.count += (*b)++->count;
	return next;
}

bool buckets__add(struct arena *memory, struct buckets *buckets, const struct peat_bucket *more,
		  uint32_t count)
{
	const struct peat_bucket *a = buckets->at, *a_end = a ? a + buckets->count : NULL;
	const struct peat_bucket *b = more, *b_end = more + count;
	struct buckets sum = { NULL, 0 };

	if (has_same_bounds(buckets, more, count)) {
		for (uint32_t i = 0; i < count; i++)
			buckets->at[i].count += more[i].count;
		return true;
	}
	sum.at = arena__take(memory, ((size_t)buckets->count + count) * sizeof(*sum.at));
	if (!sum.at)
		return false;
	while (a < a_end || b < b_end)
		sum.at[sum.count++] = merge_next(&a, a_end, &b, b_end);
	*buckets = sum;
	return true;
}

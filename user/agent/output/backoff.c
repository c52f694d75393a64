// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* output/backoff.c: how long a server that fails is left alone. */
#include "output/backoff.h"

#define NS_PER_SEC    1000000000ULL
#define FIRST_NS      (NS_PER_SEC / 2)
#define LONGEST_NS    (30 * NS_PER_SEC)
#define RETRY_AFTER_S 300

static uint64_t pause_ns(const struct backoff *backoff, uint64_t random)
{
	const uint64_t longest_ns = backoff->longest_ns ?: LONGEST_NS;
	uint64_t ns = FIRST_NS << (backoff->failures < 6 ? backoff->failures : 6);

	ns = ns < longest_ns ? ns : longest_ns;
	return ns - random % (ns / 2);
}

void backoff__fail(struct backoff *backoff, uint64_t now_ns, uint64_t retry_after_s,
		   uint64_t random)
{
	uint64_t until_ns;

	if (retry_after_s > RETRY_AFTER_S)
		retry_after_s = RETRY_AFTER_S;
	if (retry_after_s) {
		until_ns = now_ns + retry_after_s * NS_PER_SEC;
		if (until_ns > backoff->until_ns)
			backoff->until_ns = until_ns;
		backoff->failures += !backoff->failures;
	} else if (backoff__is_over(backoff, now_ns)) {
		backoff->until_ns = now_ns + pause_ns(backoff, random);
		backoff->failures += backoff->failures < UINT32_MAX;
	}
}

void backoff__succeed(struct backoff *backoff)
{
	*backoff = (struct backoff){ .longest_ns = backoff->longest_ns };
}

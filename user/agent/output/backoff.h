/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * output/backoff.h: how long a server that fails is left alone.
 *
 * Half a second after the first failure, twice as long after each further one, up to 30 s or
 * longest_ns; less a random part of up to a half, so that agents do not return all at once.  Or as
 * long as the server asks for (Retry-After), up to 5 minutes.
 */
#ifndef PEAT_OUTPUT_BACKOFF_H
#define PEAT_OUTPUT_BACKOFF_H

#include <stdbool.h>
#include <stdint.h>

/* Zeroes: no failure. */
struct backoff {
	uint64_t until_ns;   /* by the clock of the caller; 0: send at any time */
	uint64_t longest_ns; /* set by the caller; 0: 30 s */
	uint32_t failures;   /* in a row */
};

/*
 * After a failure.  Failures before until_ns are of requests that were under way together: they
 * count once.  retry_after_s: 0: the server did not ask.  `random` is any number.
 */
void backoff__fail(struct backoff *backoff, uint64_t now_ns, uint64_t retry_after_s,
		   uint64_t random);

void backoff__succeed(struct backoff *backoff);

static inline bool backoff__is_over(const struct backoff *backoff, uint64_t now_ns)
{
	return now_ns >= backoff->until_ns;
}

#endif /* PEAT_OUTPUT_BACKOFF_H */

/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* journal/rate.h: a limit of messages a second, and a count of those beyond it.  Pure. */
#ifndef PEAT_JOURNAL_RATE_H
#define PEAT_JOURNAL_RATE_H

#include <stdbool.h>
#include <stdint.h>

#define RATE_NS 1000000000u

struct rate {
	uint64_t most;	   /* a second */
	uint64_t start_ns; /* of the present second */
	uint64_t sent;	   /* in it */
	uint64_t left_out; /* since the last report */
};

/* Whether a message may be sent now: it is counted as sent, or as left out. */
bool rate__take(struct rate *rate, uint64_t now_ns);

/* The message was not sent after all. */
void rate__give_back(struct rate *rate);

/* When messages that were left out are to be reported; UINT64_MAX: there are none. */
uint64_t rate__report_at(const struct rate *rate);

#endif /* PEAT_JOURNAL_RATE_H */

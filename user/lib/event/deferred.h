/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * event/deferred.h: samples wait for the user part of their callchain.
 *
 * Linux 6.19 can defer it: the sampled callchain ends with PEAT_CONTEXT_USER_DEFERRED and a cookie.
 * A record CALLCHAIN_DEFERRED with this cookie has the user part, which is the same for all samples
 * of a stay in the kernel.  The record follows when the task returns to user space, maybe on
 * another CPU, or never, if it was lost.
 *
 * Records are put into a queue in the order of time.  The first record of the queue is returned as
 * soon as it need not wait, so their order stays.
 */
#ifndef PEAT_EVENT_DEFERRED_H
#define PEAT_EVENT_DEFERRED_H

#include <peat/reader.h>

enum deferred_role {
	DEFERRED_NONE,	 /* the record does not wait */
	DEFERRED_SAMPLE, /* waits for the part with its cookie */
	DEFERRED_PART
};

struct deferred_item;

struct deferred {
	struct deferred_item *first, *last;
	struct deferred_item *returned; /* by the last call: freed by the next one */
	void *parts;			/* of the queue: a tree, by cookie */
	uint64_t newest_ns;		/* time of all records that were put */
	uint64_t held_bytes, limit_bytes;
	uint64_t wait_ns; /* most time between the first record and the newest */
	uint64_t missing; /* samples that were returned without their part */
	bool is_released; /* no record waits, until the queue is empty */
};

/*
 * If the records exceed a limit, the first one is returned without its part.  UINT64_MAX: no limit
 * of time.
 */
void deferred__init(struct deferred *deferred, uint64_t limit_bytes, uint64_t wait_ns);
void deferred__free(struct deferred *deferred); /* also zeroes */

static inline bool deferred__is_empty(const struct deferred *deferred)
{
	return !deferred->first;
}

/*
 * Copies the record and its `data`; `comm` is not kept.  The cookie counts for DEFERRED_SAMPLE and
 * DEFERRED_PART.  0 or -ENOMEM.
 */
int deferred__put(struct deferred *deferred, const struct peat_event *record,
		  enum deferred_role role, uint64_t cookie);

/* The records of the queue are returned without waiting. */
void deferred__release(struct deferred *deferred);

/*
 * Returns the first record, if it need not wait.  *part: the record CALLCHAIN_DEFERRED of a sample;
 * NULL: none.  Both are valid until the next call of a function.  False: it waits, or there is
 * none.
 */
bool deferred__next(struct deferred *deferred, struct peat_event *record,
		    const struct peat_event **part);

/* True: the callchain waits for the part with this cookie. */
bool deferred__find_cookie(const struct peat_words *chain, uint64_t *cookie);

/*
 * Stores a callchain that has a cookie, with the user part in the place of marker and cookie.
 * `merged` has room for `chain->count + user->count` words.  Returns the number of words.
 */
uint64_t deferred__merge(const struct peat_words *chain, const struct peat_words *user,
			 uint64_t *merged);

#endif /* PEAT_EVENT_DEFERRED_H */

/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* tide.h: until when all that was emitted has been seen. */
#ifndef TIDE_H
#define TIDE_H

#include "sys/cpus.h"
#include "channel/stage.h"

struct tide {
	const struct stage *stage;
	const struct cpus *cpus; /* only their slots; NULL: all */
	struct tide_slot *slots;
	uint64_t unseen_ns;   /* so long a slot may be locked and not seem to be */
	uint64_t patience_ns; /* a slot where nothing goes on holds nobody up for longer */
	uint32_t rounds;      /* that have been looked at the end of */
};

/* 0 or -ENOMEM; tide__free() takes any, and one of zeroes. */
int tide__init(struct tide *tide, const struct stage *stage, uint64_t now_ns);
void tide__free(struct tide *tide);

/*
 * Looks at all slots, in the middle of a round or at its end; `now_ns` is from before the call. All
 * events that are older than the result have been handed out (stage__hand_out(): so not while a
 * frame is being taken apart) or are lost.
 */
uint64_t tide__look(struct tide *tide, uint64_t now_ns, bool at_end);

#endif /* TIDE_H */

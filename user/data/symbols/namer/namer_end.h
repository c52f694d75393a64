/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* symbols/namer/namer_end.h: the time at which waits for files end, set while they last. */
#ifndef PEAT_SYMBOLS_NAMER_NAMER_END_H
#define PEAT_SYMBOLS_NAMER_NAMER_END_H

#include <signal.h>
#include <stdbool.h>
#include <stdint.h>

struct namer_end {
	volatile sig_atomic_t ms, requests; /* written by namer_end__set() only */
	sig_atomic_t seen;		    /* of the requests */
	uint64_t root_ns, others_ns;	    /* of CLOCK_MONOTONIC, for the requests seen */
};

void namer_end__init(struct namer_end *end);

/* Ends waits in `ms` milliseconds; 0: also those for files of root.  Signal handlers may call it.
 */
void namer_end__set(struct namer_end *end, uint32_t ms);

/* The end for a file of root, or for another one.  UINT64_MAX: none is set. */
uint64_t namer_end__of(struct namer_end *end, bool is_of_root);

#endif /* PEAT_SYMBOLS_NAMER_NAMER_END_H */

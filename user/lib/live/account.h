/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
#ifndef ACCOUNT_H
#define ACCOUNT_H

#include "live/inputs.h"

/* One slot of one CPU, as a sequence of events. */
struct stream {
	uint64_t next_seq;
	bool begun;	    /* what came before its first frame here is not known, and not missed */
	int64_t missing;    /* events that never came before one that did */
	uint64_t base_lost; /* as the slot had counted at the start: see stage__lost_behind() */
};

/* What the reader itself knows of a CPU's events; `base` is the ledger as it was at the start. */
struct account {
	struct peat_ledger base;
	uint64_t delivered, held;
};

/* Of a channel's events. */
struct accounts {
	struct live *live;
	struct stream *streams;	 /* by slot index */
	struct account *of_cpus; /* by CPU number */
	uint32_t cpus;

	/* Delivered by that CPU too, and counted when their frame is done; NULL: there is none. */
	const uint32_t *uncounted;
	uint32_t uncounted_cpu;
};

/* What programs counted before does not count.  0 or -ENOMEM; account__close() takes any. */
int account__open(struct accounts *accounts, struct live *live);
void account__close(struct accounts *accounts);

/* Events that are handed out, but that `delivered` has not yet. */
static inline uint32_t account__uncounted(const struct accounts *accounts)
{
	return accounts->uncounted ? *accounts->uncounted : 0;
}

/* The ledger of a CPU, or of PEAT_ALL_CPUS.  0 or a negative errno. */
int account__fill(const struct accounts *accounts, uint32_t cpu, struct peat_ledger *ledger);

#endif /* ACCOUNT_H */

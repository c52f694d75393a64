/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * live/flight.h: a live reader whose rings overwrite (peat_reader_opts.overwrite).  It reads no
 * event; between snapshots it only follows CPUs and the names of tasks.
 */
#ifndef PEAT_LIVE_FLIGHT_H
#define PEAT_LIVE_FLIGHT_H

#include "live/account.h"
#include "ring/backward.h"

struct flight {
	bool is_on;
	bool is_paused;	 /* nothing writes into the rings */
	bool is_flushed; /* the next round drops all events that no snapshot has */

	/* Task records have rings of their own, which do not overwrite; NULL: no names. */
	struct inputs *names;
	uint64_t names_lost;	   /* their records that were lost before the last snapshot */
	struct peat_ledger *taken; /* by CPU, as of the last snapshot; of a channel */
	uint64_t skipped;	   /* runs, as of the last snapshot */
};

/* The events staged in a slot when a snapshot was made. */
struct flight_slot {
	unsigned char *room; /* NULL: nothing was staged */
	const void *frame;
	size_t bytes;
	uint64_t sent; /* events that left the slot before the rings were swapped */
};

/* Records and frames as they were copied. */
struct flight_copy {
	struct backward_copy *rings;
	uint32_t ring_count;
	struct flight_slot *slots; /* by index; of a channel */
	uint32_t slot_count;
	uint64_t time_ns, swap_ns, copy_ns; /* as in struct peat_snapshot_info */
};

/* Call after the inputs and accounts are open.  0 or a negative errno, which is logged. */
int flight__open(struct flight *flight, struct inputs *inputs, const struct accounts *accounts,
		 const struct peat_reader_opts *opts);
void flight__close(struct flight *flight); /* accepts zeroes */

/* A round: follows CPUs and names; after a flush also drops all events. */
void flight__round(struct flight *flight, struct inputs *inputs, struct accounts *accounts);

/* Makes the kernel discard all further records. */
void flight__pause(struct flight *flight, const struct inputs *inputs);

/*
 * Copies all that was written and staged until now, of each ring the newest most_bytes at most, and
 * empties rings and slots.  0 or a negative errno, which is logged unless it is -ENOMEM.
 */
int flight__copy(struct flight *flight, struct inputs *inputs, uint64_t most_bytes,
		 struct flight_copy *copy);
void flight__free_copy(struct flight_copy *copy); /* accepts zeroes, and failed copies */

#endif /* PEAT_LIVE_FLIGHT_H */

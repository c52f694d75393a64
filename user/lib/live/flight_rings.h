/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * live/flight_rings.h: a live reader whose rings overwrite (peat_reader_opts.overwrite).  It reads
 * no event; between snapshots it only follows CPUs and the names of tasks.
 */
#ifndef PEAT_LIVE_FLIGHT_RINGS_H
#define PEAT_LIVE_FLIGHT_RINGS_H

#include "live/account.h"
#include "ring/backward.h"

struct live_source;

struct flight_rings {
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

/*
 * Opens rings for names of tasks.  Call before the inputs are opened, which take what limits leave
 * of the memory.  0 or a negative errno, which is logged.
 */
int flight_rings__open_names(struct flight_rings *flight, const struct peat_reader_opts *opts);

/* Call after the inputs and accounts are open.  0 or a negative errno, which is logged. */
int flight_rings__open(struct live_source *live, const struct peat_reader_opts *opts);
void flight_rings__close(struct flight_rings *flight, bool is_inherited); /* accepts zeroes */

/*
 * Operations of the reader.  next: a round follows CPUs and names; after a flush it also drops all
 * events.  pause: the kernel discards all further records.
 */
int flight_rings__next(struct peat_reader *reader);
void flight_rings__flush(struct peat_reader *reader);
void flight_rings__pause(struct peat_reader *reader);

/* NULL: the reader's rings do not overwrite, or it is not live. */
struct live_source *flight_rings__of(struct peat_reader *reader);

/*
 * Copies all that was written and staged until now, of each ring the newest most_bytes at most, and
 * empties rings and slots.  0 or a negative errno, which is logged unless it is -ENOMEM.
 */
int flight_rings__copy(struct flight_rings *flight, struct inputs *inputs, uint64_t most_bytes,
		       struct flight_copy *copy);
void flight_rings__free_copy(struct flight_copy *copy); /* accepts zeroes, and failed copies */

#endif /* PEAT_LIVE_FLIGHT_RINGS_H */

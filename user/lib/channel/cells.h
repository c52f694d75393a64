/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * channel/cells.h: the tables in which programs count events (peat/terms.h), one per CPU.
 *
 * Each has two halves.  cells__collect() makes the other half active, under the lock of the CPU's
 * first slot, and then reads and clears the first one while programs count on.
 */
#ifndef PEAT_CHANNEL_CELLS_H
#define PEAT_CHANNEL_CELLS_H

#include <stdbool.h>
#include <stdint.h>

#include <peat/terms.h>

#include "sys/grace_thread.h"

struct peat_schema;
struct peat_table;
struct stage;

/* The half of a CPU's table that is not active. */
enum half_state {
	HALF_EMPTY,
	HALF_IN_USE, /* by programs that began before it was switched: until a grace period is over
		      */
	HALF_COUNTED /* can be moved */
};

struct cells {
	int fd; /* the map; -1: none */
	unsigned char *memory;
	size_t mapped_bytes, element_bytes;
	uint32_t cpus;
	uint64_t *collected;	   /* by CPU: counts that were moved to tables, ever */
	enum half_state *inactive; /* by CPU */
	struct grace_thread grace; /* begun after the halves in use were switched */
	struct peat_count_by by;   /* as the programs have it */
	/* The events that are counted. */
	uint32_t type; /* number */
	const struct peat_schema *schema;
};

/* Sets the sizes in `by`, from its mode and words. */
void cells__choose_sizes(struct peat_count_by *by);

/* Creates and maps the tables of `cells->by`.  0 or a negative errno; cells__close() accepts both.
 */
int cells__open(struct cells *cells, uint32_t cpus);
void cells__close(struct cells *cells);

/* Events that the programs of a CPU have counted, ever. */
uint64_t cells__counted(const struct cells *cells, uint32_t cpu);

/*
 * Moves all counts to `table`.  `stage` has the locks of the CPUs' slots.  If a program holds the
 * lock, its CPU's counts need a grace period: waits for it, for timeout_ms milliseconds at most;
 * -1: without limit.  Counts that still need it then are moved by a later call.
 *
 *	0
 *	a negative errno: counts that could not be moved stay, for another time
 */
int cells__collect(struct cells *cells, struct stage *stage, struct peat_table *table,
		   int timeout_ms);

/* Whether counts wait for a grace period. */
static inline bool cells__are_waiting(const struct cells *cells)
{
	return cells->grace.is_begun;
}

#endif /* PEAT_CHANNEL_CELLS_H */

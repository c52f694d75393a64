/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * channel/adopted_rings.h: the rings of other programs that this process reads.  The kernel shows
 * which processes have a map open, so a second reader in the same process is found here only.
 */
#ifndef PEAT_CHANNEL_ADOPTED_RINGS_H
#define PEAT_CHANNEL_ADOPTED_RINGS_H

#include <stdint.h>

/* A member of the channel that reads the ring.  All zero: none. */
struct adopted_ring {
	uint32_t id; /* of the map */
	struct adopted_ring *next;
};

/* 0; -EBUSY: another channel of this process reads the ring.  Thread-safe. */
int adopted_rings__add(struct adopted_ring *ring, uint32_t id);

/* Allowed without a ring, too.  Thread-safe. */
void adopted_rings__remove(struct adopted_ring *ring);

#endif /* PEAT_CHANNEL_ADOPTED_RINGS_H */

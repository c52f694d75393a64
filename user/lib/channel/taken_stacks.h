/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* channel/taken_stacks.h: the stacks that the programs of a channel take with their events. */
#ifndef PEAT_CHANNEL_TAKEN_STACKS_H
#define PEAT_CHANNEL_TAKEN_STACKS_H

#include <stdint.h>

struct peat_channel;

/*
 * The stacks of events of this type: PEAT_STACK_*, or-ed; 0: none.  Those of programs that ran
 * before are unknown: kernel and user.
 */
uint32_t taken_stacks__of_type(const struct peat_channel *channel, uint32_t type);

/* The stacks of all types, or-ed. */
uint32_t taken_stacks__all(const struct peat_channel *channel);

#endif /* PEAT_CHANNEL_TAKEN_STACKS_H */

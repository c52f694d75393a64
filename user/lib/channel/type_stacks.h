/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* channel/type_stacks.h: the stacks that programs take with events of each type. */
#ifndef PEAT_CHANNEL_TYPE_STACKS_H
#define PEAT_CHANNEL_TYPE_STACKS_H

#include <stdint.h>

struct peat_channel;

/*
 * The stacks of events of this type: PEAT_STACK_*, or-ed; 0: none.  Those of programs that ran
 * before are unknown: kernel and user.
 */
uint32_t type_stacks__of(const struct peat_channel *channel, uint32_t type);

/* The stacks of all types, or-ed. */
uint32_t type_stacks__all(const struct peat_channel *channel);

#endif /* PEAT_CHANNEL_TYPE_STACKS_H */

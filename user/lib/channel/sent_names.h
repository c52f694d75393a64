/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * channel/sent_names.h: programs send the names of tasks (peat_task_name) to a reader in a pid
 * namespace, which cannot look up the ids of their events.
 */
#ifndef PEAT_CHANNEL_SENT_NAMES_H
#define PEAT_CHANNEL_SENT_NAMES_H

#include "channel/channel.h"

/*
 * The fewest bytes of a slot with room for a batch, an event of `largest` bytes, and names.  0:
 * names are not needed, or such a slot is too large.
 */
uint32_t sent_names__slot_bytes(const struct peat_channel *channel, uint32_t largest);

/* Whether the object's programs have to send names, and can: events have ids and slots have room.
 */
bool sent_names__apply(const struct peat_channel *channel, struct bpf_object *object);

#endif /* PEAT_CHANNEL_SENT_NAMES_H */

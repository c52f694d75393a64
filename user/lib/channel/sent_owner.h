/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * channel/sent_owner.h: programs send the user and the cgroup of the task with each event
 * (peat_event_owner), for expressions and tables that name them.
 */
#ifndef PEAT_CHANNEL_SENT_OWNER_H
#define PEAT_CHANNEL_SENT_OWNER_H

#include "channel/channel.h"

/*
 * Whether the object's programs can send them, and have to: the channel's options say so, or its
 * expression or table has `uid`, `cgroup` or a part of the identity where a type of the object has
 * no such field.
 */
bool sent_owner__is_needed(const struct peat_channel *channel, struct bpf_object *object);

#endif /* PEAT_CHANNEL_SENT_OWNER_H */

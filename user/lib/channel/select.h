/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* channel/select.h: makes programs test and count events (peat/terms.h). */
#ifndef PEAT_CHANNEL_SELECT_H
#define PEAT_CHANNEL_SELECT_H

#include "channel/channel.h"

/*
 * Sets the constants of an object that was bound, for opts.where and opts.table of the channel: its
 * programs decide as much as they can.  Logs how much that is.  0 or a negative errno.
 */
int select__set(struct peat_channel *channel, const struct bound_object *bound);

#endif /* PEAT_CHANNEL_SELECT_H */

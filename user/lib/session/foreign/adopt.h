/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
#ifndef PEAT_SESSION_FOREIGN_ADOPT_H
#define PEAT_SESSION_FOREIGN_ADOPT_H

struct peat_channel;

/*
 * Finds the channel whose ring this perf event array is, by the programs that write to it; its
 * types come from their BTF in the kernel.  The log explains every negative errno.
 *
 *     1        the channel
 *     0        the array belongs to no channel, or no program writes to it
 *     -EBUSY   another process reads it: a channel has one reader at a time
 */
int adopt__channel(int ring_fd, struct peat_channel **channel);

#endif /* PEAT_SESSION_FOREIGN_ADOPT_H */

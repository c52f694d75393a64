/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
#ifndef ADOPT_H
#define ADOPT_H

struct peat_channel;

/*
 * Whether a perf event array is the ring of a channel that programs use: 1 and the channel, its
 * types from the BTF that the kernel has of them; 0 if it is not, or nobody writes to it.  -EBUSY:
 * another process holds it, and a channel has one reader at a time; the log says which, as it
 * explains every negative errno.
 */
int adopt__channel(int ring_fd, struct peat_channel **channel);

#endif /* ADOPT_H */

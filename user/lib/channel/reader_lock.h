/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * channel/reader_lock.h: shows the readers of a channel to each other, in whatever containers they
 * run.  The pid in a slot's lock means nothing in another pid namespace.
 */
#ifndef PEAT_CHANNEL_READER_LOCK_H
#define PEAT_CHANNEL_READER_LOCK_H

/*
 * Locks the channel with this stage.  Returns a file descriptor, which holds the lock until it is
 * closed, also by the end of the process and of all its children that inherited it.
 *
 *	-EAGAIN: another reader holds the lock
 *	another negative errno: there is no such lock, other readers are not seen
 */
int reader_lock__open(int stage_fd);

#endif /* PEAT_CHANNEL_READER_LOCK_H */

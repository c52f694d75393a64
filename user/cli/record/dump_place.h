/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
#ifndef CLI_DUMP_PLACE_H
#define CLI_DUMP_PLACE_H

#include <stdbool.h>
#include <sys/socket.h>
#include <sys/un.h>

/*
 * dump_place.h: the socket of a flight recorder: DIRECTORY/flight-PID.
 *
 * The directory belongs to the recorder's user, who alone may enter it: /run/peat for root, else
 * /run/user/UID/peat, or /tmp/peat-UID if the user has no /run/user/UID.  It follows from the user
 * alone, not from the environment, so that root finds the recorder of a user.
 */

/*
 * Finds the address of the recorder `pid` of the user, and makes the directory if `make` is set.
 *
 *	0		done
 *	-EPERM		the directory is not the user's alone: a message has been printed
 *	another negative errno
 */
int dump_place__find(uid_t uid, pid_t pid, bool make, struct sockaddr_un *address);

/* The effective user of a process.  False: there is no such process. */
bool dump_place__user_of(pid_t pid, uid_t *uid);

#endif /* CLI_DUMP_PLACE_H */

/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* journal/log_socket.h: the datagram socket of journald or syslog. */
#ifndef PEAT_JOURNAL_LOG_SOCKET_H
#define PEAT_JOURNAL_LOG_SOCKET_H

#include <stddef.h>

/* Connects a socket that does not block.  An fd; or a negative errno. */
int log_socket__connect(const char *path);

/*
 * Sends a datagram, or if it is too large, a descriptor of a sealed file with it, as journald
 * accepts.  0; -EAGAIN: the receiver is behind, poll for POLLOUT; -E2BIG: it is too large, and no
 * file can be made; another negative errno.
 */
int log_socket__send(int fd, const void *bytes, size_t count);

#endif /* PEAT_JOURNAL_LOG_SOCKET_H */

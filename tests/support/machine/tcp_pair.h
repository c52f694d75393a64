/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * tcp_pair.h: TCP connections over the loopback of the test's network namespace (netns.h).  A
 * failure here fails the running test.
 */
#ifndef TESTS_SUPPORT_MACHINE_TCP_PAIR_H
#define TESTS_SUPPORT_MACHINE_TCP_PAIR_H

#include <stddef.h>
#include <stdint.h>

/* A connection; the client has connected. */
struct tcp_pair {
	int client, server;
	uint16_t from_port, to_port; /* of client and server */
};

/* A socket that listens on some free port, stored in `port`.  AF_INET or AF_INET6. */
int tcp_pair__listen(int family, uint16_t *port);

/* Connects to the listening socket, and accepts. */
struct tcp_pair tcp_pair__connect(int family, int listener);

/* Sends `count` bytes from one socket, and receives them from the other. */
void tcp_pair__send(int from, int to, size_t count);

/* Closes the socket by a reset. */
void tcp_pair__reset(int fd);

/* Closes a socket whose peer has closed: waits for the end of the data first. */
void tcp_pair__close_last(int fd);

/*
 * Waits until no socket from or to this port is left in this network namespace, but those that
 * listen, or are in TIME_WAIT.  The kernel closes sockets later than close() returns.  Pin the
 * process before: then the last state has also been traced.
 */
void tcp_pair__wait_closed(uint16_t port);

/* How many packets the socket has received and dropped. */
uint32_t tcp_pair__dropped(int fd);

/* Waits until it has dropped more than `before`. */
void tcp_pair__wait_dropped(int fd, uint32_t before);

#endif /* TESTS_SUPPORT_MACHINE_TCP_PAIR_H */

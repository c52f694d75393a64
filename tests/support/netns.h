/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * netns.h: a network of a test's own, in which nothing but its own packets go through "lo", and
 * sockets that send them.  Whatever fails here fails the running test.
 */
#ifndef NETNS_H
#define NETNS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/socket.h>

/* This process and its children are in a new network namespace, whose loopback is up. */
void netns__enter(void);

/* From now on larger packets are cut into fragments. */
void netns__set_mtu(int mtu);

/* An ingress qdisc on the loopback, which has the place of clsact then. */
void netns__add_ingress(void);

/* The qdisc htb, number 1:, as the root of the loopback.  False: this kernel has none. */
bool netns__add_htb(void);

/* Two sockets for datagrams, connected with each other by the loopback. */
struct netns_pair {
	int from, to;
	uint16_t from_port, to_port;
};

/* AF_INET or AF_INET6. */
struct netns_pair netns__pair(int family);
void netns__close(const struct netns_pair *pair);

/* One datagram, sent and received. */
void netns__send(const struct netns_pair *pair, const void *bytes, size_t count);

/* A TCP connection that is refused; the port that refused it. */
uint16_t netns__be_refused(void);

#endif /* NETNS_H */

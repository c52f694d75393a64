/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * netns.h: a network namespace of the test, whose "lo" has the test's packets only, and sockets
 * that send them.  A failure here fails the running test.
 */
#ifndef TESTS_SUPPORT_MACHINE_NETNS_H
#define TESTS_SUPPORT_MACHINE_NETNS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/socket.h>

/* Moves this process into a new network namespace and sets its loopback up. */
void netns__enter(void);

/* Larger packets are split into fragments after this. */
void netns__set_mtu(int mtu);

/* Adds an ingress qdisc to the loopback, in the place of clsact. */
void netns__add_ingress(void);

/* The qdisc htb, number 1:, as the root of the loopback.  False: this kernel has none. */
bool netns__add_htb(void);

/* The network namespace of this thread, as an fd; enter another one by its fd. */
int netns__current(void);
void netns__switch(int fd);

#define NETNS_VETH "veth0"

/*
 * A cable between this namespace and another one: each gets an end, the interface NETNS_VETH.  The
 * other functions are for the end in this namespace: they set its address, in a network of 256, and
 * cut the cable.  The addresses of an end that is down are kept.
 */
void netns__add_veth(int peer_namespace);
void netns__set_veth_address(const char *address);
void netns__set_veth_up(bool is_up);

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

#endif /* TESTS_SUPPORT_MACHINE_NETNS_H */

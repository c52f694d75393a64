/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * cluster.h: three servers of NATS in this network namespace, with the stream PEAT; and the network
 * namespace of an agent, whose network can be cut.  A failure here fails the test.
 *
 *	servers, npm's client, peat recv ── veth ── agent
 */
#ifndef TESTS_FLEET_CLUSTER_H
#define TESTS_FLEET_CLUSTER_H

#include <stdbool.h>
#include <stdint.h>

#define CLUSTER_SERVERS 3

/* The servers, from here and from the agent. */
#define CLUSTER_NEAR "nats://127.0.0.1:4221,nats://127.0.0.1:4222,nats://127.0.0.1:4223"
#define CLUSTER_FAR  "nats://10.77.0.1:4221,nats://10.77.0.1:4222,nats://10.77.0.1:4223"

/* The first thing that this machine lacks for a cluster; NULL: it lacks nothing. */
const char *cluster__lacks(void);

void cluster__start(void);
void cluster__stop(void);

/* Run `function` in the namespace of the agent. */
void cluster__do_far(void (*function)(void));

/* The network between the agent and the servers: packets get lost without an answer. */
void cluster__cut(void);
void cluster__mend(void);

/* The number of the stream's leader; -1: there is none, or the other servers lag behind. */
int cluster__find_leader(void);
void cluster__kill_server(unsigned number);
void cluster__start_server(unsigned number);

/* The messages of a consumer that are not acknowledged or not delivered. */
uint64_t cluster__pending(const char *consumer);

/* Writes the messages of the stream to a file, one after the other, by npm's client. */
void cluster__read(const char *path);

#endif /* TESTS_FLEET_CLUSTER_H */

/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* stored.h: a server of NATS, and the messages that a run has stored in its stream. */
#ifndef BENCH_FLEET_STORED_H
#define BENCH_FLEET_STORED_H

#include <nats/nats.h>
#include <stdint.h>

#include "bench/peers/process.h"

#define STORED_URL "nats://127.0.0.1:4222"

struct server {
	struct peer_process process;
	natsConnection *nats;
	jsCtx *context;
};

/* The stream after a run. */
struct stored {
	uint64_t messages, bytes; /* the bytes with subjects and headers, as on disk */
	/*
	 * From the first message to the last but one, and the events of the first and the last: the
	 * last one waited for more.
	 */
	double seconds;
	uint64_t other_events;
	/* From an event to its storage, in messages spread over the stream. */
	double p50_ms, p99_ms;
};

/* With an empty stream PEAT in the directory.  0 or -1, after a message. */
int server__start(struct server *server, const char *program, const char *directory);

/* Until no message has been stored for half a second. */
void server__wait_until_quiet(const struct server *server);

/* 0 or -1, after a message. */
int server__read(const struct server *server, struct stored *stored);

void server__end(struct server *server);

#endif /* BENCH_FLEET_STORED_H */

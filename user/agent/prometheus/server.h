/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* prometheus/server.h: answers HTTP requests, by a thread of its own. */
#ifndef PEAT_PROMETHEUS_SERVER_H
#define PEAT_PROMETHEUS_SERVER_H

#include <stdbool.h>
#include <stddef.h>

#include "prometheus/metrics.h"

struct server;

struct server_opts {
	struct metrics *metrics;			    /* for /metrics */
	bool (*healthy)(void *arg, char *why, size_t room); /* for /readyz; NULL: always */
	void *arg;
};

/*
 * Serves the connections of a socket that listens, and closes the socket at the end, also if it
 * fails.  NULL and errno.
 */
struct server *server__start(int listener, const struct server_opts *opts);

void server__stop(struct server *server); /* accepts NULL */

#endif /* PEAT_PROMETHEUS_SERVER_H */

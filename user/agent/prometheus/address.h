/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* prometheus/address.h: the addresses that a server listens on.  Pure. */
#ifndef PEAT_PROMETHEUS_ADDRESS_H
#define PEAT_PROMETHEUS_ADDRESS_H

#include <netinet/in.h>
#include <stdbool.h>
#include <sys/socket.h>
#include <sys/un.h>

struct address {
	union {
		struct sockaddr any;
		struct sockaddr_in ipv4;
		struct sockaddr_in6 ipv6;
		struct sockaddr_un local;
	};
	socklen_t bytes;
};

/*
 * Reads "127.0.0.1:9464", "[::1]:9464", "localhost:9464", "9464" (a port of 127.0.0.1), or
 * "unix:/run/peat/metrics.sock".  Port 0: any free one.  NULL; or why it is none.
 */
const char *address__parse(const char *text, struct address *address);

/* Whether other machines can reach it. */
bool address__is_public(const struct address *address);

static inline bool address__is_local(const struct address *address)
{
	return address->any.sa_family == AF_UNIX;
}

#endif /* PEAT_PROMETHEUS_ADDRESS_H */

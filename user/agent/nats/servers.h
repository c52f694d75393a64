/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* nats/servers.h: the servers of a cluster: "nats://a:4222, tls://b". */
#ifndef PEAT_NATS_SERVERS_H
#define PEAT_NATS_SERVERS_H

#include <stdbool.h>
#include <stddef.h>

#define SERVERS_MAX 32

struct server {
	char *url;  /* "nats://a:4222" */
	char *host; /* "a": the name that a certificate must have */
	bool is_tls;
};

/* Zeroes: none. */
struct servers {
	struct server at[SERVERS_MAX];
	size_t count;
};

/*
 * Reads a list with commas.  0; -EINVAL: *why has the reason; -ENOMEM.  Call servers__free() in any
 * case.
 */
int servers__read(struct servers *servers, const char *text, const char **why);
void servers__free(struct servers *servers);

#endif /* PEAT_NATS_SERVERS_H */

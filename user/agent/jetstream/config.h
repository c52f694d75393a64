/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* jetstream/config.h: the settings of the output, checked. */
#ifndef PEAT_JETSTREAM_CONFIG_H
#define PEAT_JETSTREAM_CONFIG_H

#include <peat/output.h>

#include "nats/access.h"
#include "nats/servers.h"

/* Zeroes: none. */
struct jetstream_config {
	char *servers_text, *stream, *subject, *discard;
	struct nats_access access; /* the texts are the config's */
	uint64_t timeout_ms;	   /* of a connection, and of a message until its answer */
	uint64_t window;	   /* batches under way */
	uint64_t level;		   /* of zstd */
	/* Settings of the stream, for --stream-setup; 0: not set. */
	uint64_t replicas, max_age_ms, max_bytes, duplicate_window_ms;
	struct servers servers;
};

/* 0; -EINVAL: the log has the reason; -ENOMEM.  Call jetstream_config__free() in any case. */
int jetstream_config__read(struct jetstream_config *config, const struct peat_output_opts *opts);
void jetstream_config__free(struct jetstream_config *config);

#endif /* PEAT_JETSTREAM_CONFIG_H */

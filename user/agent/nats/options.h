/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* nats/options.h: the options of libnats for servers, credentials and TLS. */
#ifndef PEAT_NATS_OPTIONS_H
#define PEAT_NATS_OPTIONS_H

#include <nats/nats.h>

#include "nats/access.h"
#include "nats/servers.h"

#define NATS_WHY 192

/* Whether a connection to the server must be encrypted. */
bool nats_options__need_tls(const struct nats_access *access, const struct server *server);

/*
 * Options for these servers and for none that they name.  With TLS, the certificate of each must
 * have the name of the first.  Files are read now, libnats reads the credentials-file again when
 * it connects again.
 *
 * NULL: `why` has the reason, and errno is that of nats_access__read() or EPROTO.
 */
natsOptions *nats_options__make(const struct nats_access *access, const struct server *servers,
				size_t count, char why[NATS_WHY]);

/* The last error of libnats in this thread, without the place in its source. */
const char *nats_options__error(natsStatus status);

#endif /* PEAT_NATS_OPTIONS_H */

/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * jetstream/connection.h: a connection to one server.
 *
 * libnats does not connect again by itself: a connection that ends is news (mailbox.h), and the
 * next one begins with the files of credentials read anew.
 */
#ifndef PEAT_JETSTREAM_CONNECTION_H
#define PEAT_JETSTREAM_CONNECTION_H

#include "jetstream/config.h"
#include "jetstream/mailbox.h"

/* Zeroes: none. */
struct connection {
	natsConnection *nats;
	jsCtx *stream;
};

/*
 * Connects in a thread of its own, since names and handshakes may take any time.  The news for
 * `number` tell how it ended.  0; or a negative errno: `why` has the reason, and no news follow.
 */
int connection__begin(const struct jetstream_config *config, const struct server *server,
		      uint64_t number, char why[NEWS_WHY]);

/*
 * The same, but waits.  The connection, or NULL: `why` has the reason.  Number 0: no news follow.
 */
natsConnection *connection__make(const struct jetstream_config *config, const struct server *server,
				 uint64_t number, char why[NEWS_WHY]);

/* Takes the connection; news for `number` have the answers.  False: no memory. */
bool connection__use(struct connection *connection, natsConnection *nats,
		     const struct jetstream_config *config, uint64_t number);

/* Closes it, if it is open. */
void connection__close(struct connection *connection);

#endif /* PEAT_JETSTREAM_CONNECTION_H */

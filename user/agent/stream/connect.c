// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* stream/connect.c: connects to servers of NATS. */
#ifdef HAVE_NATS

#include <limits.h>
#include <stdio.h>

#include "base/errors.h"
#include "base/log.h"
#include "nats/options.h"
#include "stream/connect.h"

/* ---- options --------------------------------------------------------------------------------- */

/* Also called for a connection that was never made, or is closed. */
static void on_disconnected(natsConnection *nats, void *closure)
{
	(void)closure;
	if (natsConnection_IsReconnecting(nats))
		log__warn("the connection to the stream's server is lost: trying again");
}

static void on_reconnected(natsConnection *nats, void *closure)
{
	(void)nats;
	(void)closure;
	log__warn("connected to the stream's server again");
}

/* The default of libnats prints. */
static void on_error(natsConnection *nats, natsSubscription *subscription, natsStatus status,
		     void *closure)
{
	(void)nats;
	(void)subscription;
	(void)closure;
	log__debug("libnats: %s", natsStatus_GetText(status));
}

static natsStatus set_behaviour(natsOptions *options, uint64_t timeout_ms)
{
	natsStatus status = natsOptions_SetName(options, "peat-recv");

	status = status ?: natsOptions_SetTimeout(options, (int64_t)timeout_ms);
	status = status ?: natsOptions_SetMaxReconnect(options, INT_MAX);
	status = status ?: natsOptions_SetReconnectWait(options, 500);
	status = status ?: natsOptions_SetDisconnectedCB(options, on_disconnected, NULL);
	status = status ?: natsOptions_SetReconnectedCB(options, on_reconnected, NULL);
	return status ?: natsOptions_SetErrorHandler(options, on_error, NULL);
}

/* ---- connecting ------------------------------------------------------------------------------ */

static int errno_of(natsStatus status)
{
	switch (status) {
	case NATS_CONNECTION_AUTH_FAILED:
	case NATS_NOT_PERMITTED:
		return -EACCES;
	case NATS_NO_SERVER:
		return -ECONNREFUSED;
	case NATS_TIMEOUT:
		return -ETIMEDOUT;
	case NATS_NO_MEMORY:
		return -ENOMEM;
	default:
		return -EPROTO;
	}
}

/* NULL and errno: `why` has the reason. */
static natsConnection *connect_with(natsOptions *options, uint64_t timeout_ms, char why[NATS_WHY])
{
	natsConnection *nats = NULL;
	natsStatus status = set_behaviour(options, timeout_ms);

	status = status ?: natsConnection_Connect(&nats, options);
	if (!status)
		return nats;
	snprintf(why, NATS_WHY, "%s", nats_options__error(status));
	return fail_null(errno_of(status));
}

static natsConnection *connect_to(const struct stream_opts *opts, const struct server *servers,
				  size_t count)
{
	natsConnection *nats = NULL;
	char why[NATS_WHY];
	natsOptions *options = nats_options__make(&opts->access, servers, count, why);
	int err;

	if (options)
		nats = connect_with(options, opts->timeout_ms, why);
	err = nats ? 0 : -errno;
	natsOptions_Destroy(options);
	if (!nats)
		log__error("cannot connect to %s: %s", count > 1 ? opts->servers : servers->url,
			   why);
	return nats ?: fail_null(err);
}

/* Options have the name of one certificate: with TLS, each server is tried alone. */
static natsConnection *connect_to_any(const struct stream_opts *opts, const struct servers *servers)
{
	size_t at_once = servers->count;
	natsConnection *nats = NULL;

	for (size_t i = 0; i < servers->count; i++)
		if (nats_options__need_tls(&opts->access, &servers->at[i]))
			at_once = 1;
	for (size_t i = 0; !nats && i < servers->count; i += at_once)
		nats = connect_to(opts, &servers->at[i], at_once);
	return nats;
}

natsConnection *connect__servers(const struct stream_opts *opts)
{
	struct servers servers = { 0 };
	natsConnection *nats = NULL;
	const char *why = NULL;
	int err = servers__read(&servers, opts->servers, &why);

	if (err == -EINVAL)
		log__error("cannot receive: servers: %s", why);
	if (!err) {
		nats = connect_to_any(opts, &servers);
		err = nats ? 0 : -errno;
	}
	servers__free(&servers);
	return nats ?: fail_null(err);
}

#endif /* HAVE_NATS */

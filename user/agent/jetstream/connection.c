// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* jetstream/connection.c: connects to a server. */
#ifdef HAVE_NATS

#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/errors.h"
#include "jetstream/connection.h"
#include "nats/options.h"

/* ---- callbacks, in threads of libnats ---------------------------------------------------------
 */

static void *closure_of(uint64_t number)
{
	return (void *)(uintptr_t)number;
}

static void on_closed(natsConnection *nats, void *closure)
{
	struct news news = { .kind = NEWS_FAILED };
	const char *text = NULL;

	natsConnection_GetLastError(nats, &text);
	snprintf(news.why, sizeof(news.why), "%s", text && *text ? text : "connection closed");
	mailbox__post((uintptr_t)closure, &news);
}

static void on_answer(jsCtx *stream, natsMsg *message, jsPubAck *stored, jsPubAckErr *error,
		      void *closure)
{
	struct news news = { .kind = NEWS_ANSWER, .message = message };

	(void)stream;
	if (stored) {
		news.sequence = stored->Sequence;
	} else {
		news.status = error && error->Err ? error->Err : NATS_ERR;
		news.code = error ? error->ErrCode : 0;
		snprintf(news.why, sizeof(news.why), "%s",
			 error && error->ErrText ? error->ErrText : "");
	}
	mailbox__post((uintptr_t)closure, &news);
}

/* ---- options --------------------------------------------------------------------------------- */

static natsStatus set_times(natsOptions *options, uint64_t timeout_ms)
{
	natsStatus status = natsOptions_SetTimeout(options, (int64_t)timeout_ms);

	status = status ?: natsOptions_SetWriteDeadline(options, (int64_t)timeout_ms);
	status = status ?: natsOptions_SetPingInterval(options, (int64_t)timeout_ms);
	return status ?: natsOptions_SetMaxPingsOut(options, 2);
}

static natsStatus set_behaviour(natsOptions *options, uint64_t number)
{
	natsStatus status = natsOptions_SetName(options, "peat-agent");

	status = status ?: natsOptions_SetAllowReconnect(options, false);
	status = status ?: natsOptions_SetSendAsap(options, true);
	if (!status && number)
		status = natsOptions_SetClosedCB(options, on_closed, closure_of(number));
	return status;
}

static natsOptions *make_options(const struct jetstream_config *config, const struct server *server,
				 uint64_t number, char why[NEWS_WHY])
{
	natsOptions *options = nats_options__make(&config->access, server, 1, why);
	natsStatus status;

	if (!options)
		return NULL;
	status = set_times(options, config->timeout_ms);
	status = status ?: set_behaviour(options, number);
	if (!status)
		return options;
	snprintf(why, NEWS_WHY, "%s", nats_options__error(status));
	natsOptions_Destroy(options);
	return NULL;
}

/* ---- connecting ------------------------------------------------------------------------------ */

static natsConnection *connect_with(natsOptions *options, char why[NEWS_WHY])
{
	natsConnection *nats = NULL;
	natsStatus status = natsConnection_Connect(&nats, options);

	if (status)
		snprintf(why, NEWS_WHY, "%s", nats_options__error(status));
	natsOptions_Destroy(options);
	return nats;
}

natsConnection *connection__make(const struct jetstream_config *config, const struct server *server,
				 uint64_t number, char why[NEWS_WHY])
{
	natsOptions *options = make_options(config, server, number, why);

	return options ? connect_with(options, why) : NULL;
}

struct attempt {
	natsOptions *options;
	uint64_t number;
};

static void *attempt(void *arg)
{
	struct attempt *attempt = arg;
	struct news news = { .kind = NEWS_FAILED };

	news.connection = connect_with(attempt->options, news.why);
	if (news.connection)
		news.kind = NEWS_CONNECTED;
	mailbox__post(attempt->number, &news);
	free(attempt);
	nats_ReleaseThreadMemory();
	return NULL;
}

static int start_thread(struct attempt *arg)
{
	pthread_attr_t detached;
	pthread_t thread;
	sigset_t all, before;
	int err = pthread_attr_init(&detached);

	if (err)
		return -err;
	pthread_attr_setdetachstate(&detached, PTHREAD_CREATE_DETACHED);
	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &before);
	err = pthread_create(&thread, &detached, attempt, arg);
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	pthread_attr_destroy(&detached);
	return -err;
}

int connection__begin(const struct jetstream_config *config, const struct server *server,
		      uint64_t number, char why[NEWS_WHY])
{
	struct attempt *arg = calloc(1, sizeof(*arg));
	int err = -EINVAL;

	snprintf(why, NEWS_WHY, "no memory");
	if (!arg)
		return -ENOMEM;
	arg->number = number;
	arg->options = make_options(config, server, number, why);
	if (arg->options) {
		err = start_thread(arg);
		if (!err)
			return 0;
		snprintf(why, NEWS_WHY, "cannot start a thread: %s", strerror(-err));
		natsOptions_Destroy(arg->options);
	}
	free(arg);
	return err;
}

/* ---- a connection ---------------------------------------------------------------------------- */

bool connection__use(struct connection *connection, natsConnection *nats,
		     const struct jetstream_config *config, uint64_t number)
{
	jsOptions options;

	connection->nats = nats;
	jsOptions_Init(&options);
	options.Wait = (int64_t)config->timeout_ms;
	options.PublishAsync.MaxPending = (int64_t)config->window + 1; /* it never waits */
	options.PublishAsync.AckHandler = on_answer;
	options.PublishAsync.AckHandlerClosure = closure_of(number);
	return !natsConnection_JetStream(&connection->stream, nats, &options);
}

void connection__close(struct connection *connection)
{
	jsCtx_Destroy(connection->stream);
	natsConnection_Destroy(connection->nats);
	*connection = (struct connection){ 0 };
}

#endif /* HAVE_NATS */

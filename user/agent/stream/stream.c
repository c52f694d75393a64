// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* stream/stream.c: receives messages by a consumer of JetStream. */
#include <stdlib.h>
#include <string.h>

#include "base/errors.h"
#include "base/log.h"
#include "base/monotonic.h"
#include "stream/stream.h"

#ifdef HAVE_NATS

#include "nats/options.h"
#include "stream/connect.h"

/* A consumer without a name ends so long after its receiver. */
#define INACTIVE_NS (INT64_C(60) * 1000000000)

/* A consumer without messages for so long may be gone. */
#define QUIET_NS (UINT64_C(5) * 1000000000)

/*
 * A cluster is without a leader for some seconds after the last one was lost: so long, requests of
 * stream__open() are sent again.
 */
#define ELECTION_NS (UINT64_C(30) * 1000000000)
#define AGAIN_MS    500

/*
 * Messages of one fetch.  If some have arrived before, libnats 3.4.1 asks for the rest, and ends
 * when it has as many as it asked for: of 16, with 9 before, it never does, and writes beyond its
 * list.  Of 2 it cannot.
 */
#define FETCHED_MOST 2
/*
 * Messages that receivers have not acknowledged: events of many hosts wait for older ones.
 * nats-server's own limit is 1000.
 */
#define UNACKNOWLEDGED_MOST 100000

/* A message on its way arrives sooner, or, if there are acknowledgements, again. */
#define ON_WAY_NS (UINT64_C(120) * 1000000000)

struct stream {
	char *name, *consumer; /* the consumer also if it has no name of ours */
	char *subject;
	bool acknowledges, only_new;
	uint64_t timeout_ms, last_sequence;
	uint64_t received;		 /* number of the newest message that was; 0: none */
	uint64_t quiet_ns;		 /* since this time no message has arrived */
	int64_t fetched, unacknowledged; /* numbers of messages; of the fetched ones */
	uint64_t fetched_ns;		 /* the last time */
	uint64_t insists_until_ns;	 /* requests without an answer are sent again */
	bool has_warned, has_begun;
	natsConnection *nats;
	jsCtx *context;
	natsSubscription *subscription;
};

/* ---- errors ---------------------------------------------------------------------------------- */

static int fail_with(const struct stream *stream, const char *what, natsStatus status,
		     jsErrCode code)
{
	const char *text = NULL;

	/* After a refusal when it connects again, the connection is closed, and has the reason. */
	if (status == NATS_CONNECTION_CLOSED)
		natsConnection_GetLastError(stream->nats, &text);
	log__error("cannot %s stream %s: %s", what, stream->name,
		   text && *text ? text : nats_options__error(status));
	if (status == NATS_NOT_FOUND || code == JSStreamNotFoundErr ||
	    code == JSConsumerNotFoundErr)
		return -ENOENT;
	if (status == NATS_NOT_PERMITTED)
		return -EACCES;
	return status == NATS_NO_MEMORY ? -ENOMEM : -EPROTO;
}

/*
 * libnats 3 has one status for all reasons why a server ends a request, and only their texts
 * differ: in nats-server 2.9, this server stops, or another one leads the consumer now.
 */
static bool has_moved(natsStatus status)
{
	const char *text = nats_options__error(status);

	return status == NATS_ERR &&
	       (strcasestr(text, "server shutdown") || strcasestr(text, "leadership change"));
}

/* The server still knows the consumer for a moment after it has ended the request so. */
static bool is_deleted(natsStatus status)
{
	return status == NATS_ERR && strcasestr(nats_options__error(status), "consumer deleted");
}

static bool is_passing(natsStatus status)
{
	return has_moved(status) || status == NATS_TIMEOUT ||
	       status == NATS_CONNECTION_DISCONNECTED || status == NATS_MISSED_HEARTBEAT ||
	       status == NATS_NO_RESPONDERS;
}

/* Whether the cluster had no leader to answer a request.  js_PullSubscribe() has no code for it. */
static bool has_no_leader(natsStatus status, jsErrCode code)
{
	return status == NATS_TIMEOUT || status == NATS_CONNECTION_DISCONNECTED ||
	       code == JSClusterNotAvailErr || code == JSClusterNotLeaderErr ||
	       code == JSClusterNoPeersErr || code == JSStreamOfflineErr ||
	       code == JSConsumerOfflineErr ||
	       (status == NATS_ERR &&
		strcasestr(nats_options__error(status), "temporarily unavailable"));
}

/* Whether a request is sent again: waits before. */
static bool is_repeated(struct stream *stream, natsStatus status, jsErrCode code)
{
	if (!status || !has_no_leader(status, code) || monotonic_ns() >= stream->insists_until_ns)
		return false;
	if (!stream->has_warned)
		log__warn("stream %s does not answer: trying again", stream->name);
	stream->has_warned = true;
	nats_Sleep(AGAIN_MS);
	return true;
}

/* A receiver that has begun asks again later: -EAGAIN. */
static int fail_request(const struct stream *stream, const char *what, natsStatus status,
			jsErrCode code)
{
	if (stream->has_begun && has_no_leader(status, code))
		return -EAGAIN;
	return fail_with(stream, what, status, code);
}

/* ---- the consumer ---------------------------------------------------------------------------- */

static int read_stream(struct stream *stream)
{
	jsStreamInfo *info = NULL;
	jsErrCode code = 0;
	natsStatus status;

	do
		status = js_GetStreamInfo(&info, stream->context, stream->name, NULL, &code);
	while (is_repeated(stream, status, code));
	if (status)
		return fail_with(stream, "find", status, code);
	stream->last_sequence = info->State.Msgs ? info->State.LastSeq : 0;
	stream->received = stream->only_new ? stream->last_sequence : 0;
	jsStreamInfo_Destroy(info);
	return 0;
}

/* Without a name, it begins after the messages that were received. */
static void describe_consumer(const struct stream *stream, const struct stream_opts *opts,
			      jsConsumerConfig *config)
{
	jsConsumerConfig_Init(config);
	config->Durable = opts->consumer;
	config->DeliverPolicy = opts->only_new ? js_DeliverNew : js_DeliverAll;
	if (stream->received) {
		config->DeliverPolicy = js_DeliverByStartSequence;
		config->OptStartSeq = stream->received + 1;
	}
	config->FilterSubject = opts->subject;
	config->AckPolicy = opts->consumer ? js_AckExplicit : js_AckNone;
	if (opts->consumer) {
		config->AckWait = (int64_t)opts->ack_wait_ms * 1000000;
		config->MaxAckPending = UNACKNOWLEDGED_MOST;
	} else {
		config->InactiveThreshold = INACTIVE_NS;
	}
}

static int add_consumer(struct stream *stream, const struct stream_opts *opts)
{
	jsConsumerConfig config;
	jsConsumerInfo *info = NULL;
	jsErrCode code = 0;
	natsStatus status;

	describe_consumer(stream, opts, &config);
	do
		status = js_AddConsumer(&info, stream->context, stream->name, &config, NULL, &code);
	while (is_repeated(stream, status, code));
	if (status)
		return fail_request(stream, "add a consumer to", status, code);
	stream->consumer = strdup(info->Name);
	jsConsumerInfo_Destroy(info);
	return stream->consumer ? 0 : -ENOMEM;
}

/* Bound to the consumer, which libnats then leaves alone at the end. */
static int subscribe(struct stream *stream)
{
	jsSubOptions options;
	jsErrCode code = 0;
	natsStatus status;

	jsSubOptions_Init(&options);
	options.Stream = stream->name;
	options.Consumer = stream->consumer;
	do
		status = js_PullSubscribe(&stream->subscription, stream->context, NULL,
					  stream->acknowledges ? stream->consumer : NULL, NULL,
					  &options, &code);
	while (is_repeated(stream, status, code));
	return status ? fail_request(stream, "subscribe to", status, code) : 0;
}

static int make_context(struct stream *stream)
{
	jsOptions options;
	natsStatus status;

	jsOptions_Init(&options);
	options.Wait = (int64_t)stream->timeout_ms;
	status = natsConnection_JetStream(&stream->context, stream->nats, &options);
	return status ? fail_with(stream, "use", status, 0) : 0;
}

static int open_stream(struct stream *stream, const struct stream_opts *opts)
{
	int err;

	stream->name = strdup(opts->stream);
	if (!stream->name)
		return -ENOMEM;
	stream->timeout_ms = opts->timeout_ms;
	stream->acknowledges = opts->consumer;
	stream->only_new = opts->only_new;
	stream->fetched_ns = stream->quiet_ns = monotonic_ns();
	stream->insists_until_ns = stream->fetched_ns + ELECTION_NS;
	if (opts->subject && !(stream->subject = strdup(opts->subject)))
		return -ENOMEM;
	stream->nats = connect__servers(opts);
	if (!stream->nats)
		return -errno;
	err = make_context(stream);
	err = err ?: read_stream(stream);
	err = err ?: add_consumer(stream, opts);
	err = err ?: subscribe(stream);
	stream->insists_until_ns = 0;
	stream->has_begun = !err;
	return err;
}

/* Names of streams and consumers are parts of subjects. */
static int check_name(const char *what, const char *name)
{
	if (!*name || name[strcspn(name, " \t\r\n.*>/\\")]) {
		log__error("'%s' is no name of a %s: it has no blanks, dots, slashes and wildcards",
			   name, what);
		return -EINVAL;
	}
	return 0;
}

struct stream *stream__open(const struct stream_opts *opts)
{
	struct stream *stream;
	int err = check_name("stream", opts->stream);

	if (!err && opts->consumer)
		err = check_name("consumer", opts->consumer);
	if (err)
		return fail_null(err);
	stream = calloc(1, sizeof(*stream));
	if (!stream)
		return fail_null(-ENOMEM);
	err = open_stream(stream, opts);
	if (!err)
		return stream;
	stream__close(stream);
	return fail_null(err);
}

static bool is_consumer_gone(struct stream *stream)
{
	jsConsumerInfo *info = NULL;
	jsErrCode code = 0;
	natsStatus status = js_GetConsumerInfo(&info, stream->context, stream->name,
					       stream->consumer, NULL, &code);

	jsConsumerInfo_Destroy(info);
	return status == NATS_NOT_FOUND || code == JSConsumerNotFoundErr;
}

/* Looks from time to time whether a consumer without a name and without messages still exists. */
static bool is_suspicious(struct stream *stream)
{
	if (stream->acknowledges || monotonic_ns() - stream->quiet_ns < QUIET_NS ||
	    natsConnection_Status(stream->nats) != NATS_CONN_STATUS_CONNECTED)
		return false;
	stream->quiet_ns = monotonic_ns();
	return true;
}

/* A consumer without a name ends when the network is away for a minute. */
static void give_up_consumer(struct stream *stream)
{
	log__warn("the consumer of stream %s is gone: it is made again", stream->name);
	natsSubscription_Destroy(stream->subscription);
	stream->subscription = NULL;
	free(stream->consumer);
	stream->consumer = NULL;
	stream->fetched = 0;
}

/* Makes another.  Without a leader there is none, and the next fetch asks again. */
static int renew_consumer(struct stream *stream)
{
	const struct stream_opts opts = { .subject = stream->subject,
					  .only_new = stream->only_new };
	int err = stream->consumer ? 0 : add_consumer(stream, &opts);

	err = err ?: subscribe(stream);
	return err == -EAGAIN ? 0 : err;
}

/* ---- messages -------------------------------------------------------------------------------- */

static int take(struct stream_message *message, natsMsg *nats)
{
	jsMsgMetaData *data = NULL;
	natsStatus status = natsMsg_GetMetaData(&data, nats);

	if (status)
		return status == NATS_NO_MEMORY ? -ENOMEM : -EPROTO;
	*message = (struct stream_message){ .bytes = natsMsg_GetData(nats),
					    .count = (size_t)natsMsg_GetDataLength(nats),
					    .sequence = data->Sequence.Stream,
					    .delivered = data->NumDelivered,
					    .subject = natsMsg_GetSubject(nats),
					    .nats = nats };
	jsMsgMetaData_Destroy(data);
	return 0;
}

/* Messages that have no numbers are not the stream's: left out. */
static int take_all(natsMsgList *list, struct stream_message *messages)
{
	int count = 0;

	for (int i = 0; i < list->Count; i++) {
		int err = take(&messages[count], list->Msgs[i]);

		if (err) {
			log__warn("a message without a number of its stream is left out");
			continue;
		}
		list->Msgs[i] = NULL;
		count++;
	}
	natsMsgList_Destroy(list);
	return count;
}

static void note_received(struct stream *stream, const struct stream_message *messages, int count)
{
	for (int i = 0; i < count; i++)
		if (messages[i].sequence > stream->received)
			stream->received = messages[i].sequence;
	stream->fetched += count;
	stream->unacknowledged += count;
	stream->fetched_ns = stream->quiet_ns = monotonic_ns();
}

int stream__fetch(struct stream *stream, uint64_t timeout_ms, struct stream_message *messages,
		  size_t most)
{
	natsMsgList list = { 0 };
	jsErrCode code = 0;
	natsStatus status;
	bool is_gone = false;
	int count, err = stream->subscription ? 0 : renew_consumer(stream);

	if (err)
		return fail(err);
	if (!stream->subscription) {
		nats_Sleep((int64_t)timeout_ms);
		return 0;
	}
	if (most > FETCHED_MOST)
		most = FETCHED_MOST;
	status = natsSubscription_Fetch(&list, stream->subscription, (int)most,
					timeout_ms ? (int64_t)timeout_ms : 1, &code);
	if (!status) {
		count = take_all(&list, messages);
		note_received(stream, messages, count);
		return count;
	}
	if (is_passing(status) ? is_suspicious(stream) : !stream->acknowledges)
		is_gone = is_deleted(status) || is_consumer_gone(stream);
	if (!is_passing(status) && !is_gone)
		return fail(fail_with(stream, "read", status, code));
	if (is_gone)
		give_up_consumer(stream);
	else if (status != NATS_TIMEOUT)
		nats_Sleep((int64_t)timeout_ms);
	return 0;
}

int stream__acknowledge(struct stream *stream, struct stream_message *message)
{
	natsStatus status = stream->acknowledges ? natsMsg_Ack(message->nats, NULL) : NATS_OK;

	stream->unacknowledged--;
	stream__release(message);
	return status ? -EIO : 0;
}

void stream__return(struct stream *stream, struct stream_message *message)
{
	if (stream->acknowledges)
		natsMsg_Nak(message->nats, NULL);
	stream->unacknowledged--;
	stream__release(message);
}

void stream__release(struct stream_message *message)
{
	natsMsg_Destroy(message->nats);
	message->nats = NULL;
}

uint64_t stream__last_sequence(const struct stream *stream)
{
	return stream->last_sequence;
}

/* A slow fetch returns before the messages that the server has sent for it. */
static int64_t count_on_way(const struct stream *stream, const jsConsumerInfo *info)
{
	int64_t count = stream->acknowledges ? info->NumAckPending - stream->unacknowledged
					     : (int64_t)info->Delivered.Consumer - stream->fetched;

	return count > 0 ? count : 0;
}

/* Some may be pending: no one can tell now. */
#define UNKNOWN 1

int64_t stream__pending(struct stream *stream)
{
	jsConsumerInfo *info = NULL;
	jsErrCode code = 0;
	natsStatus status;
	int64_t pending, on_way;

	if (!stream->consumer)
		return UNKNOWN;
	status = js_GetConsumerInfo(&info, stream->context, stream->name, stream->consumer, NULL,
				    &code);
	if (has_no_leader(status, code))
		return UNKNOWN;
	if (status)
		return fail_with(stream, "ask for the consumer of", status, code);
	pending = (int64_t)info->NumPending;
	on_way = count_on_way(stream, info);
	jsConsumerInfo_Destroy(info);
	if (!pending && on_way && monotonic_ns() - stream->fetched_ns > ON_WAY_NS) {
		log__error("%lld messages of stream %s were lost on their way: receive them again",
			   (long long)on_way, stream->name);
		return -EIO;
	}
	return pending + on_way;
}

void stream__close(struct stream *stream)
{
	if (!stream)
		return;
	if (stream->nats)
		natsConnection_FlushTimeout(stream->nats, (int64_t)stream->timeout_ms);
	if (stream->consumer && !stream->acknowledges)
		js_DeleteConsumer(stream->context, stream->name, stream->consumer, NULL, NULL);
	natsSubscription_Destroy(stream->subscription);
	jsCtx_Destroy(stream->context);
	natsConnection_Destroy(stream->nats);
	free(stream->name);
	free(stream->consumer);
	free(stream->subject);
	free(stream);
}

#else

struct stream *stream__open(const struct stream_opts *opts)
{
	(void)opts;
	log__error("cannot receive from a stream: built without libnats");
	return fail_null(-ENOTSUP);
}

int stream__fetch(struct stream *stream, uint64_t timeout_ms, struct stream_message *messages,
		  size_t most)
{
	(void)stream;
	(void)timeout_ms;
	(void)messages;
	(void)most;
	return fail(-ENOTSUP);
}

int stream__acknowledge(struct stream *stream, struct stream_message *message)
{
	(void)stream;
	(void)message;
	return -ENOTSUP;
}

void stream__return(struct stream *stream, struct stream_message *message)
{
	(void)stream;
	(void)message;
}

void stream__release(struct stream_message *message)
{
	(void)message;
}

uint64_t stream__last_sequence(const struct stream *stream)
{
	(void)stream;
	return 0;
}

int64_t stream__pending(struct stream *stream)
{
	(void)stream;
	return -ENOTSUP;
}

void stream__close(struct stream *stream)
{
	(void)stream;
}

#endif

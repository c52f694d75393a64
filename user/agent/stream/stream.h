/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * stream/stream.h: receives the messages of a stream of NATS JetStream.
 *
 *	stream__fetch() ──▶ messages ──▶ stream__acknowledge(), or stream__release()
 *
 * For one thread.
 */
#ifndef PEAT_STREAM_STREAM_H
#define PEAT_STREAM_STREAM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "nats/access.h"

struct stream_opts {
	const char *servers; /* "nats://a:4222,nats://b:4222" */
	const char *stream;  /* its name */
	/*
	 * A durable consumer, which is made if there is none: it begins with the oldest message.
	 * NULL: reads all messages from the oldest, and acknowledges none.
	 */
	const char *consumer;
	bool only_new;	     /* without a consumer: the messages that arrive from now on */
	const char *subject; /* of the messages, "peat.web1.*"; NULL: all */
	struct nats_access access;
	uint64_t timeout_ms;  /* of connecting, and of requests */
	uint64_t ack_wait_ms; /* of a consumer that is made: then a message arrives again */
};

struct stream_message {
	const void *bytes;
	size_t count;
	uint64_t sequence;  /* its number in the stream */
	uint64_t delivered; /* how often it was, with this time */
	const char *subject;
	void *nats;
};

struct stream;

/*
 * Connects.  A cluster that elects a leader is waited for, 30 s at most.  NULL and errno, with the
 * reason in the log: EINVAL: options; ENOTSUP: built without libnats; ENOENT: no such stream;
 * EACCES: the server or a file refuses; EPROTO: anything else.
 */
struct stream *stream__open(const struct stream_opts *opts);

/*
 * Waits for messages and stores up to `most`, which are the caller's.  Their number; 0: there were
 * none in time, also without a connection, which the log says; or a negative errno, with the reason
 * in the log.
 */
int stream__fetch(struct stream *stream, uint64_t timeout_ms, struct stream_message *messages,
		  size_t most);

/* Acknowledges the message, without waiting for an answer, and frees it.  0 or -EIO. */
int stream__acknowledge(struct stream *stream, struct stream_message *message);

/* Gives the message back and frees it: it arrives again at once, here or elsewhere. */
void stream__return(struct stream *stream, struct stream_message *message);

/* Frees the message: it arrives again later. */
void stream__release(struct stream_message *message);

/* The newest message's number when the stream was opened; 0: there was none. */
uint64_t stream__last_sequence(const struct stream *stream);

/*
 * Messages that no one has received yet, and those on their way, here or to another receiver; not 0
 * if no server can tell; or a negative errno.
 */
int64_t stream__pending(struct stream *stream);

/* Sends acknowledgements that wait, for at most the timeout.  Accepts NULL. */
void stream__close(struct stream *stream);

#endif /* PEAT_STREAM_STREAM_H */

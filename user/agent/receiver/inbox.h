/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* receiver/inbox.h: messages that were received, until all of their pieces are written. */
#ifndef PEAT_RECEIVER_INBOX_H
#define PEAT_RECEIVER_INBOX_H

#include "stream/stream.h"

struct inbox_message {
	struct inbox_message *next;
	struct stream_message message;
	uint32_t waiting; /* pieces that are not written */
};

/* Zeroes, and `stream`. */
struct inbox {
	struct stream *stream;
	struct inbox_message *first, *last;
};

/*
 * Keeps the message, which is the inbox's.  NULL and errno: EALREADY: it is in the inbox already,
 * as it waits longer than the server; ENOMEM.  The message is released then.
 */
struct inbox_message *inbox__add(struct inbox *inbox, const struct stream_message *message);

/* Acknowledges all messages without pieces that wait: what was written is safe.  0 or -EIO. */
int inbox__acknowledge(struct inbox *inbox);

/* Gives all messages back: they arrive again. */
void inbox__return(struct inbox *inbox);

#endif /* PEAT_RECEIVER_INBOX_H */

/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * jetstream/mailbox.h: news of libnats' threads, for the thread of the output.
 *
 *	callbacks of libnats ──▶ mailbox__post() ──▶ mailbox__take() ──▶ the output
 *
 * libnats may call back after a connection was freed.  So callbacks get a number and no pointer: a
 * connection's number, which the mailbox has as long as the connection is used.  News for other
 * numbers are freed.
 */
#ifndef PEAT_JETSTREAM_MAILBOX_H
#define PEAT_JETSTREAM_MAILBOX_H

#include <nats/nats.h>
#include <stdbool.h>
#include <stdint.h>

#include "nats/options.h"

#define NEWS_WHY NATS_WHY

enum news_kind {
	NEWS_CONNECTED, /* with `connection` */
	NEWS_FAILED,	/* the connection: it was not made, or is closed */
	NEWS_ANSWER	/* to `message` */
};

struct news {
	struct news *next;
	enum news_kind kind;
	natsConnection *connection;
	natsMsg *message;
	natsStatus status; /* NATS_OK: the message is stored */
	uint64_t sequence; /* its place in the stream */
	jsErrCode code;
	char why[NEWS_WHY]; /* the server's text, or libnats' */
};

struct mailbox {
	struct mailbox *next; /* of all mailboxes */
	uint64_t number;
	int fd;	       /* readable: there are news */
	bool has_lost; /* news, for lack of memory */
	struct news *first, **end;
};

/* 0 or a negative errno. */
int mailbox__open(struct mailbox *mailbox);
void mailbox__close(struct mailbox *mailbox); /* once, after mailbox__open() succeeded */

/* Frees all news; from now on, the mailbox gets those for the new number, which is returned. */
uint64_t mailbox__renew(struct mailbox *mailbox);

/* Any thread.  Takes the connection and the message of the news. */
void mailbox__post(uint64_t number, const struct news *news);

/* The oldest news, to be freed by news__free(); NULL: none.  *has_lost: some were lost. */
struct news *mailbox__take(struct mailbox *mailbox, bool *has_lost);

/* Also frees the connection and the message, unless they are NULL.  Accepts NULL. */
void news__free(struct news *news);

#endif /* PEAT_JETSTREAM_MAILBOX_H */

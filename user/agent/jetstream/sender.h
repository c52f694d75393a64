/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * jetstream/sender.h: sends the messages of all lanes by one connection, and sends them again.
 *
 *	no connection ──▶ connecting ──▶ connected
 *	      ▲               │ failed       │ closed; or a message got no answer
 *	      └── next server ┴──────────────┘
 */
#ifndef PEAT_JETSTREAM_SENDER_H
#define PEAT_JETSTREAM_SENDER_H

#include "jetstream/connection.h"
#include "jetstream/lane.h"

#define SENDER_REASONS 4

enum sender_state { SENDER_IDLE, SENDER_CONNECTING, SENDER_CONNECTED };

/* Zeroes: none. */
struct sender {
	const struct jetstream_config *config;
	const char *name; /* for messages */
	int wake_fd;
	settled_fn settled;
	void *arg;
	struct lane_origin origin;
	/* The origin() of peat_output_opts; NULL: the sender numbers batches itself. */
	void (*batch_origin)(void *arg, const struct peat_batch *batch, struct peat_origin *origin);
	void *batch_arg;

	struct mailbox mailbox;
	bool has_mailbox;
#define SENDER_REASONS 4

	enum sender_state state;
	struct connection connection;
	uint64_t number;	/* of the connection, for news */
	size_t server;		/* the present one, or the next */
	size_t servers_failed;	/* in a row */
	bool is_blind;		/* this server does not permit to read messages */
	struct backoff backoff; /* of connections */
	struct lane **lanes;
	size_t lane_count;
	struct strbuf subject; /* of a batch */
	uint64_t batches;      /* under way */
	bool was_full;	       /* a batch was not taken */
	size_t reason_count;   /* of the present failure, which the log has; 0: none */
	char reasons[SENDER_REASONS][NEWS_WHY];
	char refusal[NEWS_WHY]; /* the last one that was logged */
};

/* The caller has set the members up to batch_arg.  0 or a negative errno; free it in any case. */
int sender__init(struct sender *sender);

/* 0; -EAGAIN: it was not taken. */
int sender__send(struct sender *sender, struct peat_batch *batch);

/* Has the contract of peat_output_ops.acknowledged(). */
int sender__run(struct sender *sender, int timeout_ms);

/* Gives up all batches. */
void sender__free(struct sender *sender);

#endif /* PEAT_JETSTREAM_SENDER_H */

/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * jetstream/lane.h: the batches of one subject on their way, in their order.
 *
 *	batches ──▶ pieces ──▶ a message ──▶ stream
 *	                └─ the next pieces wait until it is stored
 *
 * JetStream keeps the order of messages only as long as none fails: a later one can be stored while
 * an earlier one waits to be sent again.  So one message of a subject is under way at a time.  It
 * has the pieces of one source and one run that came meanwhile, up to 256 KiB, which makes up for
 * the wait.
 *
 * Each message names the last one of the subject before it, and the server refuses it if there is a
 * newer one.  So a message that arrives late, also that of an agent which was killed, is stored
 * only if nothing was stored meanwhile.
 */
#ifndef PEAT_JETSTREAM_LANE_H
#define PEAT_JETSTREAM_LANE_H

#include <peat/batch.h>

#include "base/strbuf.h"
#include "jetstream/config.h"
#include "jetstream/mailbox.h"
#include "jetstream/stored.h"
#include "output/backoff.h"

/* The most bytes of a message with several pieces. */
#define LANE_MESSAGE_BYTES (256u << 10)

/* Several agents may send to a subject: each waits for the others so many times, then no more. */
#define LANE_OUTDATED_MOST 5

/* How a batch ended. */
typedef void (*settled_fn)(void *arg, struct peat_batch *batch, uint64_t refused, const char *why);

struct lane_source {
	char *source;
	struct strbuf name; /* for ids: a text */
	struct piece_encoder *encoder;
	struct peat_origin next; /* of a batch without an origin */
};

struct lane_batch {
	struct peat_batch *batch; /* with a reference of ours */
	struct strbuf piece;
	struct peat_origin origin;
	size_t source;
};

struct lane {
	struct strbuf subject, id; /* texts; the id is the message's */
	struct lane_source *sources;
	size_t source_count;
	struct lane_batch *batches; /* the oldest first */
	size_t count, room;
	size_t in_message;  /* the number of batches of the message; 0: there is none */
	natsMsg *under_way; /* libnats has it; NULL: it is not sent */
	bool was_sent;	    /* and may be stored, for all that is known */
	struct backoff backoff;
	bool is_failing; /* the message was not stored at the last try */

	/* The order of the subject's messages in the stream. */
	bool is_read;	    /* `last` was read, and the fate of all messages since is known */
	struct stored last; /* the last message, when it was read */
	bool is_disturbed;  /* it is of another agent */
	bool has_sequence;
	uint64_t sequence; /* of the last message now; 0: there is none */
	unsigned outdated; /* times that the server had a newer one */
};

/* The machine, the output, and the start of the agent, as pieces and ids name them. */
struct lane_origin {
	const char *host, *output;
	uint64_t run;
};

/* NULL: no memory. */
struct lane *lane__new(const char *subject);

/* Gives all batches back to `settled`, with the reason "closed".  Accepts NULL. */
void lane__free(struct lane *lane, settled_fn settled, void *arg);

/*
 * Encodes the batch and takes a reference.  `own`: the batch's origin; NULL: the next numbers of
 * its source, in the run of `origin`.  0, or an error of piece__encode().
 */
int lane__add(struct lane *lane, struct peat_batch *batch, const struct peat_origin *own,
	      const struct lane_origin *origin, int level);

/*
 * A message for libnats, with the id lane->id: the present one, or a new one of the batches that
 * wait.  NULL: no memory.
 */
natsMsg *lane__message(struct lane *lane);

/* Removes the batches of the message: each is settled, refused if there is a reason. */
size_t lane__settle(struct lane *lane, const char *refused_for, settled_fn settled, void *arg);

/*
 * Removes and settles the batches that the last message or an earlier one has.  If there is any,
 * the message is made anew.  Not while it is under way.
 */
size_t lane__settle_stored(struct lane *lane, settled_fn settled, void *arg);

/* Makes a message of several pieces one of the first alone, to try if it is small enough. */
bool lane__shrink(struct lane *lane);

/* Whether the message names the last one of the subject: its number in the stream is known. */
bool lane__names_last(const struct lane *lane);

/* The message is stored as the last one of the subject.  `sequence` 0: its place is unknown. */
void lane__note_stored(struct lane *lane, uint64_t sequence);

/* `last` was read. */
void lane__note_read(struct lane *lane);

/* The server does not permit to read it: ids alone prevent that a message is stored twice. */
void lane__note_forbidden(struct lane *lane);

/* The server refused the message: it has a newer one.  True: for the last time. */
bool lane__note_outdated(struct lane *lane);

#endif /* PEAT_JETSTREAM_LANE_H */

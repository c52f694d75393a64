/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * receive.h: receives the events that agents (agent.h) sent to a stream of NATS JetStream.
 * Link with libpeat-agent (agent.h).
 *
 *	struct peat_receiver_opts opts = { .sz = sizeof(opts), .servers = "nats://127.0.0.1:4222",
 *					   .consumer = "alerts", .fd = STDOUT_FILENO };
 *	struct peat_receiver *receiver = peat_receiver__new(&opts);
 *
 *	while (!stop && peat_receiver__step(receiver, 1000) >= 0)
 *		;
 *	peat_receiver__finish(receiver);
 *	peat_receiver__free(receiver);
 *
 * A message is acknowledged when all its events are written.  So after a crash, some of the last
 * events may be written again, and none is missing.
 *
 * One thread calls the functions of a receiver.  Ignore SIGPIPE.
 */
#ifndef PEAT_RECEIVE_H
#define PEAT_RECEIVE_H

#include <peat/common.h>

PEAT_BEGIN_DECLS

struct peat_receiver;

enum peat_receive_as {
	PEAT_RECEIVE_TEXT, /* a line of text for each event; measurements are left out */
	PEAT_RECEIVE_JSON, /* a line of JSON for each event and measurement */
	/* As they arrive: pieces of perf.data, one after the other, as peat replay reads them. */
	PEAT_RECEIVE_PIECES,
	PEAT_RECEIVE_AUDIT, /* nothing: peat_receiver__audit() has the result */
	PEAT_RECEIVE_COUNTS /* nothing: peat_receiver__counts() has the table */
};

struct peat_receiver_opts {
	size_t sz;	     /* sizeof(struct peat_receiver_opts) */
	const char *servers; /* "nats://a:4222,nats://b:4222", or tls://a; no credentials */
	const char *stream;  /* its name; NULL: PEAT */
	/*
	 * A durable consumer, which all receivers that name it share: each message goes to one of
	 * them.  It begins with the oldest message.  NULL: receives all messages, from the oldest,
	 * and acknowledges none.
	 */
	const char *consumer;
	const char *credentials_file; /* NULL: none; likewise the next */
	const char *ca_file, *cert_file, *key_file;
	/* Events of these hosts alone: patterns such as "web*", NULL after the last; NULL: all. */
	const char *const *hosts;
	const char *where; /* events that match (where.h), of TEXT, JSON and COUNTS; NULL: all */
	enum peat_receive_as as;
	int fd; /* receives the output; -1: none */
	/*
	 * PIECES: a file for each host in this directory, HOST-TIME.perf, instead of `fd`.  NULL:
	 * `fd`.
	 */
	const char *directory;
	/*
	 * TEXT and JSON: how long an event waits for older ones of other hosts, at most 20,000; it
	 * is not held longer.
	 */
	uint64_t delay_ms;
	uint64_t memory_bytes; /* the most memory of waiting events; 0: 64 MiB */
	bool to_end;	       /* end after the message that is the newest now */
	bool only_new;	       /* without a consumer: messages that arrive from now on alone */
	uint8_t reserved[6];   /* 0 */
	/*
	 * The agents' output that leads to this stream, for the audit; NULL: the only one of each
	 * source.
	 */
	const char *output;
	/*
	 * COUNTS: a pattern of names of events, "exec"; the fields of the table, "host,filename",
	 * as in peat_table_opts (table.h), and host; the column that sorts it, NULL: count.
	 * Without a consumer.
	 */
	const char *count, *by, *sort;
	/*
	 * A user with a password, or a token, instead of a credentials_file: as texts, or in files
	 * with one line that are open to no other user.  NULL: none.
	 */
	const char *user, *password, *password_file, *token, *token_file;
	/*
	 * The subjects of the agents' messages, "peat.%h.%s": %h is the host, %s the source, as in
	 * the settings of their output.  Batches of another host or source than their subject's are
	 * refused: servers decide who may send to a subject.  NULL: "peat.%h.%s"; "": subjects are
	 * not compared.
	 */
	const char *subject;
};

/*
 * Connects.  NULL and errno, with the reason in the log: EINVAL: options; ENOTSUP: built without
 * libnats; ENOENT: no such stream; EACCES; ENOMEM; or another error.
 */
PEAT_API struct peat_receiver *peat_receiver__new(const struct peat_receiver_opts *opts);

/*
 * Receives messages, waits at most timeout_ms for them, writes what is due, and acknowledges.
 *
 *	> 0		messages received
 *	0		none
 *	-ENODATA	the end (to_end)
 *	-EPIPE		nobody reads the output
 *	< 0		another error, with the reason in the log
 */
PEAT_API int peat_receiver__step(struct peat_receiver *receiver, uint64_t timeout_ms);

/* Writes all events that wait, and acknowledges.  0 or a negative errno. */
PEAT_API int peat_receiver__finish(struct peat_receiver *receiver);

struct peat_receiver_stats {
	size_t sz;	    /* sizeof(struct peat_receiver_stats), set by the caller */
	uint64_t messages;  /* received, also again */
	uint64_t pieces;    /* in them: batches of an agent */
	uint64_t events;    /* written */
	uint64_t filtered;  /* not written: they do not match `where` */
	uint64_t repeated;  /* pieces that arrived before, which were not written again */
	uint64_t damaged;   /* messages with damaged parts, which were not written */
	uint64_t late;	    /* events that were written after newer ones, marked as late */
	uint64_t hurried;   /* events that could not wait, for lack of memory */
	uint64_t misnamed;  /* pieces refused: their host or source is not that of the subject */
	uint64_t unnoted;   /* pieces that the audit has no memory for: written, also again */
	uint64_t uncounted; /* events that do not fit into the table of COUNTS */
};

/* Fills `stats` up to stats->sz.  0 or -EINVAL. */
PEAT_API int peat_receiver__stats(const struct peat_receiver *receiver,
				  struct peat_receiver_stats *stats);

/*
 * The events of each host that arrived so far, which are missing, and where the agents' ledgers say
 * that they were lost: text, or lines of JSON.  To be freed.  NULL and errno: ENOMEM.
 */
PEAT_API char *peat_receiver__audit(const struct peat_receiver *receiver, bool json);

/*
 * COUNTS: the table of the events so far, which stays the receiver's: read it (table.h, rows.h),
 * and clear it to begin anew.  NULL and errno EINVAL: no COUNTS.
 */
PEAT_API struct peat_table *peat_receiver__counts(const struct peat_receiver *receiver);

/*
 * COUNTS: 0, or -EINVAL: events of such names have arrived, and none has all fields of `by`: the
 * log has the reason.
 */
PEAT_API int peat_receiver__check_counts(const struct peat_receiver *receiver);

/* Whether the audit lacks events, or pieces. */
PEAT_API bool peat_receiver__lacks_events(const struct peat_receiver *receiver);

/* Messages that are not written arrive again, if there is a consumer.  Accepts NULL. */
PEAT_API void peat_receiver__free(struct peat_receiver *receiver);

PEAT_END_DECLS

#endif /* PEAT_RECEIVE_H */

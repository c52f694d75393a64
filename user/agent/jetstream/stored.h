/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * jetstream/stored.h: the last message that a stream has of a subject.
 *
 * Its id names the batches in it: NAME.RUN.FIRST.LAST, with the numbers of the first and the last
 * batch (struct peat_origin).  NAME is of the host, the output and the source.
 */
#ifndef PEAT_JETSTREAM_STORED_H
#define PEAT_JETSTREAM_STORED_H

#include <peat/batch.h>

#include "base/strbuf.h"
#include "jetstream/connection.h"

/* Zeroes: the subject has no message. */
struct stored {
	uint64_t sequence;  /* in the stream; 0: there is no message */
	struct strbuf name; /* a text; no bytes: another program sent it */
	uint64_t run, last;
};

enum stored_answer {
	STORED_READ,
	STORED_FORBIDDEN, /* the server does not permit the question */
	STORED_UNKNOWN	  /* no answer, or no stream */
};

/*
 * Reads the last message of the subject, and waits for it.  STORED_UNKNOWN: *failed has the status,
 * the code and the text.
 */
enum stored_answer stored__read(const struct connection *connection,
				const struct jetstream_config *config, const char *subject,
				struct stored *stored, struct news *failed);

/* Appends the id of a message, and a NUL. */
void stored__append_id(struct strbuf *out, const char *name, const struct peat_origin *first,
		       const struct peat_origin *last);

/* Reads such an id; of other ids, no name is set. */
void stored__parse_id(struct stored *stored, const char *id);

/* Whether the message, or an earlier one, has the batch. */
bool stored__has(const struct stored *stored, const char *name, const struct peat_origin *origin);

#endif /* PEAT_JETSTREAM_STORED_H */

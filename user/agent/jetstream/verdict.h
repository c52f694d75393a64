/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* jetstream/verdict.h: the meaning of an answer to a message. */
#ifndef PEAT_JETSTREAM_VERDICT_H
#define PEAT_JETSTREAM_VERDICT_H

#include "jetstream/mailbox.h"

enum verdict {
	VERDICT_STORED,
	VERDICT_RETRY,	   /* the stream takes none for now: it is full, or has no memory */
	VERDICT_ELSEWHERE, /* no answer: another server may have one */
	VERDICT_OUTDATED,  /* another message is the last one of the subject */
	VERDICT_REFUSED	   /* no server will ever take it */
};

/*
 * `text`: the server's or libnats' message, which may be empty.  `why` gets the reason on one line,
 * unless the message is stored.
 */
enum verdict verdict__of(natsStatus status, jsErrCode code, const char *text, char why[NEWS_WHY]);

#endif /* PEAT_JETSTREAM_VERDICT_H */

/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * written.h: a recording of two events, written as a recorder would.
 *
 *	struct written written;
 *
 *	written__begin(&written, fd, false);
 *	written__samples(&written, 1000);
 *	ck_assert_int_eq(perf_writer__close(written.writer), 0);
 *	written__free(&written);
 *
 * Event "raw" is a bpf-output event, and each of its samples has a text; in front of each tenth of
 * them stands one of "peat:exec", a tracepoint with a number and a name.
 */
#ifndef WRITTEN_H
#define WRITTEN_H

#include "perf_data/write/deflate.h"
#include "perf_data/write/writer.h"

#define WRITTEN_ROUND 100 /* samples of raw */
#define WRITTEN_EACH  10  /* of them to one of exec */
#define WRITTEN_NOTE  7	  /* the kind of the note at its end */

struct written {
	struct perf_writer *writer;
	struct perf_attr raw, exec;
	uint64_t raw_id, exec_id;
	unsigned count; /* samples of raw so far */

	/* Of a compressed one: the records that are not in the writer yet. */
	struct deflate *deflate;
	struct out plain;
};

/* Whatever fails here and below fails the running test, but what the writer says of the fd. */
int written__begin(struct written *written, int fd, bool compressed);

/* The next `count` samples of raw, those of exec, and a round now and then.  The writer's error. */
int written__samples(struct written *written, unsigned count);

/* What a recorder knows at its end alone: a feature, and a note. */
void written__end(struct written *written);

/* Without closing it. */
void written__free(struct written *written);

/* The text of raw's sample `i`; its NUL is in the payload. */
#define WRITTEN_TEXT_BYTES 13
void written__text(char text[WRITTEN_TEXT_BYTES], unsigned i);

/* The bytes of TRACING_DATA that it has. */
void written__tracing_data(struct out *out);

#endif /* WRITTEN_H */

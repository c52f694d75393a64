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
 * Samples of the bpf-output event "raw" have a text.  Before each tenth of them there is a sample
 * of "peat:exec", a tracepoint with a number and a name.
 */
#ifndef TESTS_SUPPORT_RECORDING_WRITTEN_H
#define TESTS_SUPPORT_RECORDING_WRITTEN_H

#include "perf_data/write/deflate.h"
#include "perf_data/write/writer.h"

#define WRITTEN_ROUND 100 /* samples of raw per round */
#define WRITTEN_EACH  10  /* samples of raw per sample of exec */
#define WRITTEN_NOTE  7	  /* kind of the note at the end */

struct written {
	struct perf_writer *writer;
	struct perf_attr raw, exec;
	uint64_t raw_id, exec_id;
	unsigned count; /* samples of raw so far */

	/* If compressed: records that have not been passed to the writer yet. */
	struct deflate *deflate;
	struct strbuf plain;
};

/* Errors fail the running test, except those of writing to the fd, which are returned. */
int written__begin(struct written *written, int fd, bool compressed);

/* Writes `count` samples of raw with those of exec, and rounds.  0 or the writer's error. */
int written__samples(struct written *written, unsigned count);

/* Writes a feature and a note, as a recorder does at its end. */
void written__end(struct written *written);

/* Frees the memory without closing the writer. */
void written__free(struct written *written);

/* The text of the i-th sample of raw; the payload includes its NUL. */
#define WRITTEN_TEXT_BYTES 13
void written__text(char text[WRITTEN_TEXT_BYTES], unsigned i);

/* The content of its TRACING_DATA. */
void written__tracing_data(struct strbuf *out);

#endif /* TESTS_SUPPORT_RECORDING_WRITTEN_H */

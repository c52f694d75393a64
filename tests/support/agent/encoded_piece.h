/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* encoded_piece.h: pieces, as agents send them.  A failure here fails the running test. */
#ifndef TESTS_SUPPORT_AGENT_ENCODED_PIECE_H
#define TESTS_SUPPORT_AGENT_ENCODED_PIECE_H

#include <stdlib.h>

#include "piece/piece.h"
#include "support/agent/file_run.h"
#include "support/machine/harness.h"

#define RUN UINT64_C(1700000000000000000)

/* The batch as a piece of this host: its number is that of its first event. */
static inline struct strbuf encoded_piece(const char *host, const struct peat_batch *batch,
					  uint64_t first)
{
	const struct peat_origin origin = {
		.sz = sizeof(origin), .run = RUN, .number = first, .first = first
	};
	struct piece_encoder *encoder = piece_encoder__new(host, 1);
	struct strbuf piece = { 0 };

	ck_assert_ptr_nonnull(encoder);
	ck_assert_int_eq(piece__encode(encoder, batch, &origin, &piece), 0);
	piece_encoder__free(encoder);
	return piece;
}

/* Events with these numbers, which are their times, too. */
static inline struct strbuf encoded_numbers(const char *host, uint64_t first, unsigned events)
{
	struct peat_batch *batch = file_run__batch(first, events);
	struct strbuf piece = encoded_piece(host, batch, first);

	peat_batch__unref(batch);
	return piece;
}

#endif /* TESTS_SUPPORT_AGENT_ENCODED_PIECE_H */

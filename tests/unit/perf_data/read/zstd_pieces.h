/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* zstd_pieces.h: one zstd stream in flushed pieces, as perf record -z writes it. */
#ifndef TESTS_UNIT_PERF_DATA_READ_ZSTD_PIECES_H
#define TESTS_UNIT_PERF_DATA_READ_ZSTD_PIECES_H

#include <stdlib.h>
#include <zstd.h>

/* The piece of the stream that brings out these bytes; its size.  `piece` has room for it. */
static inline size_t zstd_piece(ZSTD_CStream *stream, const void *bytes, size_t count, void *piece,
				size_t room)
{
	ZSTD_inBuffer in = { bytes, count, 0 };
	ZSTD_outBuffer out = { piece, room, 0 };

	if (ZSTD_compressStream2(stream, &out, &in, ZSTD_e_flush) || in.pos < count)
		abort();
	return out.pos;
}

#endif /* TESTS_UNIT_PERF_DATA_READ_ZSTD_PIECES_H */

/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * perf_data/read/inflate.h: decompresses a zstd stream of many pieces.  Pure.
 *
 * The pieces are the COMPRESSED records of a file.  Each is flushed, so that all of its output is
 * there, but needs the pieces before it.  The output of a piece may end inside a record.
 *
 *	inflate__feed(inflate, piece, piece_bytes);
 *	while (inflate__peek(inflate, 8) >= 8) {
 *		size = size_of(inflate__at(inflate));
 *		if (inflate__peek(inflate, size) < size)
 *			break; // the rest is in the next piece
 *		...
 *		inflate__consume(inflate, size);
 *	}
 *
 * Memory: 128 KiB, and the zstd window of the writer: 512 KiB at level 1, 128 MiB at level 22.
 * Larger windows are rejected.
 */
#ifndef PEAT_PERF_DATA_READ_INFLATE_H
#define PEAT_PERF_DATA_READ_INFLATE_H

#include <stddef.h>
#include <stdint.h>

struct inflate;

struct inflate *inflate__new(void); /* NULL: no memory */
void inflate__free(struct inflate *inflate);

/* The next piece; the caller keeps it until it is used up, or replaced by the next piece. */
void inflate__feed(struct inflate *inflate, const void *piece, size_t bytes);

/*
 * Makes `wanted` bytes (65,536 at most) contiguous at inflate__at(), and returns their number: less
 * if the piece is used up, or the stream is damaged.
 */
size_t inflate__peek(struct inflate *inflate, size_t wanted);
const uint8_t *inflate__at(const struct inflate *inflate);
void inflate__consume(struct inflate *inflate, size_t bytes);

/* NULL, or the reason why the output ended: not zstd, damaged, too much memory. */
const char *inflate__error(const struct inflate *inflate);

#endif /* PEAT_PERF_DATA_READ_INFLATE_H */

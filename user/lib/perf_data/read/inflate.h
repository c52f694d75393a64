/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * inflate.h: one zstd stream that comes in many pieces.  Pure.
 *
 * The pieces are those of the COMPRESSED records of one file: each is flushed, so that all that
 * went into it comes out of it, but needs the ones before; what comes out may break off anywhere
 * and go on with the next piece.
 *
 *	inflate__feed(inflate, piece, piece_bytes);
 *	while (inflate__peek(inflate, 8) >= 8) {
 *		size = size_of(inflate__at(inflate));
 *		if (inflate__peek(inflate, size) < size)
 *			break; // its rest is in the next piece
 *		...
 *		inflate__take(inflate, size);
 *	}
 *
 * It holds 128 KiB beside zstd's own window, which the writer chose: 512 KiB at level 1, at most
 * 128 MiB at level 22.  More is refused.
 */
#ifndef INFLATE_H
#define INFLATE_H

#include <stddef.h>
#include <stdint.h>

struct inflate;

struct inflate *inflate__new(void); /* NULL: no memory */
void inflate__free(struct inflate *inflate);

/* The next piece: stays where it is until it is used up, or replaced by the one after. */
void inflate__feed(struct inflate *inflate, const void *piece, size_t bytes);

/*
 * Makes `wanted` bytes, 65,536 at most, stand at inflate__at() in one piece, and returns how many
 * do: fewer when the piece is used up, or when the stream is broken.
 */
size_t inflate__peek(struct inflate *inflate, size_t wanted);
const uint8_t *inflate__at(const struct inflate *inflate);
void inflate__take(struct inflate *inflate, size_t bytes);

/* NULL, or why no more comes out: the stream is not zstd, is damaged, needs too much memory. */
const char *inflate__error(const struct inflate *inflate);

#endif /* INFLATE_H */

/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* piece/head.h: the header of a piece and its note, with length and checksums.  Pure. */
#ifndef PEAT_PIECE_HEAD_H
#define PEAT_PIECE_HEAD_H

#include "piece/piece.h"

#define HEAD_BOOT_ID_BYTES 16

struct piece_head {
	struct piece_info info;
	uint8_t boot_id[HEAD_BOOT_ID_BYTES]; /* zeroes: unknown */
	size_t bytes;			     /* of the header and its note */
	uint64_t piece_bytes;		     /* with these */
	uint32_t checksum;		     /* of the rest */
};

/* Appends the header and the note, with zeroes for the numbers that head__seal() sets. */
void head__put(const struct piece_head *head, struct strbuf *out);

/*
 * Sets length and checksums of the piece that begins at `start` and ends at the end of `out`.  0,
 * or -E2BIG: it has more than PIECE_BYTES_MAX.
 */
int head__seal(struct strbuf *out, size_t start);

/* 1: *head is set; 0: more bytes are needed; -EBADMSG. */
int head__read(const void *bytes, size_t count, struct piece_head *head);

#endif /* PEAT_PIECE_HEAD_H */

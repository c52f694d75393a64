/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * piece/piece.h: batches as bytes, to keep on disk or to send, and back.
 *
 *	batch ──▶ piece_encoder ──▶ piece ──▶ disk, stream ──▶ piece__decode() ──▶ batch
 *
 * A piece is a whole recording (perf.data, as in a pipe) of one batch, with the types of its
 * events.  Several pieces make a file when they follow each other: `peat replay` reads it.  The
 * first record after the file's header has the piece's length and checksum, and its information:
 *
 *	header │ note: bytes, crc32, host, source, numbers │ types │ events │ points
 *
 * Byte order is that of the machine that made the piece: a piece of a machine with the other one is
 * EBADMSG.
 */
#ifndef PEAT_PIECE_PIECE_H
#define PEAT_PIECE_PIECE_H

#include <sys/types.h>

#include <peat/batch.h>

#include "base/strbuf.h"

/* The most bytes of a piece: a head with a greater length is damaged. */
#define PIECE_BYTES_MAX (256u << 20)

/* The first bytes of each piece, to find one after damage: a number, in this machine's order. */
#define PIECE_MAGIC	  (__BYTE_ORDER__ == __ORDER_BIG_ENDIAN__ ? "2ELIFREP" : "PERFILE2")
#define PIECE_MAGIC_BYTES 8

/*
 * Bytes after which piece__measure() no longer answers 0 for the reason that it does not know the
 * piece's length yet.
 */
#define PIECE_HEAD_MAX 1024

/* A limit of decoded bytes that is enough for any batch of events of the default size. */
#define PIECE_DECODED_MOST (64u << 20)

/* The longest names of hosts and sources, without the NUL: longer ones are cut. */
#define PIECE_NAME_MAX 255

struct piece_info {
	/* From piece__decode(): valid as long as the batch.  From piece__measure(): in the bytes.
	 */
	const char *host, *source;
	uint64_t run;	 /* of the agent: its start, ns since 1970 */
	uint64_t number; /* of the piece in this run and source, from 1; 0: unknown */
	uint64_t first;	 /* the number of its first event in this run and source, from 1 */
	uint64_t events, points;
	int64_t wall_clock_ns;
	uint64_t decoded_bytes; /* from piece__decode(): the memory of its batch, at most */
};

/* Encodes pieces of one source, which share types and compression.  For one thread. */
struct piece_encoder;

/*
 * `level`: of zstd, 1 to 22; 0: not compressed.  `host` is copied.
 *
 * NULL and errno: EINVAL, ENOMEM.
 */
struct piece_encoder *piece_encoder__new(const char *host, int level);

/*
 * Appends the batch as a piece.
 *
 *	0		appended
 *	-E2BIG		too large: the piece, a point or a name; logged
 *	-ENOMEM
 *
 * After an error `out` has the bytes that it had before.
 */
int piece__encode(struct piece_encoder *encoder, const struct peat_batch *batch,
		  const struct peat_origin *origin, struct strbuf *out);

/* Accepts NULL. */
void piece_encoder__free(struct piece_encoder *encoder);

/*
 * Checks the length and the checksum of the piece that begins at `bytes`, without decoding it.
 * `info` may be NULL.
 *
 *	> 0		bytes of the piece: whole and undamaged; *info is set
 *	0		it is cut: `count` bytes are not all
 *	-EBADMSG	damaged, or no piece
 */
ssize_t piece__measure(const void *bytes, size_t count, struct piece_info *info);

/*
 * Makes a batch of the piece of exactly `count` bytes.  `info` may be NULL.  `most` limits its
 * records, decompressed, together with the memory of what they become: PIECE_DECODED_MOST.
 *
 * Events are the same, but for `record` and `recorded`, which batches do not have, and the map of
 * their stack ids.  Addresses of the kernel are printed without names after the next boot.
 *
 * NULL and errno:
 *	EBADMSG	damaged, or its parts contradict each other: the log has the reason
 *	E2BIG	more than `most` bytes
 *	ENOMEM
 */
struct peat_batch *piece__decode(const void *bytes, size_t count, uint64_t most,
				 struct piece_info *info);

#endif /* PEAT_PIECE_PIECE_H */

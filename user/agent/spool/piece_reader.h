/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* spool/piece_reader.h: finds the whole pieces of a segment, from its start to its end. */
#ifndef PEAT_SPOOL_PIECE_READER_H
#define PEAT_SPOOL_PIECE_READER_H

#include "piece/piece.h"

/* piece__measure(), or a function with its contract. */
typedef ssize_t (*measure_fn)(const void *bytes, size_t count, struct piece_info *info);

struct piece_reader {
	measure_fn measure;
	int fd;		    /* of the file; -1: none */
	uint64_t start;	    /* the buffer's offset in the file */
	size_t count, room; /* of the buffer */
	char *buffer;
};

struct found_piece {
	uint64_t offset;   /* in the file */
	uint64_t skipped;  /* bytes before it that are no whole piece */
	const void *bytes; /* valid until the next call */
	size_t count;
	struct piece_info info;
};

/* Reads another file from now on, and closes it at the end. */
void piece_reader__open(struct piece_reader *reader, int fd);

/*
 * Finds the first whole piece at `from` or later, in the first `end` bytes of the file.
 *
 *	1		found
 *	0		none: `skipped` bytes are left
 *	a negative errno	the file cannot be read, or -ENOMEM
 */
int piece_reader__next(struct piece_reader *reader, uint64_t from, uint64_t end,
		       struct found_piece *found);

/* Closes the file and frees the buffer. */
void piece_reader__close(struct piece_reader *reader);

#endif /* PEAT_SPOOL_PIECE_READER_H */

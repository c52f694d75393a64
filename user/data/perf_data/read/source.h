/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * perf_data/read/source.h: reads a file, a pipe or memory through a window of bounded size.
 *
 *	while (perf_source__peek(&source, 8) >= 8) {
 *		size = size_of(source.at);
 *		if (perf_source__peek(&source, size) < size)
 *			break;
 *		consume(source.at, size);
 *		perf_source__consume(&source, size);
 *	}
 *	if (source.err)
 *		failed(source.err);
 *
 * A file is read by pread(2), never mapped: if it is truncated meanwhile, it only ends early.
 */
#ifndef PEAT_PERF_DATA_READ_SOURCE_H
#define PEAT_PERF_DATA_READ_SOURCE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct perf_source {
	const uint8_t *at; /* the next byte */
	size_t left;	   /* bytes at `at` */
	uint64_t offset;   /* of the next byte in the file */
	uint64_t size;	   /* of a file when it was opened, in bytes; 0: unknown */
	int err;	   /* negative errno of a failed read, which ends reading */

	/* Private. */
	int fd; /* -1: closed, or memory */
	bool owns_fd, seekable;
	uint8_t *window;
	size_t room, room_mostly;
	const uint8_t *memory;
	size_t memory_bytes;
};

/*
 * Reads a regular file from its start, a pipe, terminal or socket from its current position.  With
 * owns_fd, close closes the fd.  0 or a negative errno: nothing is open.
 */
int perf_source__open(struct perf_source *source, int fd, bool owns_fd);

/* Reads the caller's memory, like a file or, if not seekable, like a pipe. */
void perf_source__open_memory(struct perf_source *source, const void *bytes, size_t count,
			      bool seekable);
/* Shrinks the window, as `sources` sources are read in parallel; call before reading. */
void perf_source__share(struct perf_source *source, uint32_t sources);

void perf_source__close(struct perf_source *source); /* all zero but fd -1: nothing */

/* The slow path of perf_source__peek(). */
size_t perf_source__fill(struct perf_source *source, size_t wanted);

/*
 * Makes `wanted` bytes contiguous at source->at, and returns their number: less only at the end or
 * after an error.  The window grows up to `wanted` as bytes arrive: limit it.
 */
static inline size_t perf_source__peek(struct perf_source *source, size_t wanted)
{
	return source->left >= wanted ? source->left : perf_source__fill(source, wanted);
}

/* True if perf_source__peek() would wait for the writer of a pipe. */
bool perf_source__would_wait(const struct perf_source *source, size_t wanted);

/* Consumes peeked bytes. */
static inline void perf_source__consume(struct perf_source *source, size_t bytes)
{
	source->at += bytes;
	source->left -= bytes;
	source->offset += bytes;
}

/* Skips any number of bytes, without buffering them.  False: there are fewer, or an error. */
bool perf_source__skip(struct perf_source *source, uint64_t bytes);

/*
 * Copies bytes from any offset, without consuming.  In a pipe only bytes ahead, up to
 * PERF_SOURCE_AHEAD.  1: done; 0: the file ends earlier; -ESPIPE: out of reach in a pipe; or
 * another negative errno.
 */
int perf_source__read_at(struct perf_source *source, uint64_t offset, void *to, size_t bytes);

/* How far read_at() reads ahead in a pipe, in bytes. */
#define PERF_SOURCE_AHEAD ((size_t)16 << 20)

#endif /* PEAT_PERF_DATA_READ_SOURCE_H */

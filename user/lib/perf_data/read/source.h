/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * perf_source.h: bytes of a file, a pipe or memory, in order and through a window of bounded size.
 *
 *	while (perf_source__peek(&source, 8) >= 8) {
 *		size = size_of(source.at);
 *		if (perf_source__peek(&source, size) < size)
 *			break;
 *		consume(source.at, size);
 *		perf_source__take(&source, size);
 *	}
 *	if (source.err)
 *		failed(source.err);
 *
 * A file is read by pread(2), never mapped: one that is truncated meanwhile merely ends.
 */
#ifndef PERF_SOURCE_H
#define PERF_SOURCE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct perf_source {
	const uint8_t *at; /* the next byte, of which */
	size_t left;	   /* so many are at hand */
	uint64_t offset;   /* of the next byte in the file */
	int err;	   /* what a read failed with, a negative errno; nothing is read any more */

	/* Its own. */
	int fd; /* -1: none, or memory */
	bool owns_fd, seekable;
	uint8_t *window;
	size_t room, room_mostly;
	const uint8_t *memory;
	size_t memory_bytes;
};

/*
 * Reads a regular file from its start, anything else (pipe, terminal, socket) from where it is.
 * With owns_fd the fd is closed in the end.  0 or a negative errno, and then nothing is open.
 */
int perf_source__open(struct perf_source *source, int fd, bool owns_fd);

/* Reads memory of the caller's, as if it came from a file or, not seekable, from a pipe. */
void perf_source__open_memory(struct perf_source *source, const void *bytes, size_t count,
			      bool seekable);
/* Of so many that are read side by side each has a smaller window; before anything was read. */
void perf_source__share(struct perf_source *source, uint32_t sources);

void perf_source__close(struct perf_source *source); /* one that is all zeroes but fd -1, too */

/* What perf_source__peek() does when less is at hand. */
size_t perf_source__fill(struct perf_source *source, size_t wanted);

/*
 * Makes `wanted` bytes stand at source->at, in one piece, and returns how many do: fewer only at
 * the end or after an error.  The window grows to `wanted`, as bytes arrive: limit it.
 */
static inline size_t perf_source__peek(struct perf_source *source, size_t wanted)
{
	return source->left >= wanted ? source->left : perf_source__fill(source, wanted);
}

/* Whether perf_source__peek() would have to wait for a writer, that of a pipe say. */
bool perf_source__would_wait(const struct perf_source *source, size_t wanted);

/* Passes over bytes that were peeked. */
static inline void perf_source__take(struct perf_source *source, size_t bytes)
{
	source->at += bytes;
	source->left -= bytes;
	source->offset += bytes;
}

/* Passes over any number of bytes, holding none of them.  False: there are fewer, or an error. */
bool perf_source__skip(struct perf_source *source, uint64_t bytes);

/*
 * Copies bytes of any place, without moving.  Of a pipe only those that are ahead, and not farther
 * than a window may be large.  1: done; 0: the file ends before; a negative errno, -ESPIPE for a
 * place in a pipe that cannot be had.
 */
int perf_source__read_at(struct perf_source *source, uint64_t offset, void *to, size_t bytes);

/* The most that read_at() looks ahead in a pipe. */
#define PERF_SOURCE_AHEAD ((size_t)16 << 20)

#endif /* PERF_SOURCE_H */

// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* spool/piece_reader.c: reads a segment through a buffer, and skips bytes that are no whole piece.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "spool/piece_reader.h"

#define LEAST_ROOM (1u << 20)

void piece_reader__open(struct piece_reader *reader, int fd)
{
	if (reader->fd >= 0)
		close(reader->fd);
	reader->fd = fd;
	reader->count = 0;
}

/* Moves the bytes from `at` on to the start of a buffer with room for `bytes`. */
static int move_buffer(struct piece_reader *reader, uint64_t at, size_t bytes)
{
	size_t room = bytes > LEAST_ROOM ? bytes : LEAST_ROOM, passed = 0;
	char *buffer;

	if (at >= reader->start && at <= reader->start + reader->count)
		passed = (size_t)(at - reader->start);
	else
		reader->count = 0;
	if (passed) {
		reader->count -= passed;
		memmove(reader->buffer, reader->buffer + passed, reader->count);
	}
	reader->start = at;
	if (room <= reader->room)
		return 0;
	buffer = realloc(reader->buffer, room);
	if (!buffer)
		return -ENOMEM;
	reader->buffer = buffer;
	reader->room = room;
	return 0;
}

/* Bytes of the buffer from `at` on. */
static size_t has(const struct piece_reader *reader, uint64_t at)
{
	const uint64_t until = reader->start + reader->count;

	return at >= reader->start && at < until ? (size_t)(until - at) : 0;
}

/* Fills the buffer: at least `bytes` from `at` on, if the file has as many. */
static int fill(struct piece_reader *reader, uint64_t at, uint64_t end, size_t bytes)
{
	int err;

	if (at + bytes > end)
		bytes = (size_t)(end - at);
	if (has(reader, at) >= bytes)
		return 0;
	err = move_buffer(reader, at, bytes);
	while (!err && reader->count < bytes) {
		uint64_t from = reader->start + reader->count;
		size_t room = reader->room - reader->count;
		ssize_t got;

		if (from + room > end)
			room = (size_t)(end - from);
		got = pread(reader->fd, reader->buffer + reader->count, room, (off_t)from);
		if (got > 0)
			reader->count += (size_t)got;
		else if (!got)
			break; /* the file was cut meanwhile */
		else if (errno != EINTR)
			err = -errno;
	}
	return err;
}

/* 1: a piece is at found->offset; 0: none; or a negative errno. */
static int measure(struct piece_reader *reader, uint64_t end, struct found_piece *found)
{
	size_t wanted = PIECE_HEAD_MAX;

	for (;;) {
		int err = fill(reader, found->offset, end, wanted);
		size_t count = has(reader, found->offset);
		ssize_t bytes;

		if (err)
			return err;
		found->bytes = reader->buffer + (found->offset - reader->start);
		bytes = count ? reader->measure(found->bytes, count, &found->info) : -EBADMSG;
		if (bytes > 0) {
			found->count = (size_t)bytes;
			return 1;
		}
		if (bytes < 0 || count < wanted || found->offset + count >= end)
			return 0;
		wanted = 2 * count;
	}
}

/* Moves found->offset to the next magic after it, or to the end. */
static int find_magic(struct piece_reader *reader, uint64_t end, struct found_piece *found)
{
	for (uint64_t at = found->offset + 1; at + PIECE_MAGIC_BYTES <= end;) {
		int err = fill(reader, at, end, PIECE_MAGIC_BYTES);
		size_t count = has(reader, at);
		const char *bytes, *magic;

		if (err)
			return err;
		if (count < PIECE_MAGIC_BYTES)
			break;
		bytes = reader->buffer + (at - reader->start);
		magic = memmem(bytes, count, PIECE_MAGIC, PIECE_MAGIC_BYTES);
		if (magic) {
			found->offset = at + (uint64_t)(magic - bytes);
			return 0;
		}
		at += count - (PIECE_MAGIC_BYTES - 1);
	}
	found->offset = end;
	return 0;
}

int piece_reader__next(struct piece_reader *reader, uint64_t from, uint64_t end,
		       struct found_piece *found)
{
	int is_found = 0, err = 0;

	*found = (struct found_piece){ .offset = from };
	while (!err && !is_found && found->offset < end) {
		is_found = measure(reader, end, found);
		if (!is_found)
			err = find_magic(reader, end, found);
		else if (is_found < 0)
			err = is_found;
	}
	found->skipped = found->offset - from;
	return err ?: is_found;
}

void piece_reader__close(struct piece_reader *reader)
{
	piece_reader__open(reader, -1);
	free(reader->buffer);
	reader->buffer = NULL;
	reader->room = 0;
}

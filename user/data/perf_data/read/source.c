// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* perf_data/read/source.c: a window that slides over a file or a pipe. */
#include <errno.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "perf_data/read/source.h"

/* Fits into the cache of a core; holds several of the largest records. */
#define WINDOW_BYTES ((size_t)256 << 10)

/* Shared by the windows of many sources. */
#define SHARED_BYTES ((size_t)16 << 20)
#define SHARE_LEAST  ((size_t)16 << 10)

int perf_source__open(struct perf_source *source, int fd, bool owns_fd)
{
	struct stat status;

	*source = (struct perf_source){ .fd = fd, .owns_fd = owns_fd, .room_mostly = WINDOW_BYTES };
	if (fstat(fd, &status)) {
		int err = -errno;

		perf_source__close(source);
		return err;
	}
	source->seekable = S_ISREG(status.st_mode) || S_ISBLK(status.st_mode);
	source->size = S_ISREG(status.st_mode) ? (uint64_t)status.st_size : 0;
	return 0;
}

void perf_source__open_memory(struct perf_source *source, const void *bytes, size_t count,
			      bool seekable)
{
	*source = (struct perf_source){ .at = bytes,
					.left = count,
					.size = seekable ? count : 0,
					.fd = -1,
					.seekable = seekable,
					.memory = bytes,
					.memory_bytes = count };
}

void perf_source__share(struct perf_source *source, uint32_t sources)
{
	size_t share = SHARED_BYTES / sources;

	share = share > SHARE_LEAST ? share : SHARE_LEAST;
	source->room_mostly = share < WINDOW_BYTES ? share : WINDOW_BYTES;
}

void perf_source__close(struct perf_source *source)
{
	if (source->owns_fd && source->fd >= 0)
		close(source->fd);
	free(source->window);
	*source = (struct perf_source){ .fd = -1 };
}

static ssize_t read_some(struct perf_source *source, void *to, size_t bytes, uint64_t offset)
{
	struct pollfd ready = { .fd = source->fd, .events = POLLIN };
	ssize_t got;

	for (;;) {
		got = source->seekable ? pread(source->fd, to, bytes, (off_t)offset)
				       : read(source->fd, to, bytes);
		if (got >= 0)
			return got;
		if (errno == EAGAIN)
			poll(&ready, 1, -1); /* another process made the pipe non-blocking */
		else if (errno != EINTR)
			return -errno;
	}
}

/* Moves the bytes left to the start of a window of `room` bytes. */
static bool resize(struct perf_source *source, size_t room)
{
	uint8_t *window = malloc(room);

	if (!window) {
		source->err = -ENOMEM;
		return false;
	}
	if (source->left)
		memcpy(window, source->at, source->left);
	free(source->window);
	source->window = window;
	source->room = room;
	source->at = window;
	return true;
}

/*
 * Makes room in the window after the bytes left.  It doubles only when it is full, so that a wrong
 * length costs no memory, and shrinks again after a large record is consumed.
 */
static bool make_window_room(struct perf_source *source, size_t wanted)
{
	if (source->left == source->room) {
		size_t room = 2 * source->room < wanted ? 2 * source->room : wanted;

		return resize(source, room < source->room_mostly ? source->room_mostly : room);
	}
	if (source->room > source->room_mostly && wanted <= source->room_mostly &&
	    source->left < source->room_mostly)
		return resize(source, source->room_mostly);
	if (source->at != source->window)
		memmove(source->window, source->at, source->left);
	source->at = source->window;
	return true;
}

size_t perf_source__fill(struct perf_source *source, size_t wanted)
{
	ssize_t got = 1;

	while (source->fd >= 0 && !source->err && source->left < wanted && got) {
		if (!make_window_room(source, wanted))
			break;
		got = read_some(source, source->window + source->left, source->room - source->left,
				source->offset + source->left);
		if (got < 0)
			source->err = (int)got;
		else
			source->left += (size_t)got;
	}
	return source->left;
}

bool perf_source__would_wait(const struct perf_source *source, size_t wanted)
{
	struct pollfd ready = { .fd = source->fd, .events = POLLIN };

	if (source->fd < 0 || source->seekable || source->err || source->left >= wanted)
		return false;
	return !poll(&ready, 1, 0);
}

static bool skip_by_reading(struct perf_source *source, uint64_t bytes)
{
	while (bytes) {
		size_t got = perf_source__peek(source, 1);

		if (!got)
			return false;
		got = bytes < got ? (size_t)bytes : got;
		perf_source__consume(source, got);
		bytes -= got;
	}
	return true;
}

bool perf_source__skip(struct perf_source *source, uint64_t bytes)
{
	uint64_t last = source->offset + bytes - 1;
	uint8_t byte;
	int got;

	if (bytes <= source->left || !source->seekable || source->fd < 0)
		return skip_by_reading(source, bytes);
	got = last < source->offset ? 0 : perf_source__read_at(source, last, &byte, 1);
	if (got < 0)
		source->err = got;
	if (got <= 0)
		return false;
	source->left = 0;
	source->offset += bytes;
	return true;
}

static int read_memory(struct perf_source *source, uint64_t offset, void *to, size_t bytes)
{
	if (offset > source->memory_bytes || bytes > source->memory_bytes - offset)
		return 0;
	memcpy(to, source->memory + offset, bytes);
	return 1;
}

static int read_file(struct perf_source *source, uint64_t offset, uint8_t *to, size_t bytes)
{
	ssize_t got;

	while (bytes) {
		if (offset > INT64_MAX - bytes)
			return 0;
		got = read_some(source, to, bytes, offset);
		if (got <= 0)
			return (int)got;
		to += got;
		offset += (uint64_t)got;
		bytes -= (size_t)got;
	}
	return 1;
}

static int read_ahead(struct perf_source *source, uint64_t offset, void *to, size_t bytes)
{
	uint64_t skipped = offset - source->offset;
	size_t wanted;

	if (offset < source->offset || bytes > PERF_SOURCE_AHEAD ||
	    skipped > PERF_SOURCE_AHEAD - bytes)
		return -ESPIPE;
	wanted = (size_t)skipped + bytes;
	if (perf_source__peek(source, wanted) < wanted)
		return source->err;
	memcpy(to, source->at + skipped, bytes);
	return 1;
}

int perf_source__read_at(struct perf_source *source, uint64_t offset, void *to, size_t bytes)
{
	if (!bytes)
		return 1;
	if (!source->seekable)
		return read_ahead(source, offset, to, bytes);
	return source->memory ? read_memory(source, offset, to, bytes)
			      : read_file(source, offset, to, bytes);
}

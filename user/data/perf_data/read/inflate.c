// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* perf_data/read/inflate.c: decompresses a zstd stream piece by piece. */
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <zstd.h>
#include <zstd_errors.h>

#include "perf_data/read/inflate.h"

#define WANTED_MOST ((size_t)64 << 10)
#define ROOM	    (2 * WANTED_MOST)

struct inflate {
	ZSTD_DStream *stream;
	ZSTD_inBuffer piece;
	bool drained; /* zstd holds no more output of the piece */
	const char *error;
	size_t start, end; /* in bytes */
	uint8_t bytes[ROOM];
};

struct inflate *inflate__new(void)
{
	struct inflate *inflate = malloc(sizeof(*inflate));

	if (!inflate)
		return NULL;
	memset(inflate, 0, offsetof(struct inflate, bytes));
	inflate->drained = true;
	inflate->stream = ZSTD_createDStream();
	if (!inflate->stream) {
		free(inflate);
		return NULL;
	}
	return inflate;
}

void inflate__free(struct inflate *inflate)
{
	if (!inflate)
		return;
	ZSTD_freeDStream(inflate->stream);
	free(inflate);
}

void inflate__feed(struct inflate *inflate, const void *piece, size_t bytes)
{
	inflate->piece = (ZSTD_inBuffer){ .src = piece, .size = bytes };
	inflate->drained = false;
}

/* Only errors that a user can act on; zstd has 40. */
static const char *name_error(size_t code)
{
	switch (ZSTD_getErrorCode(code)) {
	case ZSTD_error_prefix_unknown:
		return "the compressed data are not zstd";
	case ZSTD_error_frameParameter_windowTooLarge:
		return "the compressed data need more memory than is given to them";
	case ZSTD_error_memory_allocation:
		return "no memory for the compressed data";
	default:
		return "the compressed data are corrupt";
	}
}

/* zstd keeps output that does not fit; it has none left if room is left over. */
static void run(struct inflate *inflate)
{
	ZSTD_outBuffer out = { .dst = inflate->bytes, .size = ROOM, .pos = inflate->end };
	size_t left;

	left = ZSTD_decompressStream(inflate->stream, &out, &inflate->piece);
	if (ZSTD_isError(left)) {
		inflate->error = name_error(left);
		return;
	}
	inflate->end = out.pos;
	inflate->drained = inflate->piece.pos == inflate->piece.size && out.pos < ROOM;
}

size_t inflate__peek(struct inflate *inflate, size_t wanted)
{
	size_t left = inflate->end - inflate->start;

	if (left >= wanted)
		return left;
	memmove(inflate->bytes, inflate->bytes + inflate->start, left);
	inflate->start = 0;
	inflate->end = left;
	while (inflate->end < wanted && !inflate->drained && !inflate->error)
		run(inflate);
	return inflate->end;
}

const uint8_t *inflate__at(const struct inflate *inflate)
{
	return inflate->bytes + inflate->start;
}

void inflate__consume(struct inflate *inflate, size_t bytes)
{
	inflate->start += bytes;
}

const char *inflate__error(const struct inflate *inflate)
{
	return inflate->error;
}

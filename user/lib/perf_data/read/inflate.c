// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* inflate.c: a zstd stream, out of which comes as much as is asked for. */
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
	bool drained; /* nothing of the piece is left in the stream */
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

/* What a reader of messages can do something about; zstd has 40 errors. */
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

/* The stream holds back what did not fit into the output: it is empty once there is room left. */
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

void inflate__take(struct inflate *inflate, size_t bytes)
{
	inflate->start += bytes;
}

const char *inflate__error(const struct inflate *inflate)
{
	return inflate->error;
}

// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* perf_data/write/deflate.c: a zstd stream, flushed after each record. */
#include <errno.h>
#include <stdlib.h>
#include <zstd.h>
#include <zstd_errors.h>

#include "base/cursor.h"
#include "perf_data/write/deflate.h"
#include "base/store.h"
#include "perf_data/tool_record.h"

#define HEADER_BYTES 8
#define SIZE_AT	     6
#define RECORD_MOST  65535
#define PIECE_MOST   (RECORD_MOST - HEADER_BYTES)

/*
 * Input that does not compress grows a little.  If the output did not fit into one record it would
 * continue in the next, and perf treats a record that inflates to nothing as damaged.
 */
#define INPUT_MOST 64000

struct deflate {
	ZSTD_CStream *stream;
	int err;
};

struct deflate *deflate__new(int level)
{
	struct deflate *deflate = calloc(1, sizeof(*deflate));

	if (!deflate)
		return NULL;
	deflate->stream = ZSTD_createCStream();
	if (!deflate->stream || ZSTD_isError(ZSTD_initCStream(deflate->stream, level))) {
		deflate__free(deflate);
		return NULL;
	}
	return deflate;
}

void deflate__free(struct deflate *deflate)
{
	if (!deflate)
		return;
	ZSTD_freeCStream(deflate->stream);
	free(deflate);
}

void deflate__reset(struct deflate *deflate)
{
	ZSTD_CCtx_reset(deflate->stream, ZSTD_reset_session_only);
	deflate->err = 0;
}

/* Bytes of the whole records that fit into one piece; of a single larger record, a part. */
static size_t piece_bytes(const char *records, size_t count, bool swapped)
{
	size_t bytes = 0;

	while (count - bytes >= HEADER_BYTES) {
		size_t size = load_u16(records + bytes + SIZE_AT, swapped);

		if (size < HEADER_BYTES || size > count - bytes || size > INPUT_MOST - bytes)
			break;
		bytes += size;
	}
	if (bytes)
		return bytes;
	return count < INPUT_MOST ? count : INPUT_MOST;
}

static int compress(struct deflate *deflate, const char *bytes, size_t count, struct strbuf *out)
{
	ZSTD_inBuffer in = { bytes, count, 0 };
	ZSTD_outBuffer piece = { .size = PIECE_MOST };
	char *at = strbuf__room(out, RECORD_MOST);
	size_t left;

	if (!at)
		return -ENOMEM;
	piece.dst = at + HEADER_BYTES;
	left = ZSTD_compressStream2(deflate->stream, &piece, &in, ZSTD_e_flush);
	if (ZSTD_getErrorCode(left) == ZSTD_error_memory_allocation)
		return -ENOMEM;
	if (left || in.pos < count)
		return -EIO;
	store_u32(out, TOOL_COMPRESSED);
	store_u16(out, 0);
	store_u16(out, (uint16_t)(HEADER_BYTES + piece.pos));
	out->count += piece.pos;
	return 0;
}

int deflate__records(struct deflate *deflate, const void *records, size_t count, struct strbuf *out)
{
	const char *at = records;

	while (count && !deflate->err) {
		size_t bytes = piece_bytes(at, count, out->swapped);

		deflate->err = compress(deflate, at, bytes, out);
		at += bytes;
		count -= bytes;
	}
	return deflate->err;
}

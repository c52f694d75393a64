// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* file/zstd_frames.c: compresses to frames of zstd, and finds the end of a file of them. */
/* For ZSTD_c_literalCompressionMode and ZSTD_c_useBlockSplitter, without which all else works. */
#define ZSTD_STATIC_LINKING_ONLY
#include <errno.h>
#include <stdlib.h>
#include <unistd.h>
#include <zstd.h>

#include "file/zstd_frames.h"

/* ---- compression ----------------------------------------------------------------------------- */

struct zstd_frames {
	ZSTD_CCtx *context;
};

static bool set(struct zstd_frames *frames, ZSTD_cParameter parameter, int value)
{
	return !ZSTD_isError(ZSTD_CCtx_setParameter(frames->context, parameter, value));
}

/*
 * Level 1 for lines that are alike: in 0.7 of its time, and in fewer bytes.  The newest similar
 * line is as good as any, so a window of 64 KiB, a block, is enough instead of 512, and steps of 3
 * bytes instead of 2 find it.  With such steps, zstd leaves literals as they are unless it is told
 * to compress them.
 */
static bool set_fastest(struct zstd_frames *frames)
{
	const int enable = 1; /* ZSTD_ps_enable, and in older versions ZSTD_lcm_huffman */

	if (!set(frames, ZSTD_c_windowLog, 16) || !set(frames, ZSTD_c_hashLog, 15))
		return false;
	return !set(frames, ZSTD_c_literalCompressionMode, enable) ||
	       set(frames, ZSTD_c_targetLength, 2);
}

/* Otherwise, high levels split blocks.  Versions before 1.5 never do, and lack the parameter. */
static void keep_blocks(struct zstd_frames *frames)
{
	const int disable = 2; /* ZSTD_ps_disable */

	set(frames, ZSTD_c_experimentalParam13, disable); /* ZSTD_c_useBlockSplitter */
}

static bool set_level(struct zstd_frames *frames, int level)
{
	keep_blocks(frames);
	return set(frames, ZSTD_c_compressionLevel, level) && set(frames, ZSTD_c_checksumFlag, 0) &&
	       set(frames, ZSTD_c_contentSizeFlag, 0) && (level > 1 || set_fastest(frames));
}

struct zstd_frames *zstd_frames__new(int level)
{
	struct zstd_frames *frames = calloc(1, sizeof(*frames));

	if (!frames)
		return NULL;
	frames->context = ZSTD_createCCtx();
	if (frames->context && set_level(frames, level))
		return frames;
	zstd_frames__free(frames);
	return NULL;
}

void zstd_frames__free(struct zstd_frames *frames)
{
	if (!frames)
		return;
	ZSTD_freeCCtx(frames->context);
	free(frames);
}

void zstd_frames__begin(struct zstd_frames *frames)
{
	ZSTD_CCtx_reset(frames->context, ZSTD_reset_session_only);
}

int zstd_frames__add(struct zstd_frames *frames, const void *bytes, size_t count,
		     struct strbuf *out)
{
	ZSTD_inBuffer in = { bytes, count, 0 };
	size_t left;

	do {
		size_t room = ZSTD_compressBound(count - in.pos) + ZSTD_CStreamOutSize();
		ZSTD_outBuffer piece = { strbuf__room(out, room), room, 0 };

		if (!piece.dst)
			return -ENOMEM;
		left = ZSTD_compressStream2(frames->context, &piece, &in, ZSTD_e_flush);
		if (ZSTD_isError(left))
			return -EIO;
		out->count += piece.pos;
	} while (left || in.pos < count);
	return 0;
}

/* ---- the end of a file ----------------------------------------------------------------------- */

/* Numbers of RFC 8878. */
#define MAGIC		  0xfd2fb528
#define MAGIC_SKIPPABLE	  0x184d2a50 /* and 15 more */
#define CHECKSUM_BYTES	  4
#define BLOCK_HEAD_BYTES  3
#define HAS_CHECKSUM	  4
#define IS_SINGLE_SEGMENT 32

struct walk {
	int fd;
	uint64_t at, end; /* `end`: of the last whole block */
	bool is_open;
};

/* 1; 0: the file ends before all of them; a negative errno. */
static int read_bytes(const struct walk *walk, void *bytes, size_t count)
{
	ssize_t got = pread(walk->fd, bytes, count, (off_t)walk->at);

	return got < 0 ? -errno : (size_t)got == count;
}

static uint32_t little(const uint8_t *bytes, int count)
{
	uint32_t value = 0;

	while (count--)
		value = value << 8 | bytes[count];
	return value;
}

/* Each of these steps over a part.  1; 0: the file ends in it; a negative errno. */

static int skip(struct walk *walk, uint64_t bytes)
{
	uint8_t last;
	int more = 1;

	walk->at += bytes;
	if (bytes) {
		walk->at--;
		more = read_bytes(walk, &last, 1);
		walk->at++;
	}
	return more;
}

static int skip_block(struct walk *walk, bool *is_last)
{
	uint8_t head[BLOCK_HEAD_BYTES];
	int more = read_bytes(walk, head, sizeof(head));
	unsigned type = head[0] >> 1 & 3;
	uint32_t value;

	if (more <= 0)
		return more;
	value = little(head, BLOCK_HEAD_BYTES);
	*is_last = value & 1;
	if (type == 3)
		return -EBADMSG;
	walk->at += BLOCK_HEAD_BYTES;
	more = skip(walk, type == 1 ? 1 : value >> 3); /* 1: a byte that is repeated */
	if (more > 0)
		walk->end = walk->at;
	return more;
}

static int skip_blocks(struct walk *walk, uint8_t flags)
{
	bool is_last = false,
	     is_plain = !(flags & HAS_CHECKSUM) && flags >> 6 == 0 && !(flags & IS_SINGLE_SEGMENT);
	int more = 1;

	walk->is_open = true;
	while (more > 0 && !is_last)
		more = skip_block(walk, &is_last);
	if (more > 0 && flags & HAS_CHECKSUM)
		more = skip(walk, CHECKSUM_BYTES);
	if (!more && !is_plain)
		return -EBADMSG;
	walk->is_open = more <= 0;
	if (more > 0)
		walk->end = walk->at;
	return more;
}

static int skip_frame(struct walk *walk)
{
	static const uint8_t id_bytes[] = { 0, 1, 2, 4 }, size_bytes[] = { 0, 2, 4, 8 };
	uint8_t head[8];
	uint32_t magic;
	int more = read_bytes(walk, head, 5);

	if (more <= 0)
		return more;
	magic = little(head, 4);
	if ((magic & ~15u) == MAGIC_SKIPPABLE) {
		more = read_bytes(walk, head, sizeof(head));
		if (more > 0)
			more = skip(walk, sizeof(head) + (uint64_t)little(head + 4, 4));
		walk->end = more > 0 ? walk->at : walk->end;
		return more;
	}
	if (magic != MAGIC || head[4] & 8) /* a reserved bit */
		return -EBADMSG;
	more = skip(walk, 5u + !(head[4] & IS_SINGLE_SEGMENT) + id_bytes[head[4] & 3] +
				  (head[4] >> 6			 ? size_bytes[head[4] >> 6]
				   : head[4] & IS_SINGLE_SEGMENT ? 1
								 : 0));
	if (more <= 0)
		return more;
	walk->end = walk->at;
	return skip_blocks(walk, head[4]);
}

int zstd_frames__find_end(int fd, uint64_t *end, bool *is_open)
{
	struct walk walk = { .fd = fd };
	int more;

	do {
		more = skip_frame(&walk);
	} while (more > 0);
	*end = walk.end;
	*is_open = walk.is_open;
	return more;
}

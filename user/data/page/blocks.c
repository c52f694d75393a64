// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* page/blocks.c: writes compressed blocks of bytes into a page. */
#include <errno.h>

#include "page/blocks.h"

#define WINDOW_BITS (-15) /* the largest window; negative: no header */
#define MEMORY	    9	  /* zlib's largest */
#define LEVEL	    4

int page_blocks__begin(struct page_blocks *blocks, int fd)
{
	*blocks = (struct page_blocks){ .fd = fd };
	if (deflateInit2(&blocks->stream, LEVEL, Z_DEFLATED, WINDOW_BITS, MEMORY,
			 Z_DEFAULT_STRATEGY) != Z_OK)
		return -ENOMEM;
	blocks->is_begun = true;
	return 0;
}

void page_blocks__end(struct page_blocks *blocks)
{
	if (blocks->is_begun)
		deflateEnd(&blocks->stream);
	strbuf__free(&blocks->packed);
	strbuf__free(&blocks->text);
	*blocks = (struct page_blocks){ .fd = -1 };
}

/* ---- base64 ---------------------------------------------------------------------------------- */

static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

static char *put_three(char *at, const uint8_t *bytes)
{
	*at++ = digits[bytes[0] >> 2];
	*at++ = digits[(bytes[0] & 3) << 4 | bytes[1] >> 4];
	*at++ = digits[(bytes[1] & 15) << 2 | bytes[2] >> 6];
	*at++ = digits[bytes[2] & 63];
	return at;
}

static char *put_rest(char *at, const uint8_t *bytes, size_t count)
{
	uint8_t rest[3] = { 0 };

	memcpy(rest, bytes, count);
	at = put_three(at, rest);
	for (; count < 3; count++)
		at[-(int)(3 - count)] = '=';
	return at;
}

void page_blocks__base64(struct strbuf *out, const void *bytes, size_t count)
{
	const uint8_t *from = bytes;
	char *at = strbuf__room(out, count / 3 * 4 + 4);

	if (!at)
		return;
	for (; count >= 3; from += 3, count -= 3)
		at = put_three(at, from);
	if (count)
		at = put_rest(at, from, count);
	out->count = (size_t)(at - out->bytes);
}

/* ---- blocks ---------------------------------------------------------------------------------- */

/* All at once, into blocks->packed. */
static int compress_bytes(struct page_blocks *blocks, const struct strbuf *bytes)
{
	z_stream *stream = &blocks->stream;
	uLong room = deflateBound(stream, bytes->count);
	char *to;

	if (bytes->failed || bytes->count > UINT32_MAX / 2)
		return -ENOMEM;
	strbuf__cut(&blocks->packed, 0);
	to = strbuf__room(&blocks->packed, room);
	if (!to || deflateReset(stream) != Z_OK)
		return -ENOMEM;
	stream->next_in = (z_const Bytef *)bytes->bytes;
	stream->avail_in = (uInt)bytes->count;
	stream->next_out = (Bytef *)to;
	stream->avail_out = (uInt)room;
	if (deflate(stream, Z_FINISH) != Z_STREAM_END)
		return -ENOMEM;
	blocks->packed.count = room - stream->avail_out;
	return 0;
}

static void put_attribute(struct strbuf *out, const char *name, uint64_t value)
{
	strbuf__text(out, name);
	strbuf__unsigned(out, value);
	strbuf__char(out, '"');
}

int page_blocks__write(struct page_blocks *blocks, const char *name, uint32_t type, uint32_t rows,
		       struct strbuf *bytes)
{
	struct strbuf *text = &blocks->text;
	int err = compress_bytes(blocks, bytes);

	if (err)
		return err;
	strbuf__cut(bytes, 0);
	strbuf__text(text, "<script type=\"text/plain\" data-block=\"");
	strbuf__text(text, name);
	put_attribute(text, "\" data-type=\"", type);
	put_attribute(text, " data-rows=\"", rows);
	strbuf__char(text, '>');
	page_blocks__base64(text, blocks->packed.bytes, blocks->packed.count);
	strbuf__text(text, "</script>\n");
	return strbuf__write(text, blocks->fd);
}

// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* stacks/gzip.c: writes a gzip file, piece by piece. */
#include <errno.h>
#include <limits.h>

#include "stacks/gzip.h"

#define OUT_BYTES   65536
#define WINDOW_BITS (15 + 16) /* the largest window; 16: the header of gzip, not of zlib */
#define MEMORY	    8	      /* zlib's default */

int gzip__begin(struct gzip *gzip, int fd)
{
	*gzip = (struct gzip){ .fd = fd };
	if (deflateInit2(&gzip->stream, Z_DEFAULT_COMPRESSION, Z_DEFLATED, WINDOW_BITS, MEMORY,
			 Z_DEFAULT_STRATEGY) != Z_OK)
		gzip->err = -ENOMEM;
	return gzip->err;
}

/* Compresses all input.  Z_FINISH: until the end of the file. */
static void deflate_all(struct gzip *gzip, int how)
{
	int result;

	do {
		char *room = strbuf__room(&gzip->out, OUT_BYTES);

		if (!room) {
			gzip->err = -ENOMEM;
			return;
		}
		gzip->stream.next_out = (Bytef *)room;
		gzip->stream.avail_out = OUT_BYTES;
		result = deflate(&gzip->stream, how);
		gzip->out.count += OUT_BYTES - gzip->stream.avail_out;
		if (gzip->out.count >= OUT_BYTES)
			gzip->err = strbuf__write(&gzip->out, gzip->fd);
	} while (!gzip->err &&
		 (how == Z_FINISH ? result != Z_STREAM_END : gzip->stream.avail_in != 0));
}

void gzip__add(struct gzip *gzip, const void *bytes, size_t count)
{
	const uint8_t *at = bytes;

	while (count && !gzip->err) {
		uInt part = count < INT_MAX ? (uInt)count : INT_MAX;

		gzip->stream.next_in = (z_const Bytef *)at;
		gzip->stream.avail_in = part;
		deflate_all(gzip, Z_NO_FLUSH);
		at += part;
		count -= part;
	}
}

int gzip__end(struct gzip *gzip)
{
	if (!gzip->err)
		deflate_all(gzip, Z_FINISH);
	if (!gzip->err)
		gzip->err = strbuf__write(&gzip->out, gzip->fd);
	deflateEnd(&gzip->stream); /* of a stream that was not begun: does nothing */
	strbuf__free(&gzip->out);
	return gzip->err;
}

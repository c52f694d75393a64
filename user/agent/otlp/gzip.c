// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* otlp/gzip.c: compresses the bodies of requests. */
#include <limits.h>

#include "base/errors.h"
#include "otlp/gzip.h"

#define GZIP_FORMAT  16 /* added to the bits of the window */
#define MEMORY_LEVEL 9

/* Level 1: level 6 takes four times as long, and makes log records a tenth smaller. */
static bool open_stream(struct otlp_gzip *gzip)
{
	if (gzip->is_open)
		return deflateReset(&gzip->stream) == Z_OK;
	gzip->stream = (z_stream){ 0 };
	gzip->is_open = deflateInit2(&gzip->stream, 1, Z_DEFLATED, MAX_WBITS + GZIP_FORMAT,
				     MEMORY_LEVEL, Z_DEFAULT_STRATEGY) == Z_OK;
	return gzip->is_open;
}

int otlp_gzip__append(struct otlp_gzip *gzip, struct strbuf *out, const struct strbuf *bytes)
{
	z_stream *stream = &gzip->stream;
	size_t room;
	char *at;

	if (bytes->count > UINT_MAX / 2 || !open_stream(gzip))
		return -ENOMEM;
	room = deflateBound(stream, bytes->count);
	at = strbuf__room(out, room);
	if (!at)
		return -ENOMEM;
	stream->next_in = (Bytef *)bytes->bytes;
	stream->avail_in = (uInt)bytes->count;
	stream->next_out = (Bytef *)at;
	stream->avail_out = (uInt)room;
	if (deflate(stream, Z_FINISH) != Z_STREAM_END)
		return -ENOMEM;
	out->count += room - stream->avail_out;
	return 0;
}

void otlp_gzip__free(struct otlp_gzip *gzip)
{
	if (gzip->is_open)
		deflateEnd(&gzip->stream);
	gzip->is_open = false;
	strbuf__free(&gzip->spare);
}

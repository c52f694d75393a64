/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * file/zstd_frames.h: frames of zstd that are flushed often, and files that end within one.
 *
 * A frame has neither a checksum nor a size of its content.  So it can be ended after any flush by
 * FRAME_END alone, without the state of the compression, also by a later process.
 */
#ifndef PEAT_FILE_ZSTD_FRAMES_H
#define PEAT_FILE_ZSTD_FRAMES_H

#include <stdbool.h>

#include "base/strbuf.h"

/* An empty block that is the last one of its frame. */
#define FRAME_END	"\1\0\0"
#define FRAME_END_BYTES 3

/* So many bytes that are added at once become one block. */
#define ZSTD_FRAMES_BLOCK (64u << 10)

struct zstd_frames;

/* NULL: no memory. */
struct zstd_frames *zstd_frames__new(int level);
void zstd_frames__free(struct zstd_frames *frames); /* takes NULL */

/* The bytes that follow begin a frame. */
void zstd_frames__begin(struct zstd_frames *frames);

/*
 * Appends the bytes, compressed and flushed: as soon as `out` is written, they can be read.  0;
 * -ENOMEM or -EIO: the frame can only be ended.
 */
int zstd_frames__add(struct zstd_frames *frames, const void *bytes, size_t count,
		     struct strbuf *out);

/*
 * Finds the end of the last whole block of a file; 0: there is none.  `is_open`: its frame lacks
 * FRAME_END.  0; -EBADMSG: after `end`, the file has no such frame; a negative errno of reading.
 */
int zstd_frames__find_end(int fd, uint64_t *end, bool *is_open);

#endif /* PEAT_FILE_ZSTD_FRAMES_H */

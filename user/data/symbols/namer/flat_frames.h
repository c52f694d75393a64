/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * symbols/namer/flat_frames.h: call frame information of a file as bytes, which a process without
 * rights makes and another one takes over.  Pure.
 *
 * A struct flat_frames, then the index and the bytes of .eh_frame, and those of .debug_frame.
 */
#ifndef PEAT_SYMBOLS_NAMER_FLAT_FRAMES_H
#define PEAT_SYMBOLS_NAMER_FLAT_FRAMES_H

#include "symbols/dwarf/call_frames.h"

/* The number of bytes; at most SIZE_MAX / 2. */
size_t flat_frames__bytes(const struct call_frames *frames);

/* Writes them to `to`, which has room for flat_frames__bytes(). */
void flat_frames__write(const struct call_frames *frames, void *to);

/*
 * Makes call frames of bytes, which may be anything but do not change.  The frames borrow them:
 * they are valid as long as the bytes.  0, -EBADMSG: they are invalid.
 */
int flat_frames__take_over(struct call_frames *frames, const void *from, size_t bytes);

#endif /* PEAT_SYMBOLS_NAMER_FLAT_FRAMES_H */

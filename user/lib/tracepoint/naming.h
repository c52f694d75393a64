/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* our_formats.h: what the tracepoints that recordings of ours have are called, and may lack. */
#ifndef OUR_FORMATS_H
#define OUR_FORMATS_H

#include "tracepoint/payload.h"

/* The system that they are of. */
#define OUR_FORMATS_SYSTEM "peat"

/* "peat:exec" of "exec": as in the format's text, of which perf takes letters, digits and _ alone.
 */
#define OUR_FORMATS_NAME_ROOM 256
void our_formats__name(const char *event, char name[OUR_FORMATS_NAME_ROOM]);

/* The log says what of the event's fields is not in its format, or too much for scripts. */
void our_formats__tell(const struct record_format *format, const char *event);

#endif /* OUR_FORMATS_H */

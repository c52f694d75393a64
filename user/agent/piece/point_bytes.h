/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* piece/point_bytes.h: a point as the bytes of a NOTE_POINT, and back.  Pure. */
#ifndef PEAT_PIECE_POINT_BYTES_H
#define PEAT_PIECE_POINT_BYTES_H

#include <peat/batch.h>

#include "base/strbuf.h"

void point_bytes__put(const struct peat_point *point, struct strbuf *out);

/*
 * Decodes bytes, which may be hostile, as a point, and adds it to the batch.
 *
 *	0
 *	-EBADMSG	they are of no point
 *	-EINVAL		the point is not valid: the log has the reason
 *	-ENOMEM
 */
int point_bytes__add(const void *bytes, size_t count, struct peat_batch *batch);

#endif /* PEAT_PIECE_POINT_BYTES_H */

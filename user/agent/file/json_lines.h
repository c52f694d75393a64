/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * file/json_lines.h: the events and points of a batch as lines of JSON.  Pure.
 *
 * Events are as of peat_sink__new_json().  A point is
 *
 *	{"type":"point","name":"peat.events.lost","kind":"counter","unit":"{event}",
 *	 "labels":{"source":"exec"},"time":"2026-11-29T16:15:00.000000000Z",
 *	 "start":"2026-11-29T16:00:00.000000000Z","value":17}
 *
 * without the unit and the start if they are unknown.  A histogram has "count", "sum" (null:
 * unknown) and "buckets":[{"upper":0.5,"count":3},{"upper":null,"count":0}] instead of "value".
 */
#ifndef PEAT_FILE_JSON_LINES_H
#define PEAT_FILE_JSON_LINES_H

#include <peat/batch.h>

#include "base/strbuf.h"
#include "file/zstd_frames.h"

/*
 * Appends the lines, compressed if there are `frames`; each piece that is flushed has whole lines.
 * Events for whose line there was no memory are counted in `refused`.  0; a negative errno: the
 * lines are not whole.
 */
int json_lines__add(const struct peat_batch *batch, struct zstd_frames *frames, struct strbuf *out,
		    uint64_t *refused);

/* Appends the lines of its points alone.  0 or -ENOMEM. */
int json_lines__add_points(const struct peat_batch *batch, struct strbuf *out);

#endif /* PEAT_FILE_JSON_LINES_H */

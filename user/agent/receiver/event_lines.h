/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * receiver/event_lines.h: events and measurements of hosts as lines of text or JSON: the host is
 * the first column, or the first member, "host".
 */
#ifndef PEAT_RECEIVER_EVENT_LINES_H
#define PEAT_RECEIVER_EVENT_LINES_H

#include <peat/batch.h>

#include "base/strbuf.h"
#include "piece/piece.h"
#include "receiver/batch_where.h"

struct event_lines {
	bool is_json;
	struct where_text where;
	size_t host_width; /* of the column */
	uint64_t events, filtered;
	struct strbuf out;
};

void event_lines__free(struct event_lines *lines); /* all zero: nothing */

/* The lines of one batch, as long as its events are printed. */
struct batch_lines;

/*
 * The host's name has to live as long.  NULL and errno: EINVAL: the expression, with the reason in
 * the log; ENOMEM.
 */
struct batch_lines *batch_lines__new(struct event_lines *lines, const struct piece_info *info);

/* Appends the lines of an event of the batch to lines->out, if it matches.  0 or -ENOMEM. */
int batch_lines__add(struct batch_lines *batch, const struct peat_event *event);

/* Appends the points of a batch, in JSON.  0 or -ENOMEM. */
int batch_lines__add_points(struct batch_lines *batch, const struct peat_batch *points);

/* Accepts NULL. */
void batch_lines__free(struct batch_lines *batch);

#endif /* PEAT_RECEIVER_EVENT_LINES_H */

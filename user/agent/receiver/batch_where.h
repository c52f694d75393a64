/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * receiver/batch_where.h: an expression for the events of many batches, each with types of its own.
 */
#ifndef PEAT_RECEIVER_BATCH_WHERE_H
#define PEAT_RECEIVER_BATCH_WHERE_H

#include <peat/reader.h>
#include <peat/where.h>

#include "base/strbuf.h"

/* The expression of all batches. */
struct where_text {
	const char *text;      /* NULL: all events match */
	struct strbuf misfits; /* names of types whose misfit was logged, each with its NUL */
};

/* Bytes of `misfits`: beyond, misfits are not logged. */
#define WHERE_TEXT_MISFITS_MAX 65536

/* The expression for one batch, as long as its types are there. */
struct batch_where {
	struct where_text *all;
	struct peat_where *where;
	const struct peat_schema *resolved; /* the last one */
};

/* 0; -EINVAL: not an expression, with the reason in the log; -ENOMEM. */
int batch_where__begin(struct batch_where *batch, struct where_text *all);

/* 1: the event matches; 0; -ENOMEM.  The misfit of a type is logged for the first batch alone. */
int batch_where__test(struct batch_where *batch, const struct peat_event *event);

void batch_where__end(struct batch_where *batch); /* all zero: nothing */

#endif /* PEAT_RECEIVER_BATCH_WHERE_H */

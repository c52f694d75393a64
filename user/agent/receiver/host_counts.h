/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * receiver/host_counts.h: a table of events by their host and by fields, over many batches with
 * types of their own.
 *
 * A table keeps its types: equal types of all batches are one.  Types of one name that differ are
 * several; if their fields do not fit into one column, the table refuses the later type.
 */
#ifndef PEAT_RECEIVER_HOST_COUNTS_H
#define PEAT_RECEIVER_HOST_COUNTS_H

#include <peat/reader.h>
#include <peat/table.h>

/*
 * Limits, since any host may send any event: keys, and bytes of keys, with a row of their own;
 * types, and bytes of types, that are counted.
 */
#define HOST_COUNTS_ROWS       100000
#define HOST_COUNTS_BYTES      ((size_t)32 << 20)
#define HOST_COUNTS_TYPES      4096
#define HOST_COUNTS_TYPE_BYTES ((size_t)4 << 20)

struct host_counts;

/*
 * `type`: a pattern of names of events, such as "exec".  `by`: "host,filename", as in
 * peat_table_opts, and host.  `sort`: a column; NULL: count.  NULL and errno: EINVAL, with the
 * reason in the log; ENOMEM.
 */
struct host_counts *host_counts__new(const char *type, const char *by, const char *sort);

/* The events from now on are of another batch: its types, and its host, live as long. */
void host_counts__begin_batch(struct host_counts *counts, const char *host);

/* Counts an event, if its type has such a name, and the fields.  0 or -ENOMEM. */
int host_counts__add(struct host_counts *counts, const struct peat_event *event);

/* Events that were not counted: their types contradict others, or are too many. */
uint64_t host_counts__left_out(const struct host_counts *counts);

/* The table, which stays the counts'. */
struct peat_table *host_counts__table(const struct host_counts *counts);

/* 0; -EINVAL: there were types with such a name, and none has all fields: the log has the reason.
 */
int host_counts__check(const struct host_counts *counts);

/* Accepts NULL. */
void host_counts__free(struct host_counts *counts);

#endif /* PEAT_RECEIVER_HOST_COUNTS_H */

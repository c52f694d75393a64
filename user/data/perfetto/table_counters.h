/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* perfetto/table_counters.h: rows of tables as counters: a track for each number of each key. */
#ifndef PEAT_PERFETTO_TABLE_COUNTERS_H
#define PEAT_PERFETTO_TABLE_COUNTERS_H

#include "perfetto/tracks.h"
#include "print/rows.h"

#define COUNTERS_MOST 65536

/* All zero: no counters. */
struct table_counters {
	struct hash by_name;
	uint64_t round;	   /* of the last rows */
	uint64_t end_ns;   /* of their interval */
	uint64_t left_out; /* numbers beyond COUNTERS_MOST */
	struct strbuf name;
};

/*
 * Appends the numbers of an interval, at its start.  A counter that has no row becomes 0.  0 or
 * -ENOMEM.
 */
int table_counters__append(struct table_counters *counters, struct tracks *tracks,
			   struct strbuf *out, const char *name, const struct peat_rows *rows,
			   uint64_t from_ns, uint64_t to_ns);

/* All counters become 0 where the last interval ends. */
void table_counters__end(struct table_counters *counters, struct strbuf *out);

void table_counters__free(struct table_counters *counters);

#endif /* PEAT_PERFETTO_TABLE_COUNTERS_H */

/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * parts_all.h: the parts of the library, each alone and in memory, beside what others have for the
 * same. They see its insides, as the unit tests do.
 */
#ifndef PARTS_ALL_H
#define PARTS_ALL_H

#include <stdint.h>

#include "bench_table.h"

/* Somebody who does it. */
struct part {
	const char *who;
	char what[48];
	const char *metric;
	const char *unit; /* "ns": for each; else "M/s": so many */
	void (*prepare)(
		void *of); /* before each run, and not measured; NULL: nothing is to be done */
	uint64_t (*run)(void *of); /* returns how many it did */
	void *of;
};

/* Rows of all of them, in turns; the first is what the others' ratios are to. */
void parts__measure(struct bench_table *table, const char *workload, const struct part *parts,
		    size_t count);

/* Ends the program. */
__attribute__((format(printf, 1, 2), noreturn)) void parts__give_up(const char *format, ...);

/* What there is; each prints nothing, and adds rows. */
void parts__reader(struct bench_table *table);
void parts__frame(struct bench_table *table);
void parts__json(struct bench_table *table);
void parts__replay(struct bench_table *table);

#endif /* PARTS_ALL_H */

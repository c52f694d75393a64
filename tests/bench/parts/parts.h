/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * parts.h: parts of the library, each measured alone and in memory, beside other implementations.
 * They include internal headers, as the unit tests do.
 */
#ifndef BENCH_PARTS_PARTS_H
#define BENCH_PARTS_PARTS_H

#include <stddef.h>
#include <stdint.h>

#include "bench/table.h"

/* An implementation that is measured. */
struct part {
	const char *name;
	char setting[48];
	const char *metric;
	const char *unit;		/* "ns": time per item; "M/s": million items per second */
	void (*prepare)(void *context); /* before each run, not measured; or NULL */
	uint64_t (*run)(void *context); /* returns the number of items */
	void *context;
};

/* The peat_field of a member; further arguments set more of it. */
#define PARTS_FIELD(type, member, of_kind, ...)                                                    \
	{                                                                                          \
		.name = #member, .kind = (of_kind), .span = 1, .offset = offsetof(type, member),   \
		.bytes = sizeof(((type *)0)->member), ##__VA_ARGS__                                \
	}

/* Measures all parts in turn and adds rows.  Ratios are relative to the first part. */
void parts__measure(struct bench_table *table, const char *workload, const struct part *parts,
		    size_t count);

/* Prints a message and exits with status 1. */
__attribute__((format(printf, 1, 2), noreturn)) void parts__fail(const char *format, ...);

/* Each adds rows to the table and prints nothing. */
void parts_reader__measure(struct bench_table *table);
void parts_frame__measure(struct bench_table *table);
void parts_identity__measure(struct bench_table *table);
void parts_json__measure(struct bench_table *table);
void parts_perfetto__measure(struct bench_table *table);
void parts_replay__measure(struct bench_table *table);
void parts_symbols__measure(struct bench_table *table);
void parts_growth__measure(struct bench_table *table);
void parts_self__measure(struct bench_table *table);
void parts_spool__measure(struct bench_table *table);
void parts_piece__measure(struct bench_table *table);

/* The load of `symbols`: --faults [SECONDS RATE].  Returns an exit status. */
int parts_symbols__load(int argc, char **argv);

#endif /* BENCH_PARTS_PARTS_H */

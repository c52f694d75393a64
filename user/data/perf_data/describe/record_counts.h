/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* perf_data/describe/record_counts.h: counts the records and samples of a recording.  Pure. */
#ifndef PEAT_PERF_DATA_DESCRIBE_RECORD_COUNTS_H
#define PEAT_PERF_DATA_DESCRIBE_RECORD_COUNTS_H

#include "base/emit.h"
#include "perf_data/attrs.h"
#include "perf_data/read/stream.h"

#define RECORD_COUNTS_TYPES   96 /* above the largest type */
#define RECORD_COUNTS_UNKNOWN 16 /* unknown types that are counted one by one */

struct record_counts {
	uint64_t of_types[RECORD_COUNTS_TYPES];
	struct unknown_type {
		uint32_t type;
		uint64_t records;
	} unknown_types[RECORD_COUNTS_UNKNOWN]; /* in the order of the recording */
	uint32_t unknown_count;
	uint64_t unknown;     /* records of all unknown types */
	uint64_t undecodable; /* of the kernel's records */
	uint64_t *of_events;  /* samples, by perf_attr.index */
	uint32_t events;      /* capacity of of_events */
	uint64_t of_no_event; /* samples of an unknown event */
	uint64_t lost, lost_samples;
	uint64_t filtered;	    /* samples that perf's BPF filter rejected */
	uint64_t first_ns, last_ns; /* of samples; first_ns > last_ns: no sample has a timestamp */
};

void record_counts__init(struct record_counts *counts);
void record_counts__free(struct record_counts *counts);

/* Counts a record: 0 or -ENOMEM. */
int record_counts__add(struct record_counts *counts, const struct perf_entry *entry);

/* Emits all counts, as members of an object that has begun.  0 or -ENOMEM. */
int record_counts__emit(const struct record_counts *counts, const struct perf_attrs *attrs,
			struct emit *emit);

/* A number and its name; in lines, a line. */
void record_counts__emit_count(struct emit *emit, const char *name, uint64_t count);

#endif /* PEAT_PERF_DATA_DESCRIBE_RECORD_COUNTS_H */

/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * perf_data/read/merge_files.h: the files of a directory (perf record --threads), merged by time.
 *
 * Each file has the records of one or more CPUs, as they were drained, and has no rounds: records
 * may be older than their predecessors.  A record without a timestamp stays after its predecessor.
 *
 *	err = merge_files__init(&merge, file);
 *	while ((ret = merge_files__next(&merge, &entry)) > 0)
 *		use(&entry, merge.time_ns);
 *	merge_files__free(&merge);
 */
#ifndef PEAT_PERF_DATA_READ_MERGE_FILES_H
#define PEAT_PERF_DATA_READ_MERGE_FILES_H

#include "base/time_heap.h"
#include "perf_data/read/file.h"

struct merge_input;

struct merge_files {
	uint64_t time_ns;    /* of the last record; 0: no timestamp */
	uint64_t reached_ns; /* later records are not older, if each file is sorted */

	/* Private. */
	struct perf_file *file;
	struct merge_input *inputs; /* by stream number */
	struct time_heap heap;	    /* the files that are not at their end */
	bool has_begun;
};

int merge_files__init(struct merge_files *merge, struct perf_file *file); /* 0 or -ENOMEM */
void merge_files__free(struct merge_files *merge);			  /* all zero: nothing */

/* Results of perf_file__next(). */
int merge_files__next(struct merge_files *merge, struct perf_entry *entry);

#endif /* PEAT_PERF_DATA_READ_MERGE_FILES_H */

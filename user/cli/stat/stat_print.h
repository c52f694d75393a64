/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
#ifndef CLI_STAT_PRINT_H
#define CLI_STAT_PRINT_H

#include <stdio.h>

#include "cli/stat/stat_rows.h"

/* stat_print.h: rows of peat stat as text, as fields with a separator, and as JSON. */

struct stat_print {
	FILE *out;
	const char *separator; /* -x; NULL: text or JSON */
	bool json, intervals;
	enum stat_by by;
	uint64_t wanted_runs; /* of -r; 0: rows are of one run */
	const char *title;    /* "'true'", "process 17" */
	bool has_heading;     /* the heading has been printed */
};

/* The times of an interval, or of the run. */
struct stat_times {
	uint64_t elapsed_ns;		       /* of these rows */
	uint64_t since_ns;		       /* from the start to the end of these rows */
	uint64_t now_ns;		       /* run__now_ns() */
	bool has_command;		       /* the next two are set */
	double user_s, sys_s;		       /* of COMMAND */
	uint64_t runs;			       /* whose means these are; 0: times of one run */
	double deviation_s, deviation_percent; /* of elapsed_ns */
};

/* Prints the rows of an interval, or of the run.  Errors of writing: ferror(out). */
void stat_print__rows(struct stat_print *print, const struct stat_rows *rows,
		      const struct stat_times *times);

#endif /* CLI_STAT_PRINT_H */

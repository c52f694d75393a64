/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* options_stat.h: peat stat. */
#ifndef CLI_OPTIONS_STAT_H
#define CLI_OPTIONS_STAT_H

#include "cli/options/option_row.h"

/* The rows of an event. */
enum stat_by { STAT_BY_EVENT, STAT_BY_CPU, STAT_BY_CORE, STAT_BY_SOCKET, STAT_BY_THREAD };

struct stat_options {
	enum stat_by by; /* STAT_BY_EVENT: one row */
	bool no_inherit;
	uint64_t runs;	       /* -r; 0: one run, without a deviation */
	int details;	       /* times that --detailed is given */
	const char *separator; /* of fields; NULL: text or JSON */
};

extern const struct option_row options_stat__rows[];

/* The option that selects these rows, as users write it. */
const char *options_stat__by_name(enum stat_by by);

#endif /* CLI_OPTIONS_STAT_H */

/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* options_filter.h: the events that are wanted. */
#ifndef CLI_OPTIONS_FILTER_H
#define CLI_OPTIONS_FILTER_H

#include "cli/options/option_row.h"

struct filter_options {
	uint32_t pid, tid, uid; /* if by_pid, by_tid, by_uid */
	bool by_pid, by_tid, by_uid, by_time;
	uint64_t from_ns, to_ns;	    /* if by_time */
	const char *comm, *cpus, *cgroup;   /* NULL: all */
	const char *container, *pod, *unit; /* of the task; NULL: all */
	const char *where;		    /* an expression; NULL: all */
	uint64_t max_rate;		    /* 0: unlimited */
};

extern const struct option_row options_filter__rows[];

#endif /* CLI_OPTIONS_FILTER_H */

/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
#ifndef RUN_H
#define RUN_H

#include <peat/peat.h>

#include "child.h"
#include "options.h"
#include "output.h"

struct run;

/* What becomes of events. */
struct run_ops {
	/* Opens output.sink, once the reader is there; `kinds` of records will come.  0 or -errno.
	 */
	int (*open_sink)(struct run *run, uint32_t kinds);
	/* All is written that there was: may it wait?  0 or -errno. */
	int (*pause)(struct run *run);
	/* No more events will come.  0 or -errno. */
	int (*finish)(struct run *run);
	uint32_t kinds; /* of records that are wanted whoever asks, of all tasks */
	bool ordered;	/* whoever asks */
};

/* Events of a session on their way to a sink. */
struct run {
	const struct run_ops *ops;

	const struct options *options;
	struct peat_session *session;
	struct peat_reader *reader;
	struct output output;
	struct child child; /* of the command, if there is one */
	uint64_t printed;   /* events */
	uint64_t *told;	    /* by CPU: losses that were told of */
	uint32_t cpus;
	int64_t started_ns;
	uint32_t kinds;	  /* of records that were asked for */
	bool is_full;	  /* no more are wanted */
	bool is_ending;	  /* what still comes is the rest */
	bool owns_stdout; /* nobody else is to write there, were it text or not */
};

/*
 * From the sources to the summary, while `command` runs, unless it is NULL: the exit status, which
 * is the command's if all else went well.
 */
int run__all(struct run *run, const struct options *options, char **command);

#endif /* RUN_H */

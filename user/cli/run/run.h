/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
#ifndef RUN_H
#define RUN_H

#include <peat/peat.h>

#include "cli/run/command.h"
#include "cli/options/options.h"
#include "cli/base/output.h"

struct run;

/* run.h: a session from start to end, for peat trace, record, count, hist and top. */

/* Operations of a verb.  Each returns 0 or -errno. */
struct run_ops {
	/* Whether the verb prints the names of addresses: run->symbols is set.  NULL: never. */
	bool (*has_names)(const struct options *options);
	/* Checks options that need the types of the events, before -o empties a file.  NULL: none.
	 */
	int (*check)(struct run *run, uint32_t kinds);
	/* Opens output.sink after the reader has been created, for these kinds of records. */
	int (*open_sink)(struct run *run, uint32_t kinds);
	/* Writes the event, and up to `most` in all: those that follow it and are like it.  Returns
	 * their number.  NULL: writes the event to output.sink. */
	uint64_t (*write)(struct run *run, const struct peat_event *event, uint64_t most);
	/* All available events have been written: flush now or later. */
	int (*pause)(struct run *run);
	/* The programs have been detached, and no remaining event was read yet.  NULL: nothing. */
	int (*detached)(struct run *run);
	/* No more events will arrive. */
	int (*finish)(struct run *run);
	/* Waits like peat_reader__wait(), which is called if this is NULL. */
	int (*wait)(struct run *run, int timeout_ms);
	/* Verb of the line with the time that -d leaves: "counting".  NULL: no such line. */
	const char *progress;
	bool waits_for_names; /* events may wait for the names of their frames */
	uint32_t side_band;   /* records that the verb needs, of all tasks */
	bool first_by_time;   /* --count: those are the first events by time; else any order will do
			       */
};

struct run {
	const struct run_ops *ops;

	const struct options *options;
	struct options chosen; /* a copy, with the filter that the sources need */
	struct peat_session *session;
	struct peat_reader *reader;
	struct output output;
	struct command command;	  /* after "--" */
	uint32_t ancestor;	  /* its process, if only it and its descendants are wanted; or 0 */
	struct peat_table *table; /* in which the library counts events; NULL: it returns them */
	struct peat_where *where; /* --where; NULL: all events */
	struct peat_runtime_names *names; /* of containers and pods; NULL: unknown */
	int64_t wake_ns;    /* ops->pause is called no later than this run__now_ns(); 0: any time */
	uint64_t printed;   /* events */
	uint64_t unprinted; /* events that were left when a signal or the output gave them up */
	bool has_losses;    /* in rings, in programs or in the output: for --fail-on-loss */
	int64_t started_ns;
	uint32_t side_band;	      /* of records that the user requested */
	struct peat_symbols *symbols; /* follows the records of the reader; NULL: no names */
	bool is_full;		      /* a limit of the output has been reached */
	bool is_ending;	   /* the programs are detached: only remaining events are read */
	bool is_screen;	   /* the terminal shows that peat runs */
	bool has_progress; /* a line on the terminal has the time that is left */
	bool owns_stdout;  /* the command must not print to stdout */
};

/* peat_clock__now_ns(). */
int64_t run__now_ns(void);

/*
 * Runs a session, and `command` unless it is NULL, and prints the summary.  Returns the exit
 * status: the command's, if everything else succeeded.
 */
int run__session(struct run *run, const struct options *options, char **command);

#endif /* RUN_H */

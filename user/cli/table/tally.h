/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
#ifndef CLI_TALLY_H
#define CLI_TALLY_H

#include "cli/table/kept_stacks.h"
#include "cli/recorded/recording_run.h"
#include "cli/run/run.h"

struct tally;

/*
 * tally.h: peat count, hist and top: a table of the events of live sources or of a recording, read
 * at each interval and at the end.
 */
struct tally_ops {
	const char *type; /* of the JSON */
	bool prints_bars; /* histograms, not lines */
	/*
	 * NULL: print tables.  Otherwise, to show them in another way: called when the reader is
	 * open; with the counts of each interval; to wait as peat_reader__wait(); and at the end.
	 */
	int (*open)(struct tally *tally);
	int (*show)(struct tally *tally);
	int (*wait)(struct tally *tally, int timeout_ms);
	void (*close)(struct tally *tally);
};

struct tally {
	struct run run; /* the first member */
	const struct tally_ops *ops;
	const struct options *options;
	void *screen;		    /* of ops->open */
	struct peat_sink *timeline; /* receives the tables: table_timeline.h; NULL: print them */

	struct peat_table *table; /* of events; of a map; or the present one of own tables */
	struct peat_rows *rows;	  /* of the last interval; NULL: not made yet */
	bool has_own;		  /* the sources keep tables, which are printed instead of events */
	const char *name, *doc;	  /* of the present own table; NULL: none */
	bool is_shown;		  /* ops->open has opened a screen: no tables are printed */
	bool warned;		  /* of the row "others" */
	bool is_checked;	  /* the types of a recording have been added */
	uint64_t interval_ms;
	uint64_t events;	 /* counted before the last interval */
	uint64_t tables;	 /* printed */
	uint64_t intervals;	 /* printed or shown: -n */
	int64_t wall_ns;	 /* time of day minus the clock of the events; 0: unknown */
	uint64_t from_ns, to_ns; /* the interval, by the clock of the events */
	uint64_t length_ns;	 /* of the last interval */
	char default_field[128]; /* of the histogram, unless the user gave one */
	struct peat_sink sink;	 /* receives the events of live sources */
	struct recording_run recorded;
	struct kept_stacks stacks;	   /* of the key "stack" */
	bool stacks_found, stacks_missing; /* an event had a stack; an event had none */
	int err;			   /* of counting */
};

/* Whether the intervals of -n are over. */
bool tally__is_full(const struct tally *tally);

/*
 * Reads the counts of the interval until to_ns, prints or shows them, and begins anew.  Does
 * nothing if tally__is_full().  0 or -errno.
 */
int tally__end_interval(struct tally *tally, struct output *output);

/* Counts the events of the sources, and runs `command` unless it is NULL.  The exit status. */
int tally__main(struct tally *tally, struct options *options, char **command);

/* Parses the arguments of one of the verbs.  Returns the command after "--"; NULL: none. */
char **tally__parse(struct options *options, enum verb_bit verb, const char *doc, int argc,
		    char **argv);

/* Makes tally->rows unless it was made; reads them from the table.  0 or -errno. */
int tally__make_rows(struct tally *tally);
int tally__read(struct tally *tally);

#endif /* CLI_TALLY_H */

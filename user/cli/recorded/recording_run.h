/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
#ifndef CLI_RECORDING_RUN_H
#define CLI_RECORDING_RUN_H

#include <peat/peat.h>

#include "cli/options/options.h"
#include "cli/base/output.h"

/*
 * recording_run.h: the events of a recording, names[0] of the options, that the options select:
 * EVENT and @KIND arguments, -p, -t, --comm, --time and --where.
 */
struct recording_run {
	const struct options *options;
	/* Uses a selected event.  0 or a negative errno. */
	int (*use)(struct recording_run *recorded, const struct peat_event *event);
	/* Called after the last event; NULL: nothing to do.  0 or a negative errno. */
	int (*finish)(struct recording_run *recorded);
	void *arg;	    /* of the verb */
	bool prints_rarely; /* a line of progress may share the terminal with the output */

	struct peat_reader *reader;
	struct peat_where *where;     /* NULL: all events */
	struct peat_symbols *symbols; /* follows the records of the recording; NULL: no names */
	struct output output;
	bool is_checked;		/* the names of --fields */
	bool is_open;			/* the output */
	bool has_losses;		/* for --fail-on-loss */
	uint64_t used;			/* events, without losses */
	uint64_t unused;		/* events that a signal or the output gave up */
	uint32_t side_band;		/* of records, by @KIND */
	bool samples;			/* all samples, also of events that are not named */
	bool matched[OPTIONS_NAMES];	/* by argument */
	const struct peat_schema *last; /* the event of the last sample, and whether it is wanted */
	bool last_is_wanted;
};

/*
 * Reads the recording to its end, or until -n or a signal.  The exit status; errors have been
 * printed.
 */
int recording_run__read(struct recording_run *recorded);

/*
 * Opens the output, unless it is open.  For `use`, once it has checked options against the types:
 * a run that fails before leaves the file as it was.  Without an event it is opened at the end.
 * 0 or a negative errno.
 */
int recording_run__open_output(struct recording_run *recorded);

/* Whether samples of this event are selected. */
bool recording_run__selects(const struct recording_run *recorded, const struct peat_schema *type);

/* Whether the name of a source is a recording: "-", a file of perf's, or no BPF object. */
bool recording_run__is_recording(const char *name);

#endif /* CLI_RECORDING_RUN_H */

/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* options_recordings.h: recordings: of replay, record, convert and report. */
#ifndef CLI_OPTIONS_RECORDINGS_H
#define CLI_OPTIONS_RECORDINGS_H

#include <peat/stacks.h>

#include "cli/options/option_row.h"

/* Formats that peat convert writes. */
enum format {
	FORMAT_PERF,
	FORMAT_JSON,
	FORMAT_PCAPNG,
	FORMAT_HTML,
	FORMAT_PERFETTO,
	FORMAT_STACKS,
};

struct recording_options {
	bool stats, header, unordered;
	int level;			  /* of compression; 0: none */
	uint64_t max_bytes;		  /* UINT64_MAX: unlimited */
	uint64_t switch_bytes, switch_ms; /* limits of one file; UINT64_MAX: unlimited */
	uint64_t switch_files;		  /* files that are kept; UINT64_MAX: all */
	enum format format;
	enum peat_stacks_format stacks; /* if FORMAT_STACKS */
	bool inverted, reversed;	/* flame graphs */
	const char *diff;		/* a recording to compare with; NULL: none */
	double min_percent;
	const char *title;  /* of a page or a flame graph; NULL: the name of the recording */
	const char *weight; /* field that stacks are counted by; NULL: their number */
};

extern const struct option_row options_recordings__rows[];

void options_recordings__check(struct options *options, struct argp_state *state);

#endif /* CLI_OPTIONS_RECORDINGS_H */

/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* options_output.h: the output: its file, its format, and messages. */
#ifndef CLI_OPTIONS_OUTPUT_H
#define CLI_OPTIONS_OUTPUT_H

#include "cli/options/option_row.h"

struct output_options {
	const char *path;   /* NULL: stdout */
	const char *to;	    /* the name of a format; NULL: none */
	const char *fields; /* to print, separated by commas; NULL: all */
	bool json, timestamps, quiet, ordered, fail_on_loss;
	bool wide;	      /* all columns and whole lines */
	bool identity;	      /* the container, pod and unit of tasks */
	bool pcapng;	      /* trace, replay: packets instead of text */
	bool perfetto;	      /* trace, record, replay: a timeline instead */
	uint64_t interval_ms; /* 0: no interval */
	int verbose;
};

extern const struct option_row options_output__rows[];

#endif /* CLI_OPTIONS_OUTPUT_H */

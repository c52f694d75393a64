/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * option_row.h: an option as a row: its help, the verbs that have it, and who takes its value.  The
 * file of a subject has the rows of its options, and its header the struct of their values.
 *
 * options_SUBJECT__check() is called once all options are known, for those that exclude or need
 * others.
 */
#ifndef CLI_OPTION_ROW_H
#define CLI_OPTION_ROW_H

#include <argp.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct options;

struct option_row {
	struct argp_option option; /* its key: its letter; 0: none */
	unsigned verbs;		   /* 0: after the last row */
	/* If the value is invalid, it prints an error and exits, by argp.  state->input: options */
	void (*take)(void *member, const char *arg, struct argp_state *state);
	size_t member; /* its offset in struct options */
};

#define OPTIONS_NAMES 64

/* The values of an option that may be repeated. */
struct option_words {
	const char *at[OPTIONS_NAMES + 1]; /* NULL after the last */
	size_t count;
};

#endif /* CLI_OPTION_ROW_H */

/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* option_take.h: for rows of options: functions that store a value, and sets of verbs. */
#ifndef CLI_OPTION_TAKE_H
#define CLI_OPTION_TAKE_H

#include "cli/options/options.h"

/* The end of a row: a function, and the member of the options in which it stores the value. */
#define BY(function, of) function, offsetof(struct options, of)

/* Likewise: sets a bool to true, stores a text, or appends a word to a list of words. */
#define INTO(of)                                                                                   \
	BY(_Generic(((struct options *)0)->of, bool                                                \
		    : option_take__flag, const char *                                              \
		    : option_take__text, struct option_words                                       \
		    : option_take__word),                                                          \
	   of)

#define LAST_ROW                                                                                   \
	{                                                                                          \
		.verbs = 0                                                                         \
	}

void option_take__flag(void *member, const char *arg, struct argp_state *state);
void option_take__text(void *member, const char *arg, struct argp_state *state);
void option_take__word(void *member, const char *arg, struct argp_state *state);

/* The member is a uint64_t: a number of events; bytes. */
void option_take__count(void *member, const char *arg, struct argp_state *state);
void option_take__memory(void *member, const char *arg, struct argp_state *state);

/* The verbs of a row. */
#define TRACE  VERB_TRACE
#define BUILD  VERB_BUILD
#define LIVE   (VERB_TRACE | VERB_RECORD)
#define COUNT  (VERB_COUNT | VERB_TOP)
#define TALLY  (VERB_COUNT | VERB_HIST | VERB_TOP)
#define RUN    (LIVE | TALLY)
#define REPLAY (VERB_REPLAY | VERB_REPORT)
#define ALL                                                                                        \
	(VERB_TRACE | VERB_LIST | VERB_BUILD | REPLAY | VERB_RECORD | VERB_CONVERT | VERB_BENCH |  \
	 VERB_STAT | VERB_PROFILE | VERB_DOCTOR | VERB_EXAMPLES | TALLY)

#endif /* CLI_OPTION_TAKE_H */

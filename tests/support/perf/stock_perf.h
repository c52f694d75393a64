/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* stock_perf.h: runs stock perf. */
#ifndef TESTS_SUPPORT_PERF_STOCK_PERF_H
#define TESTS_SUPPORT_PERF_STOCK_PERF_H

#include <stdbool.h>

/*
 * Most recordings are made with --no-bpf-event: otherwise perf reads the code and the types of all
 * BPF programs, which takes a second.
 */

/* Runs a line for sh, whose commands all have to succeed.  Returns its output; the caller frees it.
 */
char *stock_perf__shell(const char *line);
__attribute__((format(printf, 1, 2))) char *stock_perf__shellf(const char *format, ...);

bool stock_perf__is_there(void);

/* Skips the test if there is no perf, as in most virtual machines of tests/vm. */
#define need_perf()                                                                                \
	do {                                                                                       \
		if (!stock_perf__is_there())                                                       \
			skip("no perf on this machine");                                           \
	} while (0)

/* Each test runs in a temporary directory. */
void stock_perf__setup(void);
void stock_perf__teardown(void);

/*
 * Removes differences between versions of perf: 6.12 has wider columns than 6.1, appends the names
 * of types and configs ("type = 1 (software)"), and prints configs of 0.
 */
void stock_perf__unify(char *text);
/* Whether the text has the part, both unified. */
bool stock_perf__has(const char *text, const char *part);
void stock_perf__check_has(const char *text, const char *part);

/* Each line "  12 NAME" has to be a member of the object in the JSON document. */
void stock_perf__check_counts(const char *document, const char *object, char *lines);

#endif /* TESTS_SUPPORT_PERF_STOCK_PERF_H */

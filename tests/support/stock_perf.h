/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* stock_perf.h: perf itself, as far as a machine has it. */
#ifndef STOCK_PERF_H
#define STOCK_PERF_H

#include <stdbool.h>

/*
 * Recordings are mostly made with --no-bpf-event: perf asks for the code and the types of all BPF
 * programs there are otherwise, which takes it a second.
 */

/* What a line for sh prints; each command of it has to succeed.  The caller frees it. */
char *stock_perf__shell(const char *line);
__attribute__((format(printf, 1, 2))) char *stock_perf__shellf(const char *format, ...);

bool stock_perf__is_there(void);

/* Not on every machine that peat runs on: the tests' own, small ones have none. */
#define need_perf()                                                                                \
	do {                                                                                       \
		if (!stock_perf__is_there())                                                       \
			skip("no perf on this machine");                                           \
	} while (0)

/* A directory of its own for each test, which is where it works. */
void stock_perf__setup(void);
void stock_perf__teardown(void);

/* Lines of "  12 NAME", each of which has to be a member of the object in the document of JSON. */
void stock_perf__check_counts(const char *document, const char *object, char *lines);

#endif /* STOCK_PERF_H */

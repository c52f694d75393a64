/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
#ifndef OPTIONS_H
#define OPTIONS_H

#include <stdbool.h>
#include <stdint.h>

/* What the options of all verbs can say; each is declared once, in options.c. */
struct options {
	const char *name;   /* the one argument: a probe */
	uint32_t pid;	    /* 0: all */
	const char *comm;   /* NULL: all */
	const char *cpus;   /* NULL: all */
	uint64_t run_ms;    /* UINT64_MAX: until told to stop */
	uint64_t count;	    /* UINT64_MAX: any number */
	const char *output; /* NULL: stdout */
	uint32_t latency_ms;
	uint64_t memory_bytes;
	uint64_t max_rate; /* 0: any */
	bool timestamps, quiet;
	int verbose;
};

/*
 * Reads the options of `verb`; on bad ones and for -h and -V it prints and exits, as argp does.
 */
void options__parse(struct options *options, const char *verb, const char *doc, int argc,
		    char **argv);

#endif /* OPTIONS_H */

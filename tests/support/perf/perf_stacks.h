/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* perf_stacks.h: stacks as stock perf script prints them. */
#ifndef TESTS_SUPPORT_PERF_PERF_STACKS_H
#define TESTS_SUPPORT_PERF_PERF_STACKS_H

#include <stdbool.h>
#include <stdint.h>

/* The command line of perf script, without the recording. */
#define PERF_STACKS                                                                                \
	"perf script --ns --no-inline --max-stack 1000 -F "                                        \
	"comm,pid,tid,time,event,ip,sym,symoff,dso"

#define PERF_STACK_FRAMES 1024

struct perf_frame {
	uint64_t ip;	    /* of the kernel: the address; of files: the offset in the file */
	const char *symbol; /* NULL: [unknown] */
	uint64_t offset;
	const char *dso;
};

struct perf_stack {
	int pid, tid;
	uint64_t time_ns;
	const char *comm;
	unsigned count;
	struct perf_frame frames[PERF_STACK_FRAMES]; /* innermost first */
};

/* Removes the next stack from the rest of perf's output, in place.  False: the end. */
bool perf_stacks__next(char **rest, struct perf_stack *stack);

#endif /* TESTS_SUPPORT_PERF_PERF_STACKS_H */

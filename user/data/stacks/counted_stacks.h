/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * stacks/counted_stacks.h: the result of counting stacks, which the writers of all formats read.
 *
 *	events ──▶ stacks.c ──▶ counted_stacks ──▶ folded.c      lines
 *	                                      ├──▶ flamegraph.c  SVG
 *	                                      └──▶ pprof.c       profile.proto
 */
#ifndef PEAT_STACKS_COUNTED_STACKS_H
#define PEAT_STACKS_COUNTED_STACKS_H

#include <peat/schema.h>

#include "base/strbuf.h"
#include "stacks/counted_frames.h"
#include "stacks/stack_tree.h"

/*
 * The nodes below the root are tasks, the nodes below those are frames, from the outermost on: by
 * their numbers in `frames`.
 */
struct counted_stacks {
	struct stack_tree tree;
	struct counted_frames frames;
	const char *title;
	const char *event; /* name of the counted event, or of several; NULL: nothing was counted */
	bool is_weighted;
	struct peat_field unit; /* of the weight: its kind is DURATION, SIZE or UNSIGNED */
	const char *weight;	/* name of the weight in profiles: "cpu", "duration" */
	uint64_t period;	/* weight of an event, if they are sampled by it; 0: unknown */
	uint64_t first_ns, last_ns;
	int64_t wall_clock_ns; /* 0: unknown */
	/* Options of flame graphs, as in struct peat_stacks_opts. */
	bool inverted, reversed;
	double min_percent;
	const struct counted_stacks *before; /* of another recording; NULL: none */
};

/* Rows of stack_formats.c. */
int folded__write(const struct counted_stacks *stacks, int fd);
int flamegraph__write(const struct counted_stacks *stacks, int fd);
int pprof__write(const struct counted_stacks *stacks, int fd);

/* The capacity of a pipe. */
#define WRITE_BYTES 65536

/* Writes `out` if it is large.  0 or a negative errno. */
static inline int write_if_large(struct strbuf *out, int fd)
{
	return out->count >= WRITE_BYTES || out->failed ? strbuf__write(out, fd) : 0;
}

#endif /* PEAT_STACKS_COUNTED_STACKS_H */

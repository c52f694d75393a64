/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * stacks.h: counts the stacks of events, and writes them as text, as a flame graph or for pprof.
 * Link with libpeat-data (data.h).
 *
 *	struct peat_stacks_opts opts = { .sz = sizeof(opts), .symbols = symbols };
 *	struct peat_sink *sink = peat_sink__new_stacks(fd, PEAT_STACKS_FLAMEGRAPH, &opts);
 *
 *	while (peat_reader__next(reader, &event) > 0) {
 *		peat_symbols__follow(symbols, event);
 *		peat_sink__write(sink, event);
 *	}
 *	peat_sink__finish(sink);
 */
#ifndef PEAT_STACKS_H
#define PEAT_STACKS_H

#include <peat/common.h>
#include <peat/sink.h>
#include <peat/symbols.h>

PEAT_BEGIN_DECLS

enum peat_stacks_format {
	/*
	 * A sorted line per stack: the task's name, the functions from the outermost on, and the
	 * number of events, or the sum of opts.weight:
	 *
	 *	sh;_start;main;read;do_syscall_64;vfs_read 12
	 *
	 * A function without a name is its file and the offset in it, `[libc.so.6]+0x27249`, or an
	 * address.
	 */
	PEAT_STACKS_FOLDED,
	/*
	 * An SVG for browsers: a box per function, as wide as its share, above its caller.  It has
	 * a search, and zooms by a click.  It loads nothing else.
	 */
	PEAT_STACKS_FLAMEGRAPH,
	/*
	 * A profile for pprof, compressed by gzip, with addresses, lines, build-ids, and labels for
	 * the task: comm, pid, tid.  Its first mapping is the program with the most samples.
	 */
	PEAT_STACKS_PPROF
};

/* The name of a format, "folded", and the end of its files' names, ".folded"; NULL: no format. */
PEAT_API const char *peat_stacks__name(enum peat_stacks_format format);
PEAT_API const char *peat_stacks__suffix(enum peat_stacks_format format);

struct peat_stacks_opts {
	size_t sz; /* sizeof(struct peat_stacks_opts) */
	/*
	 * Names frames.  The caller lets it follow the events (peat_symbols__follow()); it has to
	 * outlive the sink.  NULL: stacks of addresses, with the kernel's frames of the BPF program
	 * that took them.
	 */
	struct peat_symbols *symbols;
	/*
	 * Names or patterns ("sched:*") of the events that are counted, ends with NULL.  NULL: the
	 * only event with stacks.
	 */
	const char *const *events;
	/*
	 * Add up this field of the events: a path such as "duration", or the "period" of samples.
	 * NULL: count events.  Negative values count as 0.  A field is a time in nanoseconds if its
	 * kind is PEAT_FIELD_DURATION, or, in recordings, its name is duration, delay or *_ns.
	 */
	const char *weight;
	const char *title;  /* heading of a flame graph; NULL: the event's name */
	uint64_t period_ns; /* time between two events, for pprof; 0: from samples of a clock */
	/* Time of day minus the clock of the events, in nanoseconds, for pprof; 0: unknown. */
	int64_t wall_clock_ns;
	bool no_symbols; /* write addresses, and files with offsets, without names */
	/* A flame graph has callers above; or has each function below its callers, merged. */
	bool inverted, reversed;
	uint8_t reserved[5]; /* 0 */
	/* Leave out boxes of a flame graph with a smaller part of all; 0: 0.1 of 1180 pixels. */
	double min_percent;
};

/*
 * Makes a sink that counts the events that have stacks, and writes the result to `fd`, which stays
 * the caller's, when it is finished.  A flush writes nothing.  Memory grows with the number of
 * different stacks.
 *
 * peat_sink__write() and peat_sink__finish() return a negative errno, with the reason in the log:
 *	-EINVAL	write: an event does not have opts.weight, or it is not a whole number;
 *		finish: several events have stacks, and none was chosen: their counts do not add up
 *		to anything
 *	-ENOMEM
 *	or the error of writing to `fd`
 * Without any stack, the output is empty in its format, and the log has a warning.
 *
 * NULL and errno on failure: EINVAL, ENOMEM.
 */
PEAT_API struct peat_sink *peat_sink__new_stacks(int fd, enum peat_stacks_format format,
						 const struct peat_stacks_opts *opts);

PEAT_END_DECLS

#endif /* PEAT_STACKS_H */

/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
#ifndef CLI_PROGRESS_TEXT_H
#define CLI_PROGRESS_TEXT_H

#include <stddef.h>
#include <stdint.h>

/* progress_text.h: the text of a line of progress.  Pure. */

enum progress_unit {
	PROGRESS_NONE, /* only the time that passed is known */
	PROGRESS_BYTES,
	PROGRESS_STEPS,
	PROGRESS_MS /* time */
};

struct progress {
	const char *verb;  /* "converting" */
	const char *name;  /* of the object, as the user gave it; NULL: none */
	const char *notes; /* "12 events, 0 lost"; NULL: none */
	enum progress_unit unit;
	uint64_t done, all; /* in units; all 0: unknown.  Of steps, `done` is those that ended. */
	uint64_t elapsed_ms;
};

/*
 * Writes the text to `text`, at most `columns` columns:
 *
 *	converting perf.data: 45% of 1.2 GiB, 12 s left
 *	reading -: 130.5 MiB in 4 s
 *	measuring latency: 3 of 9, 1 min 5 s left
 *	profiling: 7 s left, 1234 events, 0 lost
 *	loading x.bpf.o: 3 s
 *
 * The name cannot act on a terminal.  If `done` exceeds `all`, `all` is unknown.
 */
void progress_text__format(char *text, size_t room, uint32_t columns,
			   const struct progress *progress);

/* Ends the text after so many columns. */
void progress_text__cut(char *text, uint32_t columns);

#endif /* CLI_PROGRESS_TEXT_H */

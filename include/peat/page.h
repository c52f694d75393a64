/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * page.h: writes events as one HTML file for any browser.  Link with libpeat-data (data.h).
 *
 *	struct peat_page_opts opts = { .sz = sizeof(opts), .symbols = symbols, .title = "a run" };
 *	struct peat_sink *sink = peat_sink__new_page(fd, &opts);
 *
 *	while (peat_reader__next(reader, &event) > 0) {
 *		peat_symbols__follow(symbols, event);
 *		peat_sink__write(sink, event);
 *	}
 *	peat_sink__finish(sink);
 *
 * The page has a timeline of the events by process, thread, CPU or type; their fields; for a range
 * of time the flame graph of its stacks, histograms of durations, and counts by field; losses; the
 * ledger and the machine of a recording.  It loads nothing else.
 */
#ifndef PEAT_PAGE_H
#define PEAT_PAGE_H

#include <peat/common.h>
#include <peat/sink.h>
#include <peat/symbols.h>

PEAT_BEGIN_DECLS

struct peat_page_opts {
	size_t sz; /* sizeof(struct peat_page_opts) */
	/*
	 * Names the frames of stacks.  The caller lets it follow the events
	 * (peat_symbols__follow()); it has to outlive the sink.  NULL: stacks of addresses.
	 */
	struct peat_symbols *symbols;
	const char *title; /* heading of the page; NULL: "peat" */
	/*
	 * The recording that the events are read from.  The page gets its header and its counts
	 * (recording.h), which are read when the page is finished.  NULL: neither.
	 */
	const char *recording;
	/*
	 * As of peat_reader__wall_clock(), in nanoseconds, for live events; 0: the clock of the
	 * recording, or the time of day is unknown.
	 */
	int64_t wall_clock_ns;
	bool no_symbols;     /* write addresses, and files with offsets */
	uint8_t reserved[7]; /* 0 */
};

/*
 * Writes events of any kind to `fd`, which stays the caller's.  An event is an interval that ends
 * at its time if its type has a duration; otherwise it is an instant.
 *
 * Blocks of events are written as they fill up, the rest by peat_sink__finish(): without it the
 * page does not open.  Memory grows with the number of different tasks and stacks.  The schemas of
 * events have to live as long as the sink.
 *
 * NULL and errno on failure: EINVAL, with the reason in the log; ENOMEM.
 */
PEAT_API struct peat_sink *peat_sink__new_page(int fd, const struct peat_page_opts *opts);

PEAT_END_DECLS

#endif /* PEAT_PAGE_H */

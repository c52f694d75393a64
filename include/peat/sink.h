/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * sink.h: where events go: text for people, JSON lines for programs, or something of your own.
 *
 * A sink is three functions.  One of your own begins with a struct peat_sink:
 *
 *	struct counter { struct peat_sink sink; uint64_t events; };
 *
 *	static int count(struct peat_sink *sink, const struct peat_event *event)
 *	{
 *		((struct counter *)sink)->events += event->kind == PEAT_EVENT_DATA;
 *		return 0;
 *	}
 *
 *	struct counter counter = { .sink = { .write = count } };
 *
 *	peat_session__drain(session, &counter.sink);
 */
#ifndef PEAT_SINK_H
#define PEAT_SINK_H

#include <peat/common.h>
#include <peat/reader.h>

PEAT_BEGIN_DECLS

struct peat_sink {
	/* One event, of whatever kind; it is lent for the call.  0 or a negative errno. */
	int (*write)(struct peat_sink *sink, const struct peat_event *event);
	/* What was written may wait no longer.  0 or a negative errno; NULL: nothing ever waits. */
	int (*flush)(struct peat_sink *sink);
	/* NULL: there is nothing to free. */
	void (*free)(struct peat_sink *sink);
	/* All was written: completes it.  0 or a negative errno; NULL: flush does. */
	int (*finish)(struct peat_sink *sink);
};

struct peat_sink_opts {
	size_t sz; /* sizeof(struct peat_sink_opts) */
	/*
	 * What to add to CLOCK_MONOTONIC for the time of day, in nanoseconds; 0: do not show it.
	 */
	int64_t wall_clock_ns;
	/* Text: the one type of events there will be, in columns; NULL: several, a line each. */
	const struct peat_schema *columns;
	/* Text: cut lines to so many columns; 0: cut nothing. */
	uint32_t width;
	/* Text: no heading over columns. */
	bool no_heading;
	/*
	 * Text: show time_ns in seconds, as perf script does, for recordings whose clock's time of
	 * day is not known; of no effect with wall_clock_ns.
	 */
	bool seconds;
	uint8_t reserved[2];
};

/*
 * Text, written to `fd`, which stays the caller's.  With `columns` a table, whose columns get wider
 * as their content does; what was written before the first flush has a say in their width.  Else a
 * line an event: its type, process and name, then name=value.  A task that is not told is "-".  A
 * loss is a line that begins with #.
 * NULL and errno: EINVAL, ENOMEM.
 */
PEAT_API struct peat_sink *peat_sink__new_text(int fd, const struct peat_sink_opts *opts);

/*
 * JSON lines: an object a line, with "type", "time_ns", "cpu", "pid", "tid", "comm" and the fields,
 * those of a struct as an object of their own; with wall_clock_ns also "time", of UTC, and
 * "late":true for an event that came behind younger ones although they are ordered.  A field
 * that is called like one of these eight gets a _ at its end.  Integers are exact.  Names of enums,
 * flags, errnos and signals are strings, values without a name numbers.  Text that is not UTF-8 is
 * {"hex":"c328"}.  What a short event does not have is null, and so is an unknown "comm", and a
 * "cpu", "pid" or "tid" that a recording does not tell.  A loss has "type":"lost" and "events".
 *
 * Records of the kernel's have a "type" like "@fork", those of perf itself (PEAT_EVENT_TOOL) one
 * like "@id_index", then "time_ns" and "cpu", no task, and members of their own, arrays of objects
 * among them; "damaged" says why some are missing.  "@99" is a type that this version does not
 * know, and has its "bytes".
 *
 * The schemas of events have to live as long as the sink.  NULL
 * and errno likewise.
 */
PEAT_API struct peat_sink *peat_sink__new_json(int fd, const struct peat_sink_opts *opts);

struct peat_perf_opts {
	size_t sz; /* sizeof(struct peat_perf_opts) */
	/* Compress by zstd at this level, 1 to 22; 0: do not. */
	int32_t level;
	uint32_t reserved;
	/* What waits to be written takes at most so much, and one block of 256 KiB; 0: 16 MiB. */
	uint64_t queue_bytes;
	/* The command line that the recording is to name, up to NULL; NULL: none. */
	const char *const *args;
};

#define PEAT_PERF_OPTS_INIT                                                                        \
	{                                                                                          \
		sizeof(struct peat_perf_opts), 0, 0, 0, NULL                                       \
	}

/*
 * A recording, perf.data, of a reader's events: stock perf decodes them field by field, as those of
 * tracepoints called "peat:exec"; events whose type is not known are bpf-output, bytes.  Into a
 * regular file, which is a recording at every moment, or a pipe.  `fd` stays the caller's, but is
 * not to be written to; the reader has to outlive the sink.
 *
 * Events have to come by time: set peat_reader_opts.ordered.  With names, tasks have theirs.
 *
 * A thread of the sink's own compresses and writes, so that neither a disk nor a slow pipe holds up
 * the rings: events that find no room in its queue are lost, and counted (peat_perf__stats()).
 * When writing fails, write and flush tell so from the next time on, and the log says it once; what
 * was written stays readable.
 *
 * A thread's EXIT is written a while after it came, so that what follows has the thread's name in
 * newer perfs too: its sample_id has the time of that, its body that of the exit.
 *
 * peat_sink__flush() hands all to the thread, and lets readers of the recording sort what it has so
 * far: call it every second or so.  peat_sink__finish() writes the rest, the ledger, and completes
 * the file.  NULL and errno: EINVAL, ENOMEM, or what writing failed with; the log says which.
 */
PEAT_API struct peat_sink *peat_sink__new_perf(struct peat_reader *reader, int fd,
					       const struct peat_perf_opts *opts);

struct peat_perf_stats {
	size_t sz;	    /* sizeof(struct peat_perf_stats), set by the caller */
	uint64_t events;    /* that are, or will be, in the recording, unless writing fails */
	uint64_t records;   /* of the kernel's own, likewise; EXITs once they are written */
	uint64_t lost;	    /* events and records that the queue had no room for */
	uint64_t cut;	    /* events of which not all fields fitted into a record */
	uint64_t skipped;   /* events and records of types that are not written */
	uint64_t raw_bytes; /* before compression */
	uint64_t bytes;	    /* written so far */
};

/* Of a sink that peat_sink__new_perf() made.  0 or a negative errno. */
PEAT_API int peat_perf__stats(struct peat_sink *sink, struct peat_perf_stats *stats);

/* Calls the sink's own function, if it has one. */
PEAT_API int peat_sink__write(struct peat_sink *sink, const struct peat_event *event);
PEAT_API int peat_sink__flush(struct peat_sink *sink);
PEAT_API int peat_sink__finish(struct peat_sink *sink); /* without one of its own: flushes */
PEAT_API void peat_sink__free(struct peat_sink *sink);	/* takes NULL */

PEAT_END_DECLS

#endif /* PEAT_SINK_H */

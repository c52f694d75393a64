/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * perfetto.h: writes events as a timeline for Perfetto: ui.perfetto.dev, trace_processor.
 * Link with libpeat-data (data.h).
 *
 *	struct peat_sink *sink = peat_sink__new_perfetto(reader, fd, NULL);
 *
 *	while (peat_reader__next(reader, &event) > 0)
 *		peat_sink__write(sink, event);
 *	peat_sink__finish(sink);
 *	peat_sink__free(sink);
 */
#ifndef PEAT_PERFETTO_H
#define PEAT_PERFETTO_H

#include <peat/common.h>
#include <peat/reader.h>
#include <peat/rows.h>
#include <peat/sink.h>
#include <peat/symbols.h>

PEAT_BEGIN_DECLS

struct peat_perfetto_opts {
	size_t sz; /* sizeof(struct peat_perfetto_opts) */
	/*
	 * Names the frames of stacks.  The caller applies the records of the reader to it
	 * (peat_symbols__follow()).  NULL: frames are addresses.
	 */
	struct peat_symbols *symbols;
	/* Without a reader: as in struct peat_pcapng_opts. */
	int64_t wall_clock_ns;
	/* Receives the output instead of `fd`, as in struct peat_sink_opts. */
	int (*output)(void *arg, const char *bytes, size_t count);
	void *output_arg;
};

/*
 * Writes events to `fd`, which stays the caller's: a file or a pipe.
 *
 * - Each thread has a track, with the name of its task.  Processes have the name of their first
 *   thread, and of their container and pod if events have an identity.  The idle task and events
 *   without a task have a track for each CPU.
 * - An event with a duration that is not 0 is a slice on the track of its thread: it ends at the
 *   event's time.  Its first field in nanoseconds is its duration.  Slices that overlap without
 *   one being inside the other are on additional tracks below the thread's, at most 63; beyond,
 *   they are instants.  The sink remembers the last slices of a track, so that a few slices that
 *   nest may be on an additional track, too.
 * - Other events are instants on the track of their thread.
 * - The fields of an event are its arguments: numbers, names and text; members of a struct are a
 *   dictionary.
 * - Stacks are samples, with a profile for each event type.  Events without fields are samples
 *   alone, as `cycles` of perf record.
 * - Events of the tracepoints sched_switch and sched_waking, and records of
 *   PEAT_SIDE_BAND_SWITCH, fill the lanes of CPUs, and have no other place.  Records do not have
 *   the state of a task that sleeps: it is shown as interruptible.
 * - Other records of the kernel are instants.  Losses are instants on a track of their own.
 * - Events without a timestamp, and records of perf itself, are skipped and counted.
 * - Tables are counters: peat_perfetto__write_rows().
 * - Times are those of the events.  The trace has the time of day if the reader knows it.
 *
 * Threads beyond the 65,536 that had events last are forgotten: if one has an event later, it gets
 * a second track of the same name.
 *
 * Set peat_reader_opts.names and .ordered: slices that are written later than others with a later
 * end are on additional tracks.
 *
 * The sink writes in peat_sink__flush(), and after 64 KiB.  A file that ends after any of these can
 * be read.  After an error, all later calls return it.
 *
 * `reader` returns the events, and has to outlive the sink.  NULL: the events have another source.
 * The schemas of events have to live as long as the sink.
 *
 * NULL and errno on failure, with the reason in the log: EINVAL, ENOMEM; ECHILD: the reader
 * was made before fork().
 */
PEAT_API struct peat_sink *peat_sink__new_perfetto(struct peat_reader *reader, int fd,
						   const struct peat_perfetto_opts *opts);

struct peat_perfetto_stats {
	size_t sz;	   /* sizeof(struct peat_perfetto_stats), set by the caller */
	uint64_t events;   /* PEAT_EVENT_DATA written, or waiting to be */
	uint64_t slices;   /* events with a duration */
	uint64_t instants; /* events without one, records and losses */
	uint64_t switches; /* context switches and wakeups, of events and records */
	uint64_t samples;  /* stacks, also of slices and instants */
	/* Slices on additional tracks, and those among `instants` that found no track. */
	uint64_t overlapping;
	uint64_t skipped;  /* events without a timestamp, and records of perf */
	uint64_t lost;	   /* lost events */
	uint64_t bytes;	   /* size of the output */
	uint64_t counters; /* tracks of peat_perfetto__write_rows() */
	uint64_t left_out; /* its numbers beyond 65,536 counters */
};

/*
 * Writes the rows of a table as counters: the counts of the time from `from_ns` to `to_ns`, by the
 * clock of the events.  Each number beside the key has a track, "NAME KEY: count", and is drawn
 * over this time.  A counter without a row is 0 then; all are 0 after the last interval, which
 * peat_sink__finish() writes.  Histograms are left out.
 *
 * For a sink made by peat_sink__new_perfetto(); intervals in their order.  0 or a negative errno as
 * of peat_sink__write(); EINVAL: no interval.
 */
PEAT_API int peat_perfetto__write_rows(struct peat_sink *sink, const char *name,
				       const struct peat_rows *rows, uint64_t from_ns,
				       uint64_t to_ns);

/* For a sink made by peat_sink__new_perfetto().  Returns 0 or a negative errno. */
PEAT_API int peat_perfetto__stats(struct peat_sink *sink, struct peat_perfetto_stats *stats);

PEAT_END_DECLS

#endif /* PEAT_PERFETTO_H */

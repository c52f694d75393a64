/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * sink.h: sinks consume events: as text, as JSON lines, as a recording, or in your own way.
 *
 * A sink is a few functions, of which only `write` is required.  Your own sink begins with a struct
 * peat_sink:
 *
 *	struct counter { struct peat_sink sink; uint64_t events; };
 *
 *	static int count(struct peat_sink *sink, const struct peat_event *event)
 *	{
 *		((struct counter *)sink)->events += event->kind == PEAT_EVENT_DATA;
 *		return 0;
 *	}
 *
 *	struct counter counter = { .sink = { .sz = sizeof(struct peat_sink), .write = count } };
 *
 *	peat_session__drain(session, &counter.sink);
 */
#ifndef PEAT_SINK_H
#define PEAT_SINK_H

#include <peat/common.h>
#include <peat/reader.h>

PEAT_BEGIN_DECLS

struct peat_symbols;

struct peat_sink {
	size_t sz; /* sizeof(struct peat_sink), set by the author of the sink */
	/* Consumes an event of any kind, valid during the call.  Returns 0 or a negative errno. */
	int (*write)(struct peat_sink *sink, const struct peat_event *event);
	/* Writes out everything that is buffered.  0 or a negative errno; NULL: no buffer. */
	int (*flush)(struct peat_sink *sink);
	/* Frees the sink; NULL: nothing to free. */
	void (*free)(struct peat_sink *sink);
	/* Completes the output after the last event.  0 or a negative errno; NULL: use flush. */
	int (*finish)(struct peat_sink *sink);
};

struct peat_sink_opts {
	size_t sz; /* sizeof(struct peat_sink_opts) */
	/* As of peat_reader__wall_clock(), in nanoseconds; 0: do not print the time of day. */
	int64_t wall_clock_ns;
	/*
	 * The only event type, printed as text in columns; NULL: several types, a line per event.
	 */
	const struct peat_schema *columns;
	/*
	 * Text: maximum width of a line in characters; 0: do not cut lines.  Columns that do not
	 * fit are left out, PEAT_MINOR members first, and PEAT_RARE members while they are 0
	 * or empty; longer texts are cut, paths at their beginning.
	 */
	uint32_t width;
	/* Text: no heading above the columns or lines. */
	bool no_heading;
	/*
	 * Text: print time_ns in seconds, as perf script does, for recordings without a known time
	 * of day.  Ignored with wall_clock_ns.
	 */
	bool seconds;
	/* Print kernel addresses without their symbols: text as numbers, JSON without "symbol". */
	bool no_symbols;
	/* Text: print results that are errors, and losses, in red. */
	bool colour;
	/*
	 * Receives the output instead of `fd`, which has to be -1 then; NULL: write to `fd`.  It is
	 * called by flush and finish, and by write after 64 KiB, with whole lines: `count` bytes,
	 * without a NUL, valid during the call.  Returns 0, or a negative errno, which counts as a
	 * failure to write.
	 */
	int (*output)(void *arg, const char *bytes, size_t count);
	void *output_arg; /* passed to `output` */
	/*
	 * Names of the addresses in stacks, and of sampled addresses; NULL: only the kernel's are
	 * named.  It has to live as long as the sink, and the caller passes all events to
	 * peat_symbols__follow() before the sink gets them.
	 */
	struct peat_symbols *symbols;
	/*
	 * The fields to print, in this order: "pid,comm,to.port"; NULL: all.  Every event has time,
	 * type, pid, tid, comm and cpu.  Columns that are chosen are never left out.  Lines of
	 * several types have those fields that the type has, after the task and the CPU; also
	 * container, pod, unit, nspid and nstid (peat_event.identity).  JSON has
	 * "type" and these members: a field of a struct is "to.port".
	 */
	const char *fields;
	/*
	 * Text: `columns` have container, pod, unit and nspid of the task after the CPU, if the
	 * type has them (peat_schema__has_owner()).  They are the first to be left out.
	 */
	bool identity;
	uint8_t reserved[7]; /* 0 */
};

/*
 * Prints one event of any kind, as JSON or as text, like the sinks below do with default options.
 * Like snprintf(), writes at most `room` bytes including the NUL, and returns the length of the
 * whole text without the NUL; a negative errno: -ENOMEM.  There is no newline at the end.  Text has
 * a line per frame of a stack after the event's own line: `function+0x1f (libc.so.6)`.
 *
 * Each call prepares the event's type anew.  For thousands of events per second, make a sink with
 * peat_sink_opts.output instead.
 */
PEAT_API int peat_event__json(const struct peat_event *event, char *text, size_t room);
PEAT_API int peat_event__text(const struct peat_event *event, char *text, size_t room);

/*
 * Prints a field as a value of JSON, as in the member of such a line: `17`, `"SIGTERM"`, `null` if
 * the event ends before it.  `data` and `bytes` as for peat_field__text().  Returns the same.
 */
PEAT_API int peat_field__json(const struct peat_field *field, const void *data, uint32_t bytes,
			      char *text, size_t room);

/*
 * Prints events as text to `fd`, which stays the caller's.  If writing to it fails, all later calls
 * for the sink return the same error, since the output may end within a line.  peat_sink__finish()
 * returns 0 only if all events were written.
 *
 * With `columns`: a table.  Columns grow with their content; all events before the first flush
 * count for their first width.  Without: a line per event: type, process, name of the task, CPU,
 * then name=value.  An unknown task or CPU is printed as "-".  A loss is a line that begins with #.
 * Bytes after the type of an event, such as a packet, are at the end of its line, up to 64:
 * payload_bytes=1500 payload=4500....
 *
 * NULL and errno on failure: EINVAL, with the reason in the log: an option is invalid, or `columns`
 * has not all `fields`; ENOMEM.
 */
PEAT_API struct peat_sink *peat_sink__new_text(int fd, const struct peat_sink_opts *opts);

/*
 * Changes the `width` of a sink made by peat_sink__new_text(), such as after SIGWINCH.  Lines that
 * are buffered keep theirs.  A table chooses its columns anew, and repeats its heading if it has
 * printed rows.  0, or a negative errno: -EINVAL: another sink; -ENOMEM.
 */
PEAT_API int peat_sink__set_width(struct peat_sink *sink, uint32_t width);

/*
 * The headings of the columns that have no room in the lines of a sink made by
 * peat_sink__new_text(), such as "LIFE, RX, TX"; "" if there are none, or no line was printed.
 * Stores the text and returns its length, as snprintf() does; -EINVAL: another sink.
 */
PEAT_API int peat_sink__hidden_columns(struct peat_sink *sink, char *text, size_t room);

/*
 * Prints events as JSON to `fd`, an object per line.  Errors of writing are returned as by the sink
 * for text.
 * - The members are "type", "time_ns", "cpu", "pid", "tid", "comm", then the fields.  A struct is
 *   an object of its own.
 * - With wall_clock_ns there is "time", in UTC.
 * - After "comm" are "container", "pod" and "unit", "" if there is none, of events with `identity`;
 *   before these "nspid" if they have an owner.
 *   A field of such a name replaces the member.
 * - "late":true marks an event that arrived after newer ones although the reader orders events.
 * - A field with the name of one of these eight members gets a _ at its end.
 * - Integers are exact.  Enums, flags, errnos and signals are strings if the value has a name,
 *   otherwise numbers.  Text that is not valid UTF-8 is {"hex":"c328"}.
 * - Several strings in one array of characters are one string, with \u0000 between them.
 * - "payload" has the bytes after the type of an event, such as a packet, in hexadecimal.  It is
 *   missing if the event has none, unless the program is known to append them, or the type was
 *   given to a recorded event.
 * - An address, sampled or in a field of the kind KADDR, is an object, a stack an array of them,
 * the innermost frame first: {"symbol":"read","offset":16,"module":"/lib/libc.so.6",
 *   "build_id":"8ad4...","address":"0x7f33444f2ad7"}.  A demangled "symbol" has the name of the
 *   symbol table as "raw_symbol".  Frames have "file" and "line" if the symbols have lines, and
 *   "inlined":true if the function was inlined into the next frame.  Members that are unknown are
 *   missing; an address without a symbol has the "module_offset" in its file.
 * - The stack of an event is its last member, "stack".
 * - null stands for a field that a short event does not have, for an unknown "comm", and for a
 *   "cpu", "pid" or "tid" missing from a recording.
 * - A loss has "type":"lost" and "events"; if it is not recorded also "cause", such as "ring_full"
 * or "throttled".
 * - Kernel records have a "type" like "@fork".
 * - Records written by perf itself (PEAT_EVENT_TOOL) have a "type" like "@id_index", then "time_ns"
 *   and "cpu", no task, and their size, "bytes".  "@99" is a record type unknown to this version.
 *   "@note", written by peat, has "kind" and "text".
 *
 * The schemas of events have to live as long as the sink.  NULL and errno on failure: EINVAL,
 * ENOMEM.
 */
PEAT_API struct peat_sink *peat_sink__new_json(int fd, const struct peat_sink_opts *opts);

struct peat_perf_opts {
	size_t sz; /* sizeof(struct peat_perf_opts) */
	/* zstd level, 1 to 22; 0: do not compress. */
	int32_t level;
	uint32_t reserved; /* 0 */
	/* Memory for data waiting to be written, plus one block of 256 KiB; 0: 16 MiB. */
	uint64_t queue_bytes;
	/* Command line to store in the recording, ends with NULL; NULL: none. */
	const char *const *args;
};

#define PEAT_PERF_OPTS_INIT                                                                        \
	{                                                                                          \
		sizeof(struct peat_perf_opts), 0, 0, 0, NULL                                       \
	}

/*
 * Records a reader's events as a perf.data.  Stock perf decodes them field by field, as tracepoints
 * with names like "peat:exec".  Events of unknown type are recorded as bpf-output: bytes.  Bytes
 * after the type of an event are recorded if the session found a program that appends them;
 * otherwise the event counts as `cut`.  Link with libpeat-data (data.h).
 *
 * `fd` is a regular file or a pipe.  The file is a valid recording at every moment.  `fd` stays the
 * caller's, who must not write to it.  The reader has to outlive the sink.
 *
 * Set peat_reader_opts.names, for the names of tasks; with PEAT_SIDE_BAND_COMM and _TASK, also
 * names that last for less than the latency are exact.  Leave peat_reader_opts.ordered unset, which
 * costs less: the events of a live reader may be written in the order in which it returns them, or
 * a part of them.  Readers of the recording sort them by time, by its rounds.
 *
 * The sink has a thread that compresses and writes, so a slow disk or pipe does not delay reading
 * the rings.  Events that find no room in its queue are lost and counted (peat_sink__perf_stats()).
 * If writing fails, all later calls of write and flush fail too, and the log reports it once.  The
 * part written before stays readable.
 *
 * The EXIT of a thread is written with a delay, so that newer perfs have the thread's name for the
 * records before it.  Its sample_id has the delayed time, its body the time of the exit.
 *
 * peat_sink__flush() passes everything to the thread.  It also ends a round, if no event can follow
 * that is older than those before the previous round's end: readers of the recording can sort those
 * then.  Call it about ten times per second, after all events that the reader has returned were
 * written, on the reader's thread.  The last events can be sorted after two more flushes.  Events
 * that are not of `reader` have to be as new as the newest event before the last flush but one;
 * all events have to be in the order of time if the reader's are: it is `ordered`, or reads a
 * recording so.  peat_sink__finish() writes the rest and the
 * ledger, and completes the file.
 *
 * NULL and errno on failure, with the reason in the log: EINVAL, ENOMEM, or the error of writing;
 * ECHILD: the reader was made before fork().
 */
PEAT_API struct peat_sink *peat_sink__new_perf(struct peat_reader *reader, int fd,
					       const struct peat_perf_opts *opts);

struct peat_perf_stats {
	size_t sz;	    /* sizeof(struct peat_perf_stats), set by the caller */
	uint64_t events;    /* events recorded, or queued for it */
	uint64_t records;   /* kernel records likewise; an EXIT is counted when it is written */
	uint64_t lost;	    /* events without room in the queue */
	uint64_t cut;	    /* events of which some fields or bytes are missing: see above */
	uint64_t skipped;   /* events and records of types that are not recorded */
	uint64_t raw_bytes; /* size before compression */
	uint64_t bytes;	    /* bytes written so far */
	/*
	 * After peat_sink__finish() has failed: how many of `events` and `records` are not in the
	 * file.  The number of records may be too high by the records of one write.
	 */
	uint64_t unwritten, unwritten_records;
	uint64_t lost_records; /* kernel records without room in the queue */
};

/* For a sink made by peat_sink__new_perf().  Returns 0 or a negative errno. */
PEAT_API int peat_sink__perf_stats(struct peat_sink *sink, struct peat_perf_stats *stats);

/*
 * Writes an event like peat_sink__write(), and then, up to `most` in all, the events that follow it
 * in the reader, as long as they are alike: of programs, of one type, and written together.  The
 * reader does not return those any more.  This is a loop of peat_reader__next() and
 * peat_sink__write(), at a fraction of the cost:
 *
 *	while ((more = peat_reader__next(reader, &event)) > 0) {
 *		written = peat_sink__perf_write_row(sink, event, INT64_MAX);
 *		if (written < 0)
 *			return written;
 *		events += written;
 *	}
 *
 * For a sink made by peat_sink__new_perf(), and an event that its reader returned last.  Returns
 * the number of events, at least 1, also for one that is lost or skipped; or a negative errno as
 * peat_sink__write(), and -EINVAL if `most` is less than 1.
 */
PEAT_API int64_t peat_sink__perf_write_row(struct peat_sink *sink, const struct peat_event *event,
					   int64_t most);

/*
 * Each calls the sink's function, if it has one, and sets errno if that returns a negative errno.
 * They return -EINVAL if `sz` is not set, and peat_sink__write() also if the sink has no `write`.
 */
PEAT_API int peat_sink__write(struct peat_sink *sink, const struct peat_event *event);
PEAT_API int peat_sink__flush(struct peat_sink *sink);
PEAT_API int peat_sink__finish(struct peat_sink *sink); /* flushes if there is no `finish` */
PEAT_API void peat_sink__free(struct peat_sink *sink);	/* accepts NULL */

/* ---- files -----------------------------------------------------------------------------------
 */

/* Options of peat_file__create(). */
struct peat_file_opts {
	size_t sz; /* sizeof(struct peat_file_opts) */
	/*
	 * The recording that the file is made from; "-": standard input.  If the file exists, users
	 * who cannot read the recording lose the permission to read the file.  NULL: an existing
	 * file keeps its permissions.
	 */
	const char *made_from;
	/* A FIFO may take so many milliseconds to get a reader. */
	uint32_t fifo_ms;
	/* The path must not exist, not even as a symbolic link. */
	bool exclusive;
	/* An existing recording, a regular file that is not empty, is first renamed to PATH.old. */
	bool keep_old;
	uint8_t reserved[2]; /* 0 */
};

#define PEAT_FILE_OPTS_INIT                                                                        \
	{                                                                                          \
		sizeof(struct peat_file_opts), NULL, 0, false, false,                              \
		{                                                                                  \
			0                                                                          \
		}                                                                                  \
	}

/*
 * Opens a file that events are written to.  A new file can be read by its owner only, since events
 * have paths, arguments and data of programs.  An existing regular file is emptied.  Symbolic links
 * are followed.  But in a directory that users share (sticky, such as /tmp), existing files, FIFOs
 * and links of users other than the caller and the directory's owner are refused.  In any directory
 * where users other than the caller and root can write, a file with a second name is refused, and a
 * link of another user leads only to files and directories of that user.
 *
 * Returns a file descriptor, or a negative errno, whose reason is in the log, except for
 * -EEXIST:
 *
 *	-EEXIST		opts->exclusive, and the path exists
 *	-EACCES		no permission, or a file of another user, see above
 *	-ENXIO		a FIFO that no process reads
 *	-EINVAL		options
 */
PEAT_API int peat_file__create(const char *path, const struct peat_file_opts *opts);

PEAT_END_DECLS

#endif /* PEAT_SINK_H */

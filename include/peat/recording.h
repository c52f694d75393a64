/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * recording.h: describes a perf.data, and converts it.  Link with libpeat-data (data.h).
 *
 * Accepts the recordings of perf record and of other tools: files and pipes, compressed ones,
 * directories of perf record --threads, either byte order, 32-bit machines, files of a writer that
 * crashed.  Every size and offset in a file is checked.  Memory is bounded.
 *
 * `path` may be "-": standard input.  If a recording is cut or damaged, the functions process
 * everything up to there and return -EBADMSG; the log reports the byte and the damage.
 */
#ifndef PEAT_RECORDING_H
#define PEAT_RECORDING_H

#include <peat/common.h>
#include <peat/stacks.h>

PEAT_BEGIN_DECLS

struct peat_schema;
struct peat_where;

/*
 * Whether a type of a recording has this name, or a name that matches the pattern, as fnmatch(3)
 * does.  Events that peat recorded are named as live, "exec", and also as the recording and stock
 * perf name them, "peat:exec".
 */
PEAT_API bool peat_schema__is_called(const struct peat_schema *schema, const char *pattern);

/*
 * Writes statistics to `fd`, as text or as one JSON object: the number of records of each type, by
 * the names that follow PERF_RECORD_; the number of samples of each event; losses; the times of the
 * first and the last event.
 *
 * Compressed records are counted, and so are the records that they contain.  `lost` is the sum of
 * the records LOST, `lost_samples` the sum of LOST_SAMPLES: the two can overlap.
 *
 * The ledger of a recording made by peat is included as it was written.
 *
 * Returns 0 or a negative errno, with the reason in the log.
 */
PEAT_API int peat_recording__write_stats(const char *path, int fd, bool json);

/*
 * Writes the header's description of the machine, the command and the events: the lines that perf
 * report --header-only -I prints, or a JSON array of objects.  Topologies of CPUs and memory,
 * scheduler domains and BPF programs have their size only.  Returns as above.
 */
PEAT_API int peat_recording__write_header(const char *path, int fd, bool json);

/* ---- conversion -------------------------------------------------------------------------------
 */

/*
 * Receives the progress of a conversion after every 16,384 records: bytes read so far, and of all;
 * `all` is 0 if it is unknown, as in a pipe.  A recording that is read twice counts twice.
 */
typedef void (*peat_progress_fn)(void *arg, uint64_t done, uint64_t all);

struct peat_rewrite_opts {
	size_t sz; /* sizeof(struct peat_rewrite_opts) */
	int level; /* zstd level, 1 to 22; 0: not compressed */
	/*
	 * Types of events recorded as plain bytes, and the file that has the types: as in
	 * struct peat_replay_opts (reader.h), with the same errors.  In the result these
	 * events are tracepoints, "peat:EVENT", so stock perf decodes them field by field.  All
	 * other data of their samples is unchanged.  In a real pipe, events and types have to come
	 * before the records.
	 */
	const char *const *as;
	const char *btf;
	peat_progress_fn progress; /* NULL: none */
	void *progress_arg;
	/*
	 * Copy samples that match (where.h), and all other records; NULL: all samples.  The
	 * recording is read once more before, so it cannot be a pipe: -ESPIPE.  -EINVAL: no event
	 * has a field of the expression.
	 */
	struct peat_where *where;
	/* With `where`: the samples that were copied, and left out, are stored; NULL: not. */
	uint64_t *kept, *left_out;
};

/*
 * Writes a recording anew to the file `to` ("-": standard output), so that stock perf 6.1 and newer
 * read it.  The result is one file with sections, made from a file, a pipe, a directory, a
 * compressed or an unfinished file; its events are as perf 6.1 expects them.  It has every complete
 * record unchanged, in the order and byte order of the recording.  The records of a directory are
 * merged by time, in rounds.  If `to` is not a regular file, the result has the layout of a pipe of
 * perf's.
 *
 * The log names everything left out: features and records unknown to perf 6.1; fields of events
 * beyond an attr of 128 bytes; AUXTRACE payloads over 32 MiB; samples that would become too large
 * by their type.  Features and records about the old layout (EVENT_DESC, COMPRESSED, DIR_FORMAT,
 * the offsets of AUXTRACE) are made anew or dropped.
 *
 * A pipe stored in a file, and a directory, are read twice.  In a real pipe, tracepoints have to
 * come before the records, as perf writes it.
 *
 * `to` is opened, and emptied, after the recording was opened.
 *	0		done
 *	-EINVAL		`to` is the recording itself
 *	-EBADMSG	the recording is cut or damaged; everything up to there was written
 *	another negative errno
 * The log explains each failure.
 */
PEAT_API int peat_recording__rewrite(const char *path, const char *to,
				     const struct peat_rewrite_opts *opts);

struct peat_fold_opts {
	size_t sz; /* sizeof(struct peat_fold_opts) */
	/*
	 * Names or patterns ("sched:*") of the events whose samples are counted, ends with NULL.
	 * NULL: the only event with stacks.
	 */
	const char *const *events;
	/* Write addresses, and files with offsets, without names of functions. */
	bool no_symbols;
	bool no_demangle; /* see struct peat_symbols_opts (symbols.h) */
	bool lines;
	bool debuginfod;
	bool inverted, reversed; /* a flame graph: see struct peat_stacks_opts */
	uint8_t reserved[2];	 /* 0 */
	/* Count samples that match (where.h); NULL: all. */
	struct peat_where *where;
	/* Add up this field instead of counting samples; as in struct peat_stacks_opts. */
	const char *weight;
	const char *title; /* heading of a flame graph; NULL: the recorded command */
	enum peat_stacks_format format;
	const char *namer;     /* see struct peat_symbols_opts; NULL: this process reads files */
	uint64_t memory_bytes; /* see struct peat_symbols_opts */
	peat_progress_fn progress; /* NULL: none */
	void *progress_arg;
	double min_percent; /* see struct peat_stacks_opts */
	/*
	 * A recording to compare with: the boxes of a flame graph are those of `path`, coloured by
	 * the change of their part: red if it is larger than in `before`, blue if it is smaller.
	 * The same options choose its samples.  Its files without names are logged at INFO, since
	 * most are those of `path`.  NULL: none.
	 */
	const char *before;
};

/*
 * Writes the stacks of an event's samples to the file `to`, as above, in a format of stacks.h:
 * folded stacks, a flame graph, or a profile for pprof.
 *
 * Functions have the names that symbols.h finds, in files that are here with the recorded
 * build-id.  Kernel functions have names if the recording is of the running kernel, otherwise
 * addresses; so have BPF programs.
 *
 * Memory grows with the number of different stacks, and of mappings per process.  `opts` can be
 * NULL.  Returns 0 or a negative errno as above; -EINVAL also if several events have stacks and
 * none was chosen, since their counts do not add up to anything, the log names them; for an
 * expression whose fields no event has; and for a weight that an event does not have.  Without any
 * stack the output is empty in its format, and the log reports it.
 */
PEAT_API int peat_recording__fold(const char *path, const char *to,
				  const struct peat_fold_opts *opts);

PEAT_END_DECLS

#endif /* PEAT_RECORDING_H */

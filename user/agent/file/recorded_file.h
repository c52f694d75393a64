/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * file/recorded_file.h: a perf.data or a pcapng of one pipeline's events, rotated and limited as
 * files of JSON are.
 *
 * The sinks of these formats need the reader, so the thread of the pipeline writes the file, and
 * events do not pass a queue of batches: the sink of perf.data has its own.
 *
 *	written = recorded_file__write(file, event, INT64_MAX);
 *	...
 *	recorded_file__pause(file);	about ten times a second
 */
#ifndef PEAT_FILE_RECORDED_FILE_H
#define PEAT_FILE_RECORDED_FILE_H

#include <stdbool.h>

#include <peat/output.h>

struct recorded_file;

/* Whether the settings of an output ask for such files. */
bool recorded_file__is_wanted(const struct peat_output_opts *opts);

/*
 * Opens the file; "%s" in its path is the source.  `queue_bytes`: memory of data that wait to be
 * written; 0: 16 MiB.  An existing file is rotated first.  The reader has to outlive it.  NULL and
 * errno, with the reason in the log.
 */
struct recorded_file *recorded_file__open(const struct peat_output_opts *opts,
					  struct peat_reader *reader, const char *source,
					  uint64_t queue_bytes);

/*
 * Writes an event, and up to `most` in all of those that follow it, as peat_sink__perf_write_row().
 * Returns the number of events, at least 1.  If writing fails, the events until the next attempt, a
 * second later, are dropped.
 */
int64_t recorded_file__write(struct recorded_file *file, const struct peat_event *event,
			     int64_t most);

/* Writes out, and rotates the file if that is due.  0, or the negative errno of the last failure.
 */
int recorded_file__pause(struct recorded_file *file);

/*
 * Events and records so far: written, lost for any reason, or not decided yet.  They add up to
 * those that were passed to it.
 */
void recorded_file__counts(const struct recorded_file *file, uint64_t *recorded, uint64_t *dropped,
			   uint64_t *waiting);

/*
 * Completes the file.  The counts are final from then on.  0, or the negative errno of the last
 * failure.
 */
int recorded_file__finish(struct recorded_file *file);

void recorded_file__close(struct recorded_file *file); /* accepts NULL */

#endif /* PEAT_FILE_RECORDED_FILE_H */

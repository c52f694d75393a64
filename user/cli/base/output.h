/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
#ifndef OUTPUT_H
#define OUTPUT_H

#include <peat/peat.h>

#include "cli/options/options.h"

/* output.h: the file or pipe that events are printed to, and its sink. */
struct output {
	const char *path; /* opened by output__open(); NULL: none */
	const char *name; /* for messages; NULL: stdout */
	int fd;
	int err;	    /* first error of writing, a negative errno */
	bool is_file;	    /* nobody can close the other end */
	bool follows_width; /* of the terminal */
	bool tells_hidden;  /* which columns had no room */
	char *kept;	    /* output after a stop, until the run has ended; NULL: none */
	size_t kept_bytes;
	uint64_t unwritten; /* events since the last output */
	struct peat_sink *sink;
};

/* NULL, "-": stdout.  0 or EXIT_FAILED; the error has been printed. */
int output__open(struct output *output, const char *path);

/*
 * The same for output made from a recording.  Refuses to overwrite the recording.  Call it after
 * the recording has been opened, so that a failure to open it overwrites nothing.
 */
int output__open_beside(struct output *output, const char *path, const char *recording);

/*
 * Makes the sink: JSON, or text as wide as the terminal, and in colours if it has some.  Sets the
 * members of `opts` for that.  0 or -errno.
 */
int output__open_sink(struct output *output, const struct options *options,
		      struct peat_sink_opts *opts);

void output__write(struct output *output, const struct peat_event *event);
void output__flush(struct output *output);

/* Finishes the sink: nothing more will be written. */
void output__finish(struct output *output);

/* Detects that the reader has closed the pipe, without waiting for the next write to fail. */
void output__check_closed_pipe(struct output *output);

/* Returns the exit status.  A closed pipe is no failure; other errors are printed. */
int output__close(struct output *output);

#endif /* OUTPUT_H */

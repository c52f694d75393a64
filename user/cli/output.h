/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
#ifndef OUTPUT_H
#define OUTPUT_H

#include <peat/peat.h>

/* Where events are printed: a file or stdout. */
struct output {
	const char *path; /* that was opened here; NULL: none */
	const char *name; /* what it is called; NULL: stdout */
	int fd;
	int err; /* a negative errno, once writing failed */
	struct peat_sink *sink;
};

/* 0, or EXIT_FAILED, which was complained about. */
int output__open(struct output *output, const char *path);

/*
 * Likewise, for what is made of a recording that is open: one that could not be opened overwrites
 * nothing, and never is the recording itself what is written to.
 */
int output__open_beside(struct output *output, const char *path, const char *recording);

/* The sink: JSON, or text as wide as the terminal.  `opts` but for the width.  0 or -errno. */
int output__begin(struct output *output, bool json, struct peat_sink_opts *opts);

void output__write(struct output *output, const struct peat_event *event);
void output__flush(struct output *output);

/* Nothing more will be written. */
void output__finish(struct output *output);

/* A pipe whose other end was closed says so at the next write, which may be long in coming. */
void output__look_for_closed_pipe(struct output *output);

/*
 * The exit status: a reader that went away is no failure; what could not be written is, and was
 * complained about.
 */
int output__close(struct output *output);

#endif /* OUTPUT_H */

/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* peer_output.h: what another program writes to a file, seen from outside. */
#ifndef PEER_OUTPUT_H
#define PEER_OUTPUT_H

#include <stdint.h>
#include <sys/types.h>

#include "peer_process.h"

/* Bytes; 0 if there is no such file. */
off_t peer_output__size(const char *path);

/* Lines behind that place that have the text in them. */
uint64_t peer_output__count(const char *path, off_t from, const char *text);

/*
 * Until the text is there, or the program has ended, or it took too long: -ESRCH, -ETIMEDOUT.  In
 * the meantime calls prod(), unless that is NULL.
 */
int peer_output__await(const char *path, const char *text, struct peer_process *process,
		       void (*prod)(void));

/*
 * Until the file hardly grows any more; since when (CLOCK_MONOTONIC).  A hundredth does not count:
 * the last few events may come later, by a latency that has nothing to do with the speed, and some
 * tools write of the whole machine.
 */
uint64_t peer_output__await_quiet(const char *path);

#endif /* PEER_OUTPUT_H */

/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* output.h: watches a file that another program writes. */
#ifndef BENCH_PEERS_OUTPUT_H
#define BENCH_PEERS_OUTPUT_H

#include <stdint.h>
#include <sys/types.h>

#include "process.h"

/* Size in bytes; 0 if the file does not exist. */
off_t peer_output__size(const char *path);

/* Number of lines after offset `from` that contain the text. */
uint64_t peer_output__count(const char *path, off_t from, const char *text);

/*
 * Waits until the file contains the text.  Calls prod(), if it is not NULL, until then.
 * 0; -ESRCH: the program has ended; -ETIMEDOUT.
 */
int peer_output__await(const char *path, const char *text, struct peer_process *process,
		       void (*prod)(void));

/*
 * Waits until the file has stopped growing.  Returns since when, by CLOCK_MONOTONIC.  Growth by
 * less than 1 % is ignored: the last events may be late by the latency, and some tools print events
 * of the whole machine.
 */
uint64_t peer_output__await_quiet(const char *path);

#endif /* BENCH_PEERS_OUTPUT_H */

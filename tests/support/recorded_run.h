/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * recorded_run.h: peat record, run in a directory of its own, and what is in its files.
 *
 *	recorded_run__start(&peat, RECORD("exec", "-o", "file"));
 *	...
 *	recorded_run__stop(&peat, 0);
 *	recorded_run__read("file", &recorded);
 *
 * Whatever fails here fails the running test.
 */
#ifndef RECORDED_RUN_H
#define RECORDED_RUN_H

#include <stdint.h>

#include "command.h"
#include "object.h"
#include "process.h"

/* For a fixture: as stock_perf__setup(), and peat is found from there. */
void recorded_run__setup(void);
const char *recorded_run__peat(void);

#define RECORD(...) ARGV(recorded_run__peat(), "record", "-v", __VA_ARGS__)
#define REPLAY(...) ARGV(recorded_run__peat(), "replay", __VA_ARGS__)

/* Returns when everything is attached: argv has to have -v. */
void recorded_run__start(struct command *peat, const char *const *argv);

/* Ends it as Ctrl-C does, or waits until it has ended; its status has to be this one. */
void recorded_run__stop(struct command *peat, int status);
void recorded_run__finish(struct command *peat, int status);

/* peat replay -j of a file, in which nothing is wrong.  The caller frees it. */
char *recorded_run__replay(const char *path);

/* How often `part` is in `text`. */
unsigned recorded_run__count(const char *text, const char *part);
void recorded_run__check_has(const char *text, const char *part);

/* Writes an object to NAME.bpf.o. */
void recorded_run__put(const struct object_file *object);

/* ---- a file ---------------------------------------------------------------------------------- */

struct recorded_run {
	uint64_t samples, records, lost; /* the kernel's; what LOST_SAMPLES add up to */
	uint64_t first_ns, last_ns;	 /* of the samples */
	bool has_ledger, is_whole;
	uint64_t emitted, delivered, recorded, lost_in_queue; /* as the ledger says */
	uint64_t ledger_lost;
};

void recorded_run__read(const char *path, struct recorded_run *run);

#endif /* RECORDED_RUN_H */

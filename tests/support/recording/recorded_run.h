/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * recorded_run.h: runs peat record in a temporary directory, and reads its files.
 *
 *	recorded_run__start(&peat, RECORD("exec", "-o", "file"));
 *	...
 *	recorded_run__stop(&peat, 0);
 *	recorded_run__read("file", &recorded);
 *
 * Any error fails the running test.
 */
#ifndef TESTS_SUPPORT_RECORDING_RECORDED_RUN_H
#define TESTS_SUPPORT_RECORDING_RECORDED_RUN_H

#include <stdint.h>

#include "support/machine/command.h"
#include "support/machine/object.h"
#include "support/machine/process.h"

/* Fixture: like stock_perf__setup(), and makes the path of peat absolute. */
void recorded_run__setup(void);
const char *recorded_run__peat(void);

#define RECORD(...) ARGV(recorded_run__peat(), "record", "-v", __VA_ARGS__)
#define REPLAY(...) ARGV(recorded_run__peat(), "replay", __VA_ARGS__)

/* Returns after all programs are attached.  argv needs -v. */
void recorded_run__start(struct command *peat, const char *const *argv);

/* Interrupts it like Ctrl-C, or waits for its end.  Its exit status has to be this one. */
void recorded_run__stop(struct command *peat, int status);
void recorded_run__finish(struct command *peat, int status);

/* The output of peat replay -j, which has to succeed.  The caller frees it. */
char *recorded_run__replay(const char *path);

/* Number of occurrences of `part` in `text`. */
unsigned recorded_run__count(const char *text, const char *part);
void recorded_run__check_has(const char *text, const char *part);

/* Writes an object to NAME.bpf.o. */
void recorded_run__put(const struct object_file *object);

/* ---- a file ---------------------------------------------------------------------------------- */

struct recorded_run {
	uint64_t samples, records, lost; /* of the kernel; lost: sum of LOST_SAMPLES */
	uint64_t first_ns, last_ns;	 /* of the samples */
	bool has_ledger, is_whole;
	uint64_t emitted, delivered, recorded, lost_in_queue; /* from the ledger */
	uint64_t ledger_lost;
};

void recorded_run__read(const char *path, struct recorded_run *run);

#endif /* TESTS_SUPPORT_RECORDING_RECORDED_RUN_H */

/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* symbols/namer/namer_worker.h: a namer, and the file that it reads in a limited time. */
#ifndef PEAT_SYMBOLS_NAMER_NAMER_WORKER_H
#define PEAT_SYMBOLS_NAMER_NAMER_WORKER_H

#include "symbols/namer/namer.h"
#include "symbols/namer/namer_end.h"
#include "symbols/namer/namer_process.h"

struct namer_key {
	dev_t device;
	ino_t inode;
	enum namer_part part;
};

struct namer_worker {
	struct namer_process process;
	bool is_for_lines;
	bool is_busy;
	struct namer_key key;		   /* of the file in hand */
	uint32_t rounds;		   /* of debug files */
	uint64_t seconds;		   /* of CPU time that it may take */
	uint64_t begin_ns, end_ns;	   /* of CLOCK_MONOTONIC */
	uint64_t asked_ns;		   /* when a caller last waited for it */
	uint64_t cpu_begin_ns, cpu_end_ns; /* of the child's clock */
	uint64_t used_ns; /* by the last file: time on a CPU; all time, if it failed */
};

/* Whether it reads that part of that file now. */
bool namer_worker__reads(const struct namer_worker *worker, const struct namer_request *request);

/* Starts the child, if none runs: it becomes ready meanwhile.  Failures are those of later calls.
 */
void namer_worker__start(struct namer_worker *worker, const char *program);

/* Gives it a file; it reads no other one.  0 or an error of namer_process__start(). */
int namer_worker__begin(struct namer_worker *worker, const char *program,
			const struct namer_request *request);

/*
 * Waits for the file in hand, until a time of CLOCK_MONOTONIC; 0: not at all, UINT64_MAX: as long
 * as its limits allow; or until `end`.  -EAGAIN: it is not read yet.  Else as namer__read(); the
 * child is gone after a fatal error.
 */
int namer_worker__await(struct namer_worker *worker, const struct namer_request *request,
			uint64_t until_ns, struct namer_end *end, struct namer_result *result);

/* Whether the child failed, and not the file. */
bool namer_worker__is_fatal(int err);

void namer_worker__end(struct namer_worker *worker);

#endif /* PEAT_SYMBOLS_NAMER_NAMER_WORKER_H */

/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* symbols/namer/namer_process.h: starts and ends a namer, the child that reads files without
 * rights. */
#ifndef PEAT_SYMBOLS_NAMER_NAMER_PROCESS_H
#define PEAT_SYMBOLS_NAMER_NAMER_PROCESS_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

struct namer_process {
	pid_t pid; /* 0: none runs */
	int pidfd, socket;
	pid_t parent; /* the process that started it: after fork() it is not ours */
	bool is_ready;
	uint32_t serial;
};

/*
 * Starts `program`, whose main() calls peat_namer__main().  Does not wait for it.  0 or a negative
 * errno.
 */
int namer_process__start(struct namer_process *process, const char *program, bool is_for_lines);

/*
 * Waits until it has no rights any more: before that it gets no file.  0, -EPROTO: it is another
 * program, or of another version, or a negative errno.
 */
int namer_process__await_ready(struct namer_process *process);

/*
 * Waits until it has no rights any more: before that it gets no file.  0, -EPROTO: it is another
 * program, or of another version, or a negative errno.
 */
int namer_process__await_ready(struct namer_process *process);

/* Kills it, if it runs, and does not wait until it has ended: namer_process__end() does. */
void namer_process__kill(const struct namer_process *process);

/* Kills it, if it runs, and waits for its end.  errno stays. */
void namer_process__end(struct namer_process *process);

/* The time that it has spent on a CPU. */
uint64_t namer_process__cpu_ns(const struct namer_process *process);

#endif /* PEAT_SYMBOLS_NAMER_NAMER_PROCESS_H */

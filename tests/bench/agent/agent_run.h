/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * agent_run.h: runs of an agent in a directory, which gets its configuration "agent.yaml", its
 * socket "socket" and its messages "errors".
 */
#ifndef BENCH_AGENT_AGENT_RUN_H
#define BENCH_AGENT_AGENT_RUN_H

#include <limits.h>
#include <stdint.h>
#include <stdio.h>

#include "bench/peers/process.h"

char *agent_run__path(const char *directory, const char *name, char path[PATH_MAX]);

/* Removes these files, and the directory if it is empty then. */
void agent_run__remove(const char *directory);

/*
 * Adds a pipeline to a configuration, from events that this process emits to the output "o": each
 * getpgid(2) emits per_call events of bpf/flood.bpf.c with so many bytes.  `setting`: a further
 * line of the pipeline; NULL: none.
 */
void agent_run__add_pipeline(FILE *config, const char *build, unsigned per_call, unsigned bytes,
			     const char *setting);

/*
 * Starts the agent and waits until it is ready.  `output`: a file for its standard output; `cpu`:
 * a CPU or PEER_ANY_CPU.  0; or -1 with `failed`, what could not be done.
 */
int agent_run__start(const char *directory, const char *agent, const char *output, uint32_t cpu,
		     struct peer_process *process, const char **failed);

/* The number after a word of the ledger that the agent prints at its end. */
double agent_run__counted(const char *directory, const char *word);

/* Copies a file of the directory to stderr. */
void agent_run__print(const char *directory, const char *name);

/* The monotonic clock in seconds. */
double agent_run__now_s(void);

#endif /* BENCH_AGENT_AGENT_RUN_H */

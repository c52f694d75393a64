/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* process.h: another program on a CPU of its own. */
#ifndef BENCH_PEERS_PROCESS_H
#define BENCH_PEERS_PROCESS_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>
#include <time.h>

struct peer_process {
	pid_t pid;	 /* 0: not running */
	clockid_t clock; /* its CPU time */
	int in, out;	 /* pipes to its standard input and output; -1: none, or a file */
};

#define PEER_NOT_STARTED                                                                           \
	{                                                                                          \
		.in = -1, .out = -1                                                                \
	}

struct peer_start {
	const char *const *argv;
	const char *output; /* file for its standard output; NULL: process->out */
	const char *errors; /* file for its standard error */
	int kept_fd;	    /* passed to it as PEER_KEPT_FD; -1: none */
	uint32_t cpu;	    /* or PEER_ANY_CPU */
};

#define PEER_KEPT_FD 3
#define PEER_ANY_CPU UINT32_MAX

/* 0 or a negative errno.  If the program cannot be executed, the child exits with status 127. */
int peer_process__start(struct peer_process *process, const struct peer_start *start);

/* Sends SIGINT, and SIGKILL after a timeout.  Returns the status of waitpid(2). */
int peer_process__end(struct peer_process *process);

bool peer_process__is_running(struct peer_process *process);

uint64_t peer_process__cpu_ns(const struct peer_process *process);

/* Reads a line of its output, without the newline.  0 or a negative errno; -ETIMEDOUT after 20 s.
 */
int peer_process__read_line(const struct peer_process *process, char *line, size_t room);

int peer_process__pin(uint32_t cpu);

/* Pins all threads of the process. */
void peer_process__pin_again(const struct peer_process *process, uint32_t cpu);

void peer_process__sleep_ms(unsigned ms);

#endif /* BENCH_PEERS_PROCESS_H */

/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* peer_process.h: another program, on a CPU of its own: started, watched, ended. */
#ifndef PEER_PROCESS_H
#define PEER_PROCESS_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>
#include <time.h>

struct peer_process {
	pid_t pid;	 /* 0: there is none */
	clockid_t clock; /* its CPU time */
	int in, out;	 /* its standard input and output; -1: there is none, or a file */
};

struct peer_start {
	const char *const *argv;
	const char *output; /* a file; NULL: process->in and ->out */
	const char *errors; /* a file */
	int kept_fd;	    /* one that it is to have as PEER_KEPT_FD; -1: none */
	uint32_t cpu;
};

#define PEER_KEPT_FD 3

/* 0 or a negative errno.  That a program cannot be run at all is seen by its end. */
int peer_process__start(struct peer_process *process, const struct peer_start *start);

/* SIGINT, and SIGKILL if that does not help; how it ended, as waitpid(2) says. */
int peer_process__end(struct peer_process *process);

bool peer_process__is_there(struct peer_process *process);

uint64_t peer_process__cpu_ns(const struct peer_process *process);

/* A line of its output, without the newline, within some seconds.  0 or a negative errno. */
int peer_process__read_line(const struct peer_process *process, char *line, size_t room);

int peer_process__pin(uint32_t cpu);

/* All threads of that process. */
void peer_process__pin_again(const struct peer_process *process, uint32_t cpu);

void peer_process__sleep_ms(unsigned ms);

#endif /* PEER_PROCESS_H */

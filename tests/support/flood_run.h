/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * flood_run.h: a process whose calls of getpgid(2) emit the events of bpf/flood.bpf.c.
 *
 *	flood_run__make(&flood, 1000, 0, 10);
 *	recorded_run__start(&peat, RECORD(FLOOD(&flood), "-o", "file"));
 *	flood_run__go(&flood);
 *	flood_run__end(&flood);
 *
 * Whatever fails here fails the running test.
 */
#ifndef FLOOD_RUN_H
#define FLOOD_RUN_H

#include <stdint.h>
#include <sys/types.h>

struct flood_run {
	char sets[3][48]; /* for --set */
	pid_t pid;
	int go_fd;
};

/* `calls` (0: no end) calls with a pause between them, each of which emits `each` events. */
void flood_run__make(struct flood_run *flood, uint64_t calls, unsigned pause_us, unsigned each);
void flood_run__go(struct flood_run *flood);

/* Waits until it has done its calls. */
void flood_run__end(struct flood_run *flood);
void flood_run__kill(struct flood_run *flood);

/* The object, and what is to be set; no other program of it. */
#define FLOOD(flood)                                                                               \
	"flood.bpf.o", "--set", (flood)->sets[0], "--set", (flood)->sets[1], "--set",              \
		(flood)->sets[2], "--no-prog", "flood_softirq", "--no-prog", "flood_timer",        \
		"--no-prog", "flood_waking", "--no-prog", "flood_switch", "--no-prog",             \
		"flood_clock"

#endif /* FLOOD_RUN_H */

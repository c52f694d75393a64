/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * flood_run.h: a process whose calls of getpgid(2) emit the events of bpf/flood.bpf.c.
 *
 *	flood_run__make(&flood, 1000, 0, 10);
 *	recorded_run__start(&peat, RECORD(FLOOD(&flood), "-o", "file"));
 *	flood_run__start(&flood);
 *	flood_run__wait(&flood);
 *
 * Any error fails the running test.
 */
#ifndef TESTS_SUPPORT_LOAD_FLOOD_RUN_H
#define TESTS_SUPPORT_LOAD_FLOOD_RUN_H

#include <stdint.h>
#include <sys/types.h>

struct flood_run {
	char sets[3][48]; /* values of --set */
	pid_t pid;
	int start_fd;
};

/*
 * Creates the process, which waits for flood_run__start().  It makes `calls` calls (0: unlimited)
 * with a pause between them; each call emits `each` events.
 */
void flood_run__make(struct flood_run *flood, uint64_t calls, unsigned pause_us, unsigned each);
void flood_run__start(struct flood_run *flood);

/* Waits until the process has made its calls. */
void flood_run__wait(struct flood_run *flood);
void flood_run__kill(struct flood_run *flood);

/* Arguments: the object with its settings, and without its other programs. */
#define FLOOD(flood)                                                                               \
	"flood.bpf.o", "--set", (flood)->sets[0], "--set", (flood)->sets[1], "--set",              \
		(flood)->sets[2], "--no-prog", "flood_softirq", "--no-prog", "flood_timer",        \
		"--no-prog", "flood_waking", "--no-prog", "flood_switch", "--no-prog",             \
		"flood_clock"

#endif /* TESTS_SUPPORT_LOAD_FLOOD_RUN_H */

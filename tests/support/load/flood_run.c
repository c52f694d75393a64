// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* flood_run.c: a process that emits events. */
#include <signal.h>
#include <stdio.h>
#include <sys/syscall.h>
#include <unistd.h>
#include <check.h>

#include "flood_run.h"
#include "support/machine/process.h"

struct flooding {
	uint64_t calls;
	unsigned pause_us;
	int wait_fd, start_fd;
};

static int flood(void *arg)
{
	const struct flooding *flooding = arg;
	pid_t self = getpid();
	char byte;

	close(flooding->start_fd);
	if (read(flooding->wait_fd, &byte, 1) != 1)
		return 1;
	for (uint64_t i = 0; !flooding->calls || i < flooding->calls; i++) {
		syscall(SYS_getpgid, self);
		if (flooding->pause_us)
			usleep(flooding->pause_us);
	}
	return 0;
}

void flood_run__make(struct flood_run *run, uint64_t calls, unsigned pause_us, unsigned each)
{
	struct flooding flooding = { .calls = calls, .pause_us = pause_us };
	int ends[2];

	ck_assert_int_eq(pipe(ends), 0);
	flooding.wait_fd = ends[0];
	flooding.start_fd = run->start_fd = ends[1];
	run->pid = process__start(flood, &flooding);
	close(ends[0]);
	snprintf(run->sets[0], sizeof(run->sets[0]), "flood_pid=%d", (int)run->pid);
	snprintf(run->sets[1], sizeof(run->sets[1]), "flood_syscall=%d", (int)SYS_getpgid);
	snprintf(run->sets[2], sizeof(run->sets[2]), "flood_per_call=%u", each);
}

void flood_run__start(struct flood_run *run)
{
	ck_assert_int_eq(write(run->start_fd, "g", 1), 1);
	close(run->start_fd);
}

void flood_run__wait(struct flood_run *run)
{
	ck_assert_int_eq(process__wait(run->pid), 0);
}

void flood_run__kill(struct flood_run *run)
{
	kill(run->pid, SIGKILL);
	process__wait(run->pid);
}

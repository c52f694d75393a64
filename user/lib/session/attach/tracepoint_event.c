// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* session/attach/tracepoint_event.c: opens perf events of tracepoints. */
#include <errno.h>
#include <linux/perf_event.h>

#include "session/attach/tracepoint_event.h"
#include "sys/cpus.h"
#include "sys/event_fd.h"
#include "sys/tracefs.h"

/* The program of a tracepoint event runs on all CPUs, whichever one the event is for. */
static int open_tracepoint(int id)
{
	struct perf_event_attr attr = {
		.type = PERF_TYPE_TRACEPOINT,
		.size = sizeof(attr),
		.config = (__u64)id,
	};
	int fd = event_fd__open(&attr, 0);
	struct cpus online;

	if (fd != -ENODEV || cpus__read(&online, "online"))
		return fd;
	for_each_cpu (cpu, &online)
		if (fd == -ENODEV)
			fd = event_fd__open(&attr, cpu);
	cpus__free(&online);
	return fd;
}

int tracepoint_event__open(const char *name)
{
	int id = tracefs__read_id(name);

	return id < 0 ? id : open_tracepoint(id);
}

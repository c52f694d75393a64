// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* sys/event_fd.c: opens perf events, with the fallback for kernels of a shorter attr. */
#include <errno.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/log.h"
#include "sys/event_fd.h"

static int perf_event_open(struct perf_event_attr *attr, const struct event_target *target)
{
	long fd = syscall(SYS_perf_event_open, attr, target->pid, target->cpu, target->group_fd,
			  target->flags | PERF_FLAG_FD_CLOEXEC);

	return fd < 0 ? -errno : (int)fd;
}

int event_fd__open_target(struct perf_event_attr *attr, const struct event_target *target)
{
	uint32_t stated = attr->size;
	int fd = perf_event_open(attr, target);

	/* perf_copy_attr() sets attr->size to the size it supports if the tail is not zero. */
	if (fd != -E2BIG || attr->size < PERF_ATTR_SIZE_VER0 || attr->size >= stated)
		return fd;
	log__warn("perf_event_attr: this kernel supports only %u of %u bytes: the rest is left out",
		  attr->size, stated);
	memset((unsigned char *)attr + attr->size, 0, stated - attr->size);
	return perf_event_open(attr, target);
}

int event_fd__open(struct perf_event_attr *attr, uint32_t cpu)
{
	const struct event_target all = { .pid = -1, .cpu = (int)cpu, .group_fd = -1 };

	return event_fd__open_target(attr, &all);
}

static bool read_enabled(int fd, uint64_t *enabled_ns)
{
	uint64_t words[3]; /* count, time enabled, time running */

	if (read(fd, words, sizeof(words)) < (ssize_t)(2 * sizeof(*words)))
		return false;
	*enabled_ns = words[1];
	return true;
}

/* The enabled time of a live event grows from one read to the next, that of a dead one never. */
bool event_fd__is_dead(int fd)
{
	uint64_t first_ns, now_ns;

	if (fd < 0)
		return true;
	for (int reads = 0; reads < 5; reads++) {
		if (!read_enabled(fd, reads ? &now_ns : &first_ns))
			return true;
		if (reads && now_ns != first_ns)
			return false;
		usleep(200);
	}
	return true;
}

// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* counters/counter.c: opening the perf event of one target, with fallbacks. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/resource.h>
#include <unistd.h>

#include "base/log.h"
#include "counters/counter.h"
#include "counters/overflow.h"
#include "counters/self.h"
#include "sys/event_fd.h"
#include "sys/caps.h"
#include "sys/file_room.h"

uint64_t counter__read_format(const struct peat_counters *counters)
{
	return PERF_FORMAT_TOTAL_TIME_ENABLED | PERF_FORMAT_TOTAL_TIME_RUNNING | PERF_FORMAT_ID |
	       (counters->has_group_reads ? (uint64_t)PERF_FORMAT_GROUP : 0) |
	       (counters->has_lost ? READING_LOST : 0);
}

/* ---- opening --------------------------------------------------------------------------------- */

/* The members of a group count while their leader does. */
static int try_open(const struct peat_counters *counters, const struct counter *counter,
		    uint32_t target, int group_fd)
{
	struct perf_event_attr attr = counter->event->attr;
	struct event_target where = {
		.pid = counters->targets.at[target].tid,
		.cpu = counters->targets.at[target].cpu,
		.group_fd = group_fd,
		.flags = counters->targets.cgroup_fd >= 0 ? PERF_FLAG_PID_CGROUP : 0,
	};

	attr.size = sizeof(attr);
	attr.read_format = counter__read_format(counters);
	attr.disabled = group_fd < 0;
	attr.inherit = counters->inherits;
	attr.enable_on_exec = counters->enable_on_exec && group_fd < 0;
	if (counters->is_self)
		self_page__request(&attr);
	return event_fd__open_target(&attr, &where);
}

/* Raises the soft limit to the hard limit.  False: it was there already. */
static bool raise_file_limit(void)
{
	struct rlimit limit;

	if (getrlimit(RLIMIT_NOFILE, &limit) || limit.rlim_cur >= limit.rlim_max)
		return false;
	limit.rlim_cur = limit.rlim_max;
	if (setrlimit(RLIMIT_NOFILE, &limit))
		return false;
	log__info("RLIMIT_NOFILE raised to %llu for the counters",
		  (unsigned long long)limit.rlim_max);
	return true;
}

/* "cycles:u", "cpu/event=0x3c/u", "cycles:Pu": perf writes them in this way. */
static int add_user_modifier(struct counter *counter)
{
	bool is_tracepoint = counter->event->attr.type == PERF_TYPE_TRACEPOINT;
	const char *name = counter->name, *last = strrchr(name, '/');
	bool has_place = !is_tracepoint && (last || strchr(name, ':'));
	char *longer;

	if (asprintf(&longer, "%s%s", name, has_place ? "u" : ":u") < 0)
		return -ENOMEM;
	free(counter->name);
	counter->name = longer;
	return 0;
}

/*
 * Without privileges kernel.perf_event_paranoid 2 allows user space only.  The kernel returns
 * EACCES, and EPERM for tracepoints.
 */
static int leave_out_kernel(struct counter *counter)
{
	struct perf_event_attr *attr = &counter->event->attr;
	int err = attr->exclude_kernel || attr->exclude_user ? -EACCES : add_user_modifier(counter);

	if (err)
		return err;
	attr->exclude_kernel = attr->exclude_hv = 1;
	log__info("%s: only user space is counted: %s", counter->name, caps__explain_counters());
	return 0;
}

/*
 * Changes the counters so that the next try may succeed.  Kernels without PERF_FORMAT_LOST (Linux
 * 6.0), and those before 4.13 that combine PERF_FORMAT_GROUP with inherit, return EINVAL.  EINVAL
 * has many other causes: the next tries decide.
 *
 * 0, or the error that remains.
 */
static int fall_back(struct peat_counters *counters, struct counter *counter, int err)
{
	if (err == -EMFILE)
		return raise_file_limit() ? 0 : err;
	if (err == -EACCES || err == -EPERM)
		return leave_out_kernel(counter);
	if (err != -EINVAL || (!counters->has_lost && !counters->has_group_reads))
		return err;
	if (counters->has_lost)
		counters->has_lost = false;
	else
		counters->has_group_reads = false;
	return 0;
}

/* A group has one format, which its leader decides. */
static int open_fd(struct peat_counters *counters, struct counter *counter, uint32_t target,
		   int group_fd)
{
	bool had_lost = counters->has_lost, had_group_reads = counters->has_group_reads;
	int fd = try_open(counters, counter, target, group_fd);

	while (fd < 0 && (group_fd < 0 || fd != -EINVAL)) {
		int err = fall_back(counters, counter, fd);

		fd = err ?: try_open(counters, counter, target, group_fd);
		if (err)
			break;
	}
	if (fd < 0) {
		counters->has_lost = had_lost;
		counters->has_group_reads = had_group_reads;
	}
	return fd;
}

int counter__open(struct peat_counters *counters, struct counter *counter, uint32_t target,
		  int group_fd)
{
	struct part *part = &counter->parts[target];
	const char *filter = counter->event->filter;
	int fd = open_fd(counters, counter, target, group_fd), err = 0;

	if (fd < 0)
		return fd;
	if (filter && ioctl(fd, PERF_EVENT_IOC_SET_FILTER, filter))
		err = errno == EINVAL ? -EBADMSG : -errno;
	if (!err && ioctl(fd, PERF_EVENT_IOC_ID, &part->id))
		err = -errno;
	if (!err && counters->is_self)
		self__map(fd, counters->overflow_fd >= 0 ? OVERFLOW_PAGES : 1, part);
	if (!err && counters->overflow_fd >= 0)
		err = overflow__watch(counters, target, fd, part);
	if (err) {
		self__unmap(part);
		close(fd);
		return err;
	}
	part->fd = fd;
	part->is_leader = group_fd < 0;
	part->was_open = counter->is_supported = true;
	return 0;
}

void counter__close(struct part *part)
{
	self__unmap(part);
	if (part->fd >= 0)
		close(part->fd);
	part->fd = -1;
	reading__add(&part->kept, &part->now);
	part->now = (struct reading){ 0 };
}

/* ---- errors ---------------------------------------------------------------------------------- */

/* ENODEV of a CPU that is offline is handled before. */
bool counter__is_unsupported(int err)
{
	return err == -ENOENT || err == -EOPNOTSUPP || err == -ENODEV || err == -ENOSYS ||
	       err == -EINVAL || err == -ENXIO;
}

static const char *remedy(const struct peat_counters *counters, const struct counter *counter,
			  int err)
{
	if (err == -EACCES || err == -EPERM)
		return caps__explain_counters();
	if (err == -EMFILE)
		return "each event needs a file descriptor per CPU or thread: " FILE_ROOM_REMEDY;
	if (err == -ENOSPC)
		return "too few counters or breakpoints of the CPU are free: count fewer events at "
		       "once";
	if (err == -EBUSY)
		return "another program has its counter";
	if (err == -ESRCH)
		return "the task does not exist, or it has ended";
	if (err == -ENOBUFS)
		return caps__explain_memlock();
	if (err == -EBADMSG)
		return "its filter is not valid for the tracepoint's fields";
	if (counter->event->is_system_wide && !counters->targets.are_cpus)
		return "its PMU counts all tasks together, not single ones";
	if (counter__is_unsupported(err) && counters->overflow_fd >= 0)
		return "this machine has no counter for it, or none that overflows";
	if (counter__is_unsupported(err))
		return "this machine has no counter for it, or too few for this group";
	return "see perf_event_open(2)";
}

void counter__log_error(const struct peat_counters *counters, const struct counter *counter,
			uint32_t target, int err)
{
	const struct target *at = &counters->targets.at[target];
	char where[64] = "";

	if (counters->targets.are_cpus)
		snprintf(where, sizeof(where), " on CPU %d", at->cpu);
	else if (at->tid)
		snprintf(where, sizeof(where), " for task %d", (int)at->tid);
	log__error("cannot count %s%s: %s: %s", counter->name, where,
		   err == -EBADMSG   ? "invalid filter"
		   : err == -ENOBUFS ? "no memory for its ring"
				     : strerror(-err),
		   remedy(counters, counter, err));
}

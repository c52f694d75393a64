// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* counters/overflow.c: the periods and the rings of counters that overflow. */
#include <errno.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "base/log.h"
#include "counters/overflow.h"
#include "counters/self.h"

/* ---- periods --------------------------------------------------------------------------------- */

static int set_period(struct pmu_event *event, uint64_t period)
{
	if (event->attr.freq) {
		log__error("%s: freq= has no fixed period to count to: use period=, or leave it "
			   "out",
			   event->name);
		return -EINVAL;
	}
	if (!event->attr.sample_period)
		event->attr.sample_period = period;
	event->attr.wakeup_events = 1;
	return 0;
}

int overflow__prepare(struct peat_counters *counters, uint64_t period)
{
	int err = 0;

	if (period > INT64_MAX) {
		log__error("peat_counters_opts: period %llu is too large: at most 2^63 - 1",
			   (unsigned long long)period);
		return -EINVAL;
	}
	for (uint32_t i = 0; !err && i < counters->events.count; i++)
		err = set_period(&counters->events.at[i], period);
	if (err)
		return err;
	counters->overflow_fd = epoll_create1(EPOLL_CLOEXEC);
	return counters->overflow_fd < 0 ? -errno : 0;
}

void overflow__close(struct peat_counters *counters)
{
	if (counters->overflow_fd >= 0)
		close(counters->overflow_fd);
}

/* ---- rings ----------------------------------------------------------------------------------- */

/* The kernel lets events of a CPU share a ring, and without a CPU, those of a task. */
static bool may_share(const struct target *one, const struct target *other)
{
	return one->cpu == other->cpu && (one->cpu >= 0 || one->tid == other->tid);
}

/* An open event with a ring for this target; -1: none. */
static int find_ring(const struct peat_counters *counters, uint32_t target)
{
	const struct target *at = counters->targets.at;

	for (uint32_t i = 0; i < counters->targets.count; i++)
		for (uint32_t k = 0; may_share(&at[i], &at[target]) && k < counters->events.count;
		     k++)
			if (counters->at[k].parts[i].fd >= 0 && counters->at[k].parts[i].page)
				return counters->at[k].parts[i].fd;
	return -1;
}

static int map_ring(int fd, struct part *part)
{
	int err = part->page ? 0 : self__map(fd, OVERFLOW_PAGES, part);

	return err == -EPERM ? -ENOBUFS : err;
}

/*
 * Edge-triggered: after the end of its task an event reports a hang-up for ever.  The epoll itself
 * is polled, so its events have no data.
 */
static int poll_ring(const struct peat_counters *counters, int fd)
{
	struct epoll_event event = { .events = EPOLLIN | EPOLLET };

	return epoll_ctl(counters->overflow_fd, EPOLL_CTL_ADD, fd, &event) ? -errno : 0;
}

int overflow__watch(const struct peat_counters *counters, uint32_t target, int fd,
		    struct part *part)
{
	int ring = counters->is_self ? -1 : find_ring(counters, target), err;

	if (ring >= 0)
		return ioctl(fd, PERF_EVENT_IOC_SET_OUTPUT, ring) ? -errno : 0;
	err = map_ring(fd, part);
	return err ?: poll_ring(counters, fd);
}

#define CLEARED_AT_ONCE 64

void overflow__clear(const struct peat_counters *counters)
{
	struct epoll_event events[CLEARED_AT_ONCE];
	int count = CLEARED_AT_ONCE;

	while (counters->overflow_fd >= 0 && count == CLEARED_AT_ONCE)
		count = epoll_wait(counters->overflow_fd, events, CLEARED_AT_ONCE, 0);
}

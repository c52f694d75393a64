// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* counters/overflow.c: the periods and the rings of counters that overflow. */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/errors.h"
#include "base/fork_mark.h"
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

static int check_period(uint64_t period)
{
	if (period && period <= INT64_MAX)
		return 0;
	log__error("cannot count to a period of %llu: it is from 1 to 2^63 - 1",
		   (unsigned long long)period);
	return -EINVAL;
}

static int check_signal(const struct peat_counters_opts *opts)
{
	if (!opts->overflow_signal)
		return 0;
	if (!opts->self || !opts->period) {
		log__error("peat_counters_opts: overflow_signal needs self and period: it is for "
			   "the thread that is counted");
		return -EINVAL;
	}
	if (opts->overflow_signal <= SIGRTMAX)
		return 0;
	log__error("peat_counters_opts: overflow_signal %u is no signal", opts->overflow_signal);
	return -EINVAL;
}

int overflow__prepare(struct peat_counters *counters, const struct peat_counters_opts *opts)
{
	int err = check_signal(opts);

	if (err || !opts->period)
		return err;
	err = check_period(opts->period);
	for (uint32_t i = 0; !err && i < counters->events.count; i++)
		err = set_period(&counters->events.at[i], opts->period);
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

/* The thread is named: F_SETOWN would let any thread of the process handle the signal. */
static int request_signal(const struct peat_counters *counters, int fd)
{
	const struct f_owner_ex owner = { F_OWNER_TID, (pid_t)syscall(SYS_gettid) };
	int flags = fcntl(fd, F_GETFL);

	if (!counters->overflow_signal)
		return 0;
	return flags < 0 || fcntl(fd, F_SETOWN_EX, &owner) ||
			       fcntl(fd, F_SETSIG, counters->overflow_signal) ||
			       fcntl(fd, F_SETFL, flags | O_ASYNC)
		       ? -errno
		       : 0;
}

int overflow__watch(const struct peat_counters *counters, uint32_t target, int fd,
		    struct part *part)
{
	int ring = counters->is_self ? -1 : find_ring(counters, target), err;

	if (ring >= 0)
		return ioctl(fd, PERF_EVENT_IOC_SET_OUTPUT, ring) ? -errno : 0;
	err = map_ring(fd, part);
	return err ?: poll_ring(counters, fd) ?: request_signal(counters, fd);
}

#define CLEARED_AT_ONCE 64

void overflow__clear(const struct peat_counters *counters)
{
	struct epoll_event events[CLEARED_AT_ONCE];
	int count = CLEARED_AT_ONCE;

	while (counters->overflow_fd >= 0 && count == CLEARED_AT_ONCE)
		count = epoll_wait(counters->overflow_fd, events, CLEARED_AT_ONCE, 0);
}

/* ---- public functions ------------------------------------------------------------------------ */

static int check(const struct peat_counters *counters, const char *function)
{
	int err = fork_mark__check(counters->mark, "the counters");

	if (err || counters->overflow_fd >= 0)
		return err;
	log__error("%s: set peat_counters_opts.period", function);
	return -EINVAL;
}

int peat_counters__overflow_fd(const struct peat_counters *counters)
{
	int err = check(counters, "peat_counters__overflow_fd");

	return err ? fail(err) : counters->overflow_fd;
}

int64_t peat_counters__event_of_fd(const struct peat_counters *counters, int fd)
{
	for (uint32_t i = 0; fd >= 0 && i < counters->events.count; i++)
		for (uint32_t k = 0; k < counters->targets.count; k++)
			if (counters->at[i].parts[k].fd == fd)
				return i;
	return -ENOENT;
}

/*
 * The kernel stops an event after its last overflow, and enabling a tracepoint does not start it
 * again (perf_trace_add(), Linux 6.18).  Setting its period does, if it is enabled, and the next
 * ENABLE begins to count to it.
 */
static int count_down(int fd, uint32_t overflows, uint64_t period)
{
	return ioctl(fd, PERF_EVENT_IOC_REFRESH, overflows) ||
			       ioctl(fd, PERF_EVENT_IOC_PERIOD, &period) ||
			       ioctl(fd, PERF_EVENT_IOC_DISABLE, 0) ||
			       ioctl(fd, PERF_EVENT_IOC_ENABLE, 0)
		       ? -errno
		       : 0;
}

int peat_counters__refresh(struct peat_counters *counters, uint32_t event, uint32_t overflows)
{
	int err = check(counters, "peat_counters__refresh");
	const struct part *part;

	if (!err && !counters->is_self) {
		log__error("peat_counters__refresh: set peat_counters_opts.self");
		err = -EINVAL;
	}
	if (!err && (event >= counters->events.count || !overflows || overflows > INT32_MAX))
		err = -EINVAL;
	if (err)
		return fail(err);
	part = counters->at[event].parts;
	if (part->fd < 0)
		return fail(-EOPNOTSUPP);
	if (!part->is_leader) {
		log__error("peat_counters__refresh: %s counts while the first event of its group "
			   "does: take it out of the group",
			   counters->at[event].name);
		return fail(-EINVAL);
	}
	counters->at[event].is_limited = true;
	err = count_down(part->fd, overflows, counters->at[event].event->attr.sample_period);
	return err ? fail(err) : 0;
}

/*
 * An event of the kernel's software that is enabled would overflow once more at once, and once
 * after its old period: PERF_EVENT_IOC_PERIOD does not change its last period
 * (perf_swevent_set_period(), Linux 6.18).  Enabling it begins anew.
 */
static int change_period(const struct counter *counter, int fd, int leader, bool enables,
			 uint64_t period)
{
	int err = 0;

	if (ioctl(leader, PERF_EVENT_IOC_DISABLE, 0) || ioctl(fd, PERF_EVENT_IOC_PERIOD, &period) ||
	    (enables && ioctl(leader, PERF_EVENT_IOC_ENABLE, 0)))
		err = -errno;
	if (err)
		log__error("cannot change the period of %s: %s", counter->name, strerror(-err));
	return err;
}

/*
 * The event that switches another one: the leader of its group, or itself.  A member of a group
 * that is enabled by itself may count only after the next context switch (Linux 6.18).
 */
static const struct counter *switch_of(const struct peat_counters *counters,
				       const struct counter *counter, uint32_t target)
{
	uint32_t group = counter->event->group;

	for (uint32_t i = 0; group != PMU_NO_GROUP && i < counters->events.count; i++)
		if (counters->events.at[i].group == group &&
		    counters->at[i].parts[target].is_leader)
			return &counters->at[i];
	return counter;
}

static int change_periods(struct peat_counters *counters, struct counter *counter, uint64_t period)
{
	int err = 0;

	for (uint32_t i = 0; !err && i < counters->targets.count; i++) {
		const struct counter *leader = switch_of(counters, counter, i);
		bool enables = counters->is_enabled && !leader->is_limited;

		if (counter->parts[i].fd >= 0)
			err = change_period(counter, counter->parts[i].fd, leader->parts[i].fd,
					    enables, period);
	}
	if (!err)
		counter->event->attr.sample_period = period;
	return err;
}

int peat_counters__set_period(struct peat_counters *counters, uint32_t event, uint64_t period)
{
	int err = check(counters, "peat_counters__set_period") ?: check_period(period);

	if (!err && counters->enable_on_exec) {
		log__error("peat_counters__set_period: leave out enable_on_exec: nobody can tell "
			   "whether the task counts already");
		err = -EINVAL;
	}
	if (!err && event >= counters->events.count)
		err = -EINVAL;
	if (!err)
		err = change_periods(counters, &counters->at[event], period);
	return err ? fail(err) : 0;
}

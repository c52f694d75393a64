// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* ring/samplers.c: opens and starts perf events that the kernel samples. */
#include <errno.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "base/log.h"
#include "sys/event_fd.h"
#include "ring/samplers.h"
#include "sys/caps.h"
#include "sys/file_room.h"

uint32_t samplers__sides(const struct samplers *samplers)
{
	return samplers->task_count ? samplers->task_count : 1;
}

uint32_t samplers__outputs(const struct samplers *samplers)
{
	return samplers->count * samplers__sides(samplers);
}

/* ---- opening --------------------------------------------------------------------------------- */

/* The index of the task of an event. */
static uint32_t task_of(const struct samplers *samplers, uint32_t index)
{
	uint32_t outputs = samplers__outputs(samplers);

	return index < outputs ? index / samplers->count : index - outputs;
}

static bool is_side(const struct samplers *samplers, uint32_t index)
{
	return index >= samplers__outputs(samplers);
}

/* Side records of a cgroup's tasks are read for all tasks: those of a cgroup need no own filter. */
static struct event_target target_of(const struct samplers *samplers, uint32_t index, uint32_t cpu)
{
	struct event_target target = { .pid = -1, .cpu = (int)cpu, .group_fd = -1 };

	if (samplers->task_count) {
		target.pid = (pid_t)samplers->tasks[task_of(samplers, index)];
	} else if (samplers->cgroup_fd >= 0 && !is_side(samplers, index)) {
		target.pid = samplers->cgroup_fd;
		target.flags = PERF_FLAG_PID_CGROUP;
	}
	return target;
}

/* Members of a group are enabled with their leader. */
static void set_start(const struct samplers *samplers, bool is_member, struct perf_event_attr *attr)
{
	attr->sample_id_all = 1;
	attr->disabled = !is_member;
	attr->inherit = samplers->task_count && samplers->inherit;
	attr->enable_on_exec = samplers->on_exec && !is_member;
}

struct perf_event_attr samplers__attr(const struct samplers *samplers, uint32_t i)
{
	struct perf_event_attr attr = samplers->at[i].attr;

	set_start(samplers, samplers->at[i].leader != i, &attr);
	return attr;
}

static struct perf_event_attr attr_of(const struct samplers *samplers, uint32_t index,
				      const struct perf_event_attr *common)
{
	struct perf_event_attr attr = *common;

	if (is_side(samplers, index)) {
		set_start(samplers, false, &attr);
		return attr;
	}
	attr = samplers__attr(samplers, index % samplers->count);
	attr.read_format = common->read_format;
	attr.watermark = common->watermark;
	attr.wakeup_watermark = common->wakeup_watermark;
	return attr;
}

/* The index of the leader's event, of the same task. */
static uint32_t leader_of(const struct samplers *samplers, uint32_t index)
{
	return index - index % samplers->count + samplers__of(samplers, index)->leader;
}

static int open_output(const struct samplers *samplers, uint32_t index, struct event_target *target,
		       struct perf_event_attr *attr, const int *fds)
{
	const struct sampler *sampler = samplers__of(samplers, index);
	uint32_t leader = leader_of(samplers, index);

	if (sampler->cpus && !cpus__has(sampler->cpus, (uint32_t)target->cpu))
		return SAMPLERS_NO_EVENT;
	if (leader != index) {
		if (fds[leader] < 0)
			return SAMPLERS_NO_EVENT;
		target->group_fd = fds[leader];
	}
	return event_fd__open_target(attr, target);
}

int samplers__open(const struct samplers *samplers, uint32_t index, uint32_t cpu,
		   const struct perf_event_attr *common, const int *fds)
{
	struct perf_event_attr attr = attr_of(samplers, index, common);
	struct event_target target = target_of(samplers, index, cpu);
	int fd = is_side(samplers, index) ? event_fd__open_target(&attr, &target)
					  : open_output(samplers, index, &target, &attr, fds);

	/* ESRCH: the task has ended since the list of tasks was made. */
	return fd == -ESRCH && samplers->task_count > 1 ? SAMPLERS_NO_EVENT : fd;
}

static uint32_t find_own_cpu(const struct sampler *sampler, uint32_t cpu)
{
	if (!sampler->cpus || cpus__has(sampler->cpus, cpu))
		return cpu;
	for_each_cpu (own, sampler->cpus)
		return own;
	return cpu;
}

int samplers__try(const struct samplers *samplers, uint32_t i, uint32_t cpu)
{
	struct perf_event_attr attr = samplers__attr(samplers, i);
	uint32_t own = find_own_cpu(&samplers->at[i], cpu);
	struct event_target target = target_of(samplers, i, own);
	int fd;

	attr.disabled = 1;
	fd = event_fd__open_target(&attr, &target);
	if (fd >= 0)
		close(fd);
	return fd >= 0 || (fd == -ESRCH && samplers->task_count > 1) ? 0 : fd;
}

/* ---- starting -------------------------------------------------------------------------------- */

static int set_filter(const struct sampler *sampler, int fd)
{
	int err;

	if (!sampler->filter || !ioctl(fd, PERF_EVENT_IOC_SET_FILTER, sampler->filter))
		return 0;
	err = -errno;
	log__error("%s: the kernel refuses the filter '%s': %s: use fields of the tracepoint, as "
		   "in 'next_pid == 1 && prev_comm ~ \"ssh*\"'",
		   sampler->name, sampler->filter, strerror(-err));
	return err;
}

int samplers__start(const struct samplers *samplers, uint32_t index, int fd, bool waits_for_exec)
{
	int err = is_side(samplers, index) ? 0 : set_filter(samplers__of(samplers, index), fd);

	if (err || waits_for_exec)
		return err;
	if (!is_side(samplers, index) && leader_of(samplers, index) != index)
		return 0;
	if (!ioctl(fd, PERF_EVENT_IOC_ENABLE, 0))
		return 0;
	err = -errno;
	log__error("cannot enable %s: %s",
		   is_side(samplers, index) ? "the records of tasks"
					    : samplers__of(samplers, index)->name,
		   strerror(-err));
	return err;
}

/* ---- errors ---------------------------------------------------------------------------------- */

static const char *remedy(const struct sampler *sampler, int err)
{
	switch (err) {
	case -EPERM:
	case -EACCES:
		return caps__explain();
	case -EMFILE:
		return "each CPU needs a file descriptor per event and thread: " FILE_ROOM_REMEDY;
	case -ENOENT:
	case -ENXIO:
		return "this machine does not have the event: peat list --events shows its events";
	case -EOPNOTSUPP:
		return "this machine can count the event, but not sample it: use peat stat";
	case -EINVAL:
		return "this kernel cannot sample the event with these options: a counter of the "
		       "whole machine can only be counted, by peat stat";
	case -ENOSPC:
		return sampler->attr.type == PERF_TYPE_BREAKPOINT
			       ? "all breakpoints of the CPU are in use: use fewer"
			       : "all counters of the CPU are in use: use fewer events in a group";
	case -EBUSY:
		return "another program uses the counter alone";
	case -ESRCH:
		return "the task has ended";
	default:
		return "check that the kernel has CONFIG_PERF_EVENTS";
	}
}

int samplers__log_error(const struct sampler *sampler, int err)
{
	log__error("cannot sample %s: %s: %s", sampler->name, strerror(-err), remedy(sampler, err));
	return err;
}

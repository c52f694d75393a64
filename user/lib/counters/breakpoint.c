// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* counters/breakpoint.c: moving the breakpoint of a counter (PERF_EVENT_IOC_MODIFY_ATTRIBUTES). */
#include <errno.h>
#include <inttypes.h>
#include <string.h>
#include <sys/ioctl.h>

#include "base/log.h"
#include "counters/breakpoint.h"

/*
 * The kernel compares everything but the breakpoint with the attr of the event
 * (modify_user_hw_breakpoint_check(), Linux 4.17).  It has cleared enable_on_exec if the task has
 * executed a program.  `disabled` is set anew: an event that counts must not have it.
 */
static int modify(const struct peat_counters *counters, const struct counter *counter,
		  const struct part *part, uint64_t address)
{
	struct perf_event_attr attr = counter->event->attr;

	attr.size = sizeof(attr);
	attr.read_format = counter__read_format(counters);
	attr.disabled = part->is_leader && !counters->is_enabled;
	attr.inherit = counters->inherits;
	attr.bp_addr = address;
	if (!ioctl(part->fd, PERF_EVENT_IOC_MODIFY_ATTRIBUTES, &attr))
		return 0;
	if (errno != EINVAL || !counters->enable_on_exec || !part->is_leader)
		return -errno;
	attr.enable_on_exec = attr.disabled = 1;
	return ioctl(part->fd, PERF_EVENT_IOC_MODIFY_ATTRIBUTES, &attr) ? -errno : 0;
}

/* The events on the first `*count` targets; *count: the target that failed. */
static int modify_parts(const struct peat_counters *counters, const struct counter *counter,
			uint64_t address, uint32_t *count)
{
	uint32_t end = *count;

	for (*count = 0; *count < end; ++*count) {
		const struct part *part = &counter->parts[*count];
		int err = part->fd < 0 ? 0 : modify(counters, counter, part, address);

		if (err)
			return err;
	}
	return 0;
}

/* An error leaves an event disabled, also that of the target that failed. */
int breakpoint__move(struct peat_counters *counters, struct counter *counter, uint64_t address)
{
	uint32_t count = counters->targets.count, again;
	int err;

	if (counter->event->attr.type != PERF_TYPE_BREAKPOINT) {
		log__error("cannot move %s: it is no breakpoint such as mem:ADDRESS:w",
			   counter->name);
		return -EINVAL;
	}
	if (!counter->is_supported)
		return -EOPNOTSUPP;
	err = modify_parts(counters, counter, address, &count);
	if (!err) {
		counter->event->attr.bp_addr = address;
		return 0;
	}
	log__error("cannot move %s to %#" PRIx64 ": %s: the address has to be a multiple of its "
		   "length, and the kernel Linux 4.17 or newer",
		   counter->name, address, strerror(-err));
	again = count + 1;
	if (modify_parts(counters, counter, counter->event->attr.bp_addr, &again))
		log__error("%s: the addresses of its CPUs or threads now differ", counter->name);
	return err;
}

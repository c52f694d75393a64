// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* counters/follow.c: threads, processes and programs of a task that its events follow. */
#include <errno.h>
#include <unistd.h>

#include "base/log.h"
#include "counters/follow.h"
#include "sys/event_fd.h"

/* The contradiction of the options; NULL: none. */
static const char *find_contradiction(const struct peat_counters_opts *opts)
{
	bool is_of_cpus = opts->all_tasks || opts->cgroup;

	if (opts->inherit_thread && (is_of_cpus || opts->no_inherit || opts->self))
		return "inherit_thread is for tasks whose new threads are counted: leave out "
		       "no_inherit, self, all_tasks and cgroup";
	if (opts->remove_on_exec && is_of_cpus)
		return "remove_on_exec is for tasks: leave out all_tasks and cgroup";
	if (opts->remove_on_exec && opts->enable_on_exec)
		return "remove_on_exec and enable_on_exec exclude each other: an event cannot "
		       "begin and end with a program";
	return NULL;
}

/* Tries an event that every kernel has.  Other errors are reported when the events are opened. */
static bool is_kernel_too_old(void)
{
	struct perf_event_attr attr = { .size = sizeof(attr),
					.type = PERF_TYPE_SOFTWARE,
					.config = PERF_COUNT_SW_DUMMY,
					.disabled = 1,
					.exclude_kernel = 1,
					.exclude_hv = 1,
					.inherit = 1,
					.inherit_thread = 1,
					.remove_on_exec = 1 };
	const struct event_target self = { .pid = 0, .cpu = -1, .group_fd = -1 };
	int fd = event_fd__open_target(&attr, &self);

	if (fd >= 0)
		close(fd);
	return fd == -EINVAL;
}

int follow__prepare(struct pmu_events *events, const struct peat_counters_opts *opts)
{
	const char *contradiction = find_contradiction(opts);

	if (contradiction) {
		log__error("peat_counters_opts: %s", contradiction);
		return -EINVAL;
	}
	if (!opts->inherit_thread && !opts->remove_on_exec)
		return 0;
	if (is_kernel_too_old()) {
		log__error("peat_counters_opts: this kernel has no inherit_thread, remove_on_exec "
			   "and sigtrap: leave them out, or use Linux 5.13 or newer");
		return -EOPNOTSUPP;
	}
	for (uint32_t i = 0; i < events->count; i++) {
		events->at[i].attr.inherit_thread = opts->inherit_thread;
		events->at[i].attr.remove_on_exec = opts->remove_on_exec;
	}
	return 0;
}

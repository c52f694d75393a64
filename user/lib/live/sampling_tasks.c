// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* live/sampling_tasks.c: finds the threads and the cgroup that are sampled. */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/log.h"
#include "live/sampling_tasks.h"
#include "sys/cgroup.h"
#include "sys/proc_tasks.h"

struct found {
	struct samplers *samplers;
	bool failed;
};

static void add_task(void *arg, uint32_t pid, uint32_t tid, const char *comm)
{
	struct found *found = arg;
	struct samplers *samplers = found->samplers;

	(void)pid;
	(void)comm;
	for (uint32_t i = 0; i < samplers->task_count; i++)
		if (samplers->tasks[i] == tid)
			return;
	if (ARRAY_RESERVE_NEXT(samplers->tasks, samplers->task_count))
		samplers->tasks[samplers->task_count++] = tid;
	else
		found->failed = true;
}

static int log_task_error(int err, const char *what, uint32_t number)
{
	if (err == -ESRCH)
		log__error("no %s %u: it may have ended: ps -eL lists all", what, number);
	else if (err)
		log__error("cannot find the threads of %s %u in /proc: %s", what, number,
			   strerror(-err));
	return err;
}

static int add_threads(struct found *found, const struct peat_sampling_opts *opts)
{
	int err = 0;

	for (uint32_t i = 0; !err && i < opts->pid_count; i++)
		err = log_task_error(proc_tasks__of_process(opts->pids[i], add_task, found),
				     "process", opts->pids[i]);
	for (uint32_t i = 0; !err && i < opts->tid_count; i++) {
		if (kill((pid_t)opts->tids[i], 0) && errno == ESRCH)
			err = log_task_error(-ESRCH, "thread", opts->tids[i]);
		add_task(found, 0, opts->tids[i], NULL);
	}
	if (!err && opts->by_uid)
		err = log_task_error(proc_tasks__of_user(opts->uid, add_task, found), "user",
				     opts->uid);
	return err ? err : found->failed ? -ENOMEM : 0;
}

int sampling_tasks__find(struct sampling *sampling)
{
	const struct peat_sampling_opts *opts = &sampling->opts;
	struct found found = { .samplers = &sampling->samplers };

	if (opts->cgroup && sampling->samplers.cgroup_fd < 0) {
		sampling->samplers.cgroup_fd = cgroup__open(opts->cgroup, O_RDONLY);
		if (sampling->samplers.cgroup_fd < 0)
			return sampling->samplers.cgroup_fd;
	}
	return add_threads(&found, opts);
}

// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* counters/targets.c: the threads and CPUs that options select. */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/array.h"
#include "base/log.h"
#include "counters/targets.h"
#include "sys/event_fd.h"
#include "sys/cgroup.h"
#include "sys/cpus.h"

static int add_target(struct targets *targets, pid_t tid, int cpu)
{
	if (!ARRAY_RESERVE_NEXT(targets->at, targets->count))
		return -ENOMEM;
	targets->at[targets->count++] = (struct target){ tid, cpu };
	return 0;
}

/* A task on each CPU of the set, or if it is empty, on all CPUs together. */
static int add_task(struct targets *targets, pid_t tid, const struct cpus *cpus)
{
	int err = 0;

	if (!cpus->limit)
		return add_target(targets, tid, -1);
	for_each_cpu (cpu, cpus)
		err = err ?: add_target(targets, tid, (int)cpu);
	return err;
}

/* ---- tasks ----------------------------------------------------------------------------------- */

static int log_no_process(int err, uint32_t pid)
{
	if (err == -ENOENT)
		err = -ESRCH;
	log__error("cannot count process %u: %s", pid,
		   err == -ESRCH ? "it does not exist, or it has ended" : strerror(-err));
	return err;
}

static int add_process(struct targets *targets, uint32_t pid, const struct cpus *cpus)
{
	char path[64];
	struct dirent *entry;
	uint32_t before = targets->count;
	int err = 0;
	DIR *folder;

	snprintf(path, sizeof(path), "/proc/%u/task", pid);
	folder = opendir(path);
	if (!folder)
		return log_no_process(-errno, pid);
	while (!err && (entry = readdir(folder)))
		if (*entry->d_name != '.')
			err = add_task(targets, (pid_t)strtoul(entry->d_name, NULL, 10), cpus);
	closedir(folder);
	if (!err && targets->count == before)
		err = log_no_process(-ESRCH, pid);
	return err;
}

static int check_ids(const uint32_t *ids, uint32_t count)
{
	for (uint32_t i = 0; i < count; i++) {
		if (ids[i] && ids[i] <= INT32_MAX)
			continue;
		log__error("cannot count task %u: ids of tasks begin with 1", ids[i]);
		return -EINVAL;
	}
	return 0;
}

static int add_tasks(struct targets *targets, const struct peat_counters_opts *opts,
		     const struct cpus *cpus)
{
	int err = check_ids(opts->pids, opts->pid_count) ?: check_ids(opts->tids, opts->tid_count);

	for (uint32_t i = 0; !err && i < opts->pid_count; i++)
		err = add_process(targets, opts->pids[i], cpus);
	for (uint32_t i = 0; !err && i < opts->tid_count; i++)
		err = add_task(targets, (pid_t)opts->tids[i], cpus);
	if (!err && !opts->pid_count && !opts->tid_count)
		err = add_task(targets, 0, cpus);
	return err;
}

/* ---- all tasks ------------------------------------------------------------------------------- */

static int read_possible(struct cpus *cpus)
{
	int err = cpus__read(cpus, "possible");

	if (err)
		log__error("cannot read /sys/devices/system/cpu/possible: %s", strerror(-err));
	return err;
}

static int add_cpus(struct targets *targets, pid_t pid, const struct cpus *cpus)
{
	struct cpus possible = { 0 };
	int err = cpus->limit ? 0 : read_possible(&possible);

	if (err)
		return err;
	err = add_task(targets, pid, cpus->limit ? cpus : &possible);
	cpus__free(&possible);
	return err;
}

/* Tries an event that every kernel has. */
static int try_cgroup(int fd)
{
	struct perf_event_attr attr = { .size = sizeof(attr),
					.type = PERF_TYPE_SOFTWARE,
					.config = PERF_COUNT_SW_DUMMY };
	const struct event_target target = { fd, 0, -1, PERF_FLAG_PID_CGROUP };
	int event = event_fd__open_target(&attr, &target);

	if (event >= 0)
		close(event);
	return event;
}

/*
 * The controller perf_event is implicit in cgroup2.  But until cgroup.subtree_control of the root
 * is written for the first time, as systemd does, new cgroups lack it (Linux 6.1).  Other errors
 * are those of events, which are reported when they are opened.
 */
static int check_cgroup(int fd, const char *path)
{
	int err = try_cgroup(fd);

	if (err == -ENOENT)
		log__error("cannot count cgroup '%s': it has no controller perf_event: enable any "
			   "controller above it before the cgroup is made: echo +pids > "
			   "/sys/fs/cgroup/cgroup.subtree_control",
			   path);
	else if (err == -EBADF)
		log__error("cannot count cgroup '%s': the controller perf_event is in a hierarchy "
			   "of version 1: unmount that",
			   path);
	return err == -ENOENT || err == -EBADF ? -ENOENT : 0;
}

static int add_cgroup(struct targets *targets, const char *path, const struct cpus *cpus)
{
	int err;

	targets->cgroup_fd = cgroup__open(path, O_RDONLY);
	if (targets->cgroup_fd < 0)
		return targets->cgroup_fd;
	err = check_cgroup(targets->cgroup_fd, path);
	return err ?: add_cpus(targets, targets->cgroup_fd, cpus);
}

static int check_options(const struct peat_counters_opts *opts)
{
	bool has_tasks = opts->pid_count || opts->tid_count;

	if (opts->all_tasks + has_tasks + !!opts->cgroup > 1) {
		log__error("peat_counters_opts: tasks, all_tasks and cgroup exclude each other");
		return -EINVAL;
	}
	if (opts->self && (has_tasks || opts->all_tasks || opts->cgroup || opts->cpus)) {
		log__error("peat_counters_opts: self is for the calling thread: leave out pids, "
			   "tids, all_tasks, cgroup and cpus");
		return -EINVAL;
	}
	if (opts->enable_on_exec && !has_tasks) {
		log__error("peat_counters_opts: enable_on_exec needs pids or tids: the task that "
			   "will execute a program");
		return -EINVAL;
	}
	return 0;
}

/*
 * The kernel maps no ring for an event that children inherit and that counts on all CPUs together
 * (perf_mmap()).  Events of tasks may be opened on CPUs that are offline.
 */
static int choose_cpus(struct cpus *cpus, const struct peat_counters_opts *opts)
{
	bool has_tasks = !opts->all_tasks && !opts->cgroup;

	if (opts->cpus)
		return cpus__choose(cpus, opts->cpus);
	return opts->period && has_tasks && !opts->no_inherit && !opts->self ? read_possible(cpus)
									     : 0;
}

int targets__find(struct targets *targets, const struct peat_counters_opts *opts)
{
	struct cpus cpus = { 0 };
	int err;

	*targets = (struct targets){ .cgroup_fd = -1, .are_cpus = opts->all_tasks || opts->cgroup };
	err = check_options(opts) ?: choose_cpus(&cpus, opts);
	if (err)
		return err;
	if (opts->cgroup)
		err = add_cgroup(targets, opts->cgroup, &cpus);
	else if (opts->all_tasks)
		err = add_cpus(targets, -1, &cpus);
	else
		err = add_tasks(targets, opts, &cpus);
	cpus__free(&cpus);
	return err;
}

void targets__free(struct targets *targets)
{
	free(targets->at);
	if (targets->cgroup_fd >= 0)
		close(targets->cgroup_fd);
	*targets = (struct targets){ .cgroup_fd = -1 };
}

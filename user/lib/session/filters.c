// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* session/filters.c: filters of tasks, CPUs and cgroups, in the constants of programs. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>
#include <bpf/bpf.h>
#include <bpf/libbpf.h>

#include <peat/wire.h>

#include "sys/cgroup.h"
#include "sys/cpus.h"
#include "sys/pid_namespace.h"
#include "session/attach/cgroup_programs.h"
#include "session/filters.h"
#include "object/globals.h"
#include "base/log.h"

#define COMM_BYTES 16 /* the kernel's TASK_COMM_LEN: 15 and a NUL */

/* The object whose constants are set. */
struct target {
	struct bpf_object *object;
	const char *name;
	uint32_t filters; /* PEAT_FILTER_* that were set */
};

static int set_constant(struct target *target, const char *variable, const void *value,
			size_t bytes)
{
	int err = globals__set(target->object, variable, value, bytes);

	if (err == -ENOENT)
		log__error("%s: its programs have no filters (%s): they do not use peat.bpf.h",
			   target->name, variable);
	else if (err)
		log__error("%s: cannot set %s: %s", target->name, variable, strerror(-err));
	return err;
}

static int set_number(struct target *target, uint32_t filter, const char *variable, uint32_t value)
{
	target->filters |= filter;
	return set_constant(target, variable, &value, sizeof(value));
}

static int check_comm(const char *comm)
{
	if (*comm && strlen(comm) < COMM_BYTES)
		return 0;
	log__error("'%s' cannot be the name of a task: it needs 1 to %d bytes", comm,
		   COMM_BYTES - 1);
	return -EINVAL;
}

static int set_comm(struct target *target, const char *comm)
{
	target->filters |= PEAT_FILTER_COMM;
	return set_constant(target, "peat_filter_comm", comm, strlen(comm));
}

static int set_cpus(struct target *target, const char *list)
{
	struct cpus cpus;
	int err = cpus__parse(&cpus, list);

	if (err)
		return err;
	target->filters |= PEAT_FILTER_CPU;
	err = set_constant(target, "peat_filter_cpus", cpus.words, (cpus.limit + 63) / 64 * 8);
	cpus__free(&cpus);
	return err;
}

/* ---- cgroups --------------------------------------------------------------------------------- */

/* The id of the root cgroup.  The id of a cgroup is its inode number (Linux 5.5). */
#define ROOT_ID 1

static uint64_t read_id(int cgroup)
{
	struct stat found;

	return fstat(cgroup, &found) ? 0 : found.st_ino;
}

/* Replaces the fd by that of the parent, and returns the parent's id.  0: no parent is visible. */
static uint64_t open_parent(int *cgroup, uint64_t id)
{
	int parent = cgroup__open_at(*cgroup, "..", O_PATH);
	uint64_t parent_id;

	if (parent < 0)
		return 0;
	close(*cgroup);
	*cgroup = parent;
	parent_id = read_id(parent);
	return parent_id == id ? 0 : parent_id; /* the parent of "/" is "/" */
}

/*
 * The cgroup's id, and its depth below the root.  In a cgroup namespace the root is invisible, so
 * the depth is unknown.  Replaces the fd.
 */
static int read_id_and_level(int *cgroup, const char *path, uint64_t *id, uint32_t *level)
{
	uint64_t above = read_id(*cgroup);

	*id = above;
	for (*level = 0; above && above != ROOT_ID; ++*level)
		above = open_parent(cgroup, above);
	if (above)
		return 0;
	log__error("cannot filter by cgroup '%s': the root of all cgroups is not above it: "
		   "filter outside of this cgroup namespace",
		   path);
	return -ENOTSUP;
}

static bool is_tracing(enum bpf_prog_type type)
{
	return type == BPF_PROG_TYPE_KPROBE || type == BPF_PROG_TYPE_TRACEPOINT ||
	       type == BPF_PROG_TYPE_RAW_TRACEPOINT || type == BPF_PROG_TYPE_PERF_EVENT ||
	       type == BPF_PROG_TYPE_TRACING;
}

/* On Linux 5.10 tracing programs have no helper that returns the cgroup's id. */
static bool lacks_helper(const struct bpf_object *object)
{
	struct bpf_program *program;
	bool found = false;

	bpf_object__for_each_program(program, object) found |=
		is_tracing(bpf_program__type(program));
	return found && !libbpf_probe_bpf_helper(BPF_PROG_TYPE_RAW_TRACEPOINT,
						 BPF_FUNC_get_current_ancestor_cgroup_id, NULL);
}

/* An fd of a map with the cgroup as its only element; or a negative errno. */
static int create_cgroup_map(int cgroup)
{
	uint32_t key = 0;
	int err, fd = bpf_map_create(BPF_MAP_TYPE_CGROUP_ARRAY, "peat_cgroup", 4, 4, 1, NULL);

	if (fd < 0)
		return -errno;
	err = bpf_map_update_elem(fd, &key, &cgroup, 0);
	if (!err)
		return fd;
	close(fd);
	return err;
}

/* The kernel takes no fd that was opened with O_PATH. */
static int map_of_cgroup(int path_fd)
{
	int fd, cgroup = openat(path_fd, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);

	if (cgroup < 0)
		return -errno;
	fd = create_cgroup_map(cgroup);
	close(cgroup);
	return fd;
}

static int use_cgroup_map(struct target *target, int cgroup, const char *path)
{
	struct bpf_map *map = bpf_object__find_map_by_name(target->object, "peat_cgroup");
	int fd = map ? map_of_cgroup(cgroup) : -ENOENT;
	int err = fd < 0 ? fd : bpf_map__reuse_fd(map, fd);

	if (fd >= 0)
		close(fd); /* the map has a copy */
	if (!err)
		err = bpf_map__set_autocreate(map, true); /* false if the object is bound */
	if (!err)
		return set_number(target, PEAT_FILTER_CGROUP, "peat_filter_by_map", 1);
	log__error("%s: cannot filter by cgroup '%s' with the map peat_cgroup: %s", target->name,
		   path, strerror(-err));
	return err;
}

static int set_cgroup(struct target *target, const char *path)
{
	int cgroup = cgroup__open(path, O_PATH), err = 0;
	uint32_t level;
	uint64_t id;

	if (cgroup < 0)
		return cgroup;
	if (lacks_helper(target->object))
		err = use_cgroup_map(target, cgroup, path);
	if (!err)
		err = read_id_and_level(&cgroup, path, &id, &level);
	close(cgroup);
	if (err)
		return err;
	target->filters |= PEAT_FILTER_CGROUP;
	err = set_constant(target, "peat_filter_cgroup", &id, sizeof(id));
	return err ? err : set_constant(target, "peat_filter_cgroup_level", &level, sizeof(level));
}

/* ---- all filters ----------------------------------------------------------------------------- */

/* Signal 0 only looks for the task. */
static bool has_process(uint32_t pid)
{
	return !syscall(SYS_tgkill, pid, pid, 0) || errno == EPERM;
}

static bool has_thread(uint32_t tid)
{
	return !syscall(SYS_tkill, tid, 0) || errno == EPERM;
}

/* No event can come of a task that does not exist. */
static int check_task(const char *kind, uint32_t id, bool exists)
{
	if (!id || exists)
		return 0;
	log__error("there is no %s %u: it may have ended: ps -eL lists all", kind, id);
	return -ESRCH;
}

/* The id that a process has in another pid namespace is that of another process, or of none. */
static int check_tasks(const struct peat_session_opts *opts)
{
	if (!opts->pid && !opts->tid)
		return 0;
	if (pid_namespace__is_initial())
		return check_task("process", opts->pid, has_process(opts->pid))
			       ?: check_task("thread", opts->tid, has_thread(opts->tid));
	log__warn("events have the process ids of the initial pid namespace, and this "
		  "process is in another one: %u selects the process that has this id "
		  "there: select by name or cgroup, or use the host's pid namespace "
		  "(hostPID, --pid=host)",
		  opts->pid ? opts->pid : opts->tid);
	return 0;
}

int filters__check(const struct peat_session_opts *opts)
{
	struct cpus cpus = { 0 };
	int err = opts->comm ? check_comm(opts->comm) : 0;

	if (!err && opts->cpus)
		err = cpus__choose(&cpus, opts->cpus);
	cpus__free(&cpus);
	return err ?: check_tasks(opts);
}

static int set_all(struct target *target, const struct peat_session_opts *opts)
{
	int err = 0;

	if (opts->pid)
		err = set_number(target, PEAT_FILTER_PID, "peat_filter_pid", opts->pid);
	if (!err && opts->tid)
		err = set_number(target, PEAT_FILTER_TID, "peat_filter_tid", opts->tid);
	if (!err && opts->by_uid)
		err = set_number(target, PEAT_FILTER_UID, "peat_filter_uid", opts->uid);
	if (!err && opts->comm)
		err = set_comm(target, opts->comm);
	if (!err && opts->cgroup && !cgroup_programs__has_any(target->object))
		err = set_cgroup(target, opts->cgroup);
	if (!err && opts->cpus)
		err = set_cpus(target, opts->cpus);
	return err;
}

/* Adds to the filters that are set already. */
static int use_filters(struct target *target)
{
	size_t bytes;
	const uint32_t *set = globals__find(target->object, "peat_filters", &bytes);
	uint32_t filters = target->filters | (set && bytes == sizeof(*set) ? *set : 0);

	return set_constant(target, "peat_filters", &filters, sizeof(filters));
}

int filters__set(struct bpf_object *object, const char *name, const struct peat_session_opts *opts)
{
	struct target target = { object, name, 0 };
	int err = set_all(&target, opts);

	return err || !target.filters ? err : use_filters(&target);
}

int filters__replace_cgroup_programs(struct bpf_object *object, const char *name,
				     const struct peat_session_opts *opts)
{
	struct target target = { object, name, 0 };

	if (!opts->cgroup || !cgroup_programs__has_any(object) ||
	    cgroup_programs__has_any_left(object))
		return 0;
	return set_cgroup(&target, opts->cgroup) ?: use_filters(&target);
}

// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* session/filters.c: filters of tasks, CPUs and cgroups, in the constants of programs. */
#include <fcntl.h>
#include <limits.h>
#include <mntent.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/vfs.h>
#include <unistd.h>
#include <linux/magic.h>

#include <peat/wire.h>

#include "sys/cpus.h"
#include "session/filters.h"
#include "object/globals.h"
#include "base/internal.h"

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

/* An fd of the directory if it is a cgroup; or -1. */
static int open_cgroup(int folder, const char *path)
{
	int fd = openat(folder, path, O_PATH | O_DIRECTORY | O_CLOEXEC);
	struct statfs fs;

	if (fd < 0 || (!fstatfs(fd, &fs) && fs.f_type == CGROUP2_SUPER_MAGIC))
		return fd;
	close(fd);
	return -1;
}

/* The mount point of cgroup2; false: it is not mounted. */
static bool find_root(char *root, size_t room)
{
	FILE *mounts = setmntent("/proc/self/mounts", "re");
	struct mntent *mount = NULL;

	while (mounts && (mount = getmntent(mounts)) && strcmp(mount->mnt_type, "cgroup2"))
		;
	if (mount)
		snprintf(root, room, "%s", mount->mnt_dir);
	if (mounts)
		endmntent(mounts);
	return mount;
}

/* An fd of a path of the file system, or of one below the root cgroup, as in /proc/PID/cgroup. */
static int find_cgroup(const char *path)
{
	char root[PATH_MAX], below_root[2 * PATH_MAX];
	int fd = open_cgroup(AT_FDCWD, path);

	if (fd >= 0)
		return fd;
	if (!find_root(root, sizeof(root))) {
		log__error("cannot filter by cgroup '%s': no cgroup2 file system is mounted: "
			   "mount -t cgroup2 none /sys/fs/cgroup",
			   path);
		return -ENOENT;
	}
	snprintf(below_root, sizeof(below_root), "%s/%s", root, path);
	fd = open_cgroup(AT_FDCWD, below_root);
	if (fd >= 0)
		return fd;
	log__error("'%s' is not a cgroup, neither as a path nor below %s", path, root);
	return -ENOENT;
}

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
	int parent = open_cgroup(*cgroup, "..");
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
 * the depth is unknown.  Closes the fd.
 */
static int read_id_and_level(int cgroup, const char *path, uint64_t *id, uint32_t *level)
{
	uint64_t above = read_id(cgroup);

	*id = above;
	for (*level = 0; above && above != ROOT_ID; ++*level)
		above = open_parent(&cgroup, above);
	close(cgroup);
	if (above)
		return 0;
	log__error("cannot filter by cgroup '%s': the root of all cgroups is not above it: "
		   "filter outside of this cgroup namespace",
		   path);
	return -ENOTSUP;
}

static int set_cgroup(struct target *target, const char *path)
{
	int cgroup = find_cgroup(path), err;
	uint32_t level;
	uint64_t id;

	if (cgroup < 0)
		return cgroup;
	err = read_id_and_level(cgroup, path, &id, &level);
	if (err)
		return err;
	target->filters |= PEAT_FILTER_CGROUP;
	err = set_constant(target, "peat_filter_cgroup", &id, sizeof(id));
	return err ? err : set_constant(target, "peat_filter_cgroup_level", &level, sizeof(level));
}

/* ---- all filters ----------------------------------------------------------------------------- */

int filters__check(const struct peat_session_opts *opts)
{
	struct cpus cpus = { 0 };
	int err = opts->comm ? check_comm(opts->comm) : 0;

	if (!err && opts->cpus)
		err = cpus__choose(&cpus, opts->cpus);
	cpus__free(&cpus);
	return err;
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
	if (!err && opts->cgroup)
		err = set_cgroup(target, opts->cgroup);
	if (!err && opts->cpus)
		err = set_cpus(target, opts->cpus);
	return err;
}

int filters__set(struct bpf_object *object, const char *name, const struct peat_session_opts *opts)
{
	struct target target = { object, name, 0 };
	int err = set_all(&target, opts);

	if (err || !target.filters)
		return err;
	return set_constant(&target, "peat_filters", &target.filters, sizeof(target.filters));
}

// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* filters.c: whose events programs emit, said in their constants. */
#include <limits.h>
#include <mntent.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/vfs.h>
#include <linux/magic.h>

#include <peat/wire.h>

#include "sys/cpus.h"
#include "session/filters.h"
#include "object/globals.h"
#include "base/internal.h"

#define COMM_BYTES 16 /* the kernel's TASK_COMM_LEN: 15 and a NUL */

/* The programs of one object, on their way to be told. */
struct target {
	struct bpf_object *object;
	const char *name;
	uint32_t filters; /* PEAT_FILTER_* that were set */
};

static int tell(struct target *target, const char *variable, const void *value, size_t bytes)
{
	int err = globals__set(target->object, variable, value, bytes);

	if (err == -ENOENT)
		log__error("%s: its programs have no such filter (%s): they do not use peat.bpf.h",
			   target->name, variable);
	else if (err)
		log__error("%s: cannot set %s: %s", target->name, variable, strerror(-err));
	return err;
}

static int tell_number(struct target *target, uint32_t filter, const char *variable, uint32_t value)
{
	target->filters |= filter;
	return tell(target, variable, &value, sizeof(value));
}

static int tell_comm(struct target *target, const char *comm)
{
	if (!*comm || strlen(comm) >= COMM_BYTES) {
		log__error("'%s' cannot be the name of a task: those have 1 to %d bytes", comm,
			   COMM_BYTES - 1);
		return -EINVAL;
	}
	target->filters |= PEAT_FILTER_COMM;
	return tell(target, "peat_filter_comm", comm, strlen(comm));
}

static int tell_cpus(struct target *target, const char *list)
{
	struct cpus cpus;
	int err = cpus__parse(&cpus, list);

	if (err) {
		log__error("'%s' is not a list of CPUs such as 0-3,8: %s", list, strerror(-err));
		return err;
	}
	target->filters |= PEAT_FILTER_CPU;
	err = tell(target, "peat_filter_cpus", cpus.words, (cpus.limit + 63) / 64 * 8);
	cpus__free(&cpus);
	return err;
}

/* ---- cgroups --------------------------------------------------------------------------------- */

static bool is_cgroup(const char *path)
{
	struct statfs fs;

	return !statfs(path, &fs) && fs.f_type == CGROUP2_SUPER_MAGIC;
}

/* Where the tree of all cgroups is mounted; false when it is not. */
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

/* The path as it was given, or as /proc/PID/cgroup has it, from the root of all cgroups. */
static int resolve(const char *path, char *full, size_t room)
{
	char root[PATH_MAX];
	int length;

	length = snprintf(full, room, "%s", path);
	if (length > 0 && (size_t)length < room && is_cgroup(full))
		return 0;
	if (!find_root(root, sizeof(root))) {
		log__error("no cgroup2 file system is mounted: mount -t cgroup2 none "
			   "/sys/fs/cgroup");
		return -ENOENT;
	}
	length = snprintf(full, room, "%s/%s", root, path);
	if (length > 0 && (size_t)length < room && is_cgroup(full))
		return 0;
	log__error("'%s' is no cgroup, and neither is there one below %s", path, root);
	return -ENOENT;
}

/* The id of the root of all cgroups.  Of a cgroup, id and inode are the same (Linux 5.5). */
#define ROOT_ID 1

/*
 * The cgroup's id, and how far below the root it is.  In a cgroup namespace the root cannot be
 * seen, so nobody can tell how far away it is.
 */
static int find_place(const char *path, uint64_t *id, uint32_t *level)
{
	char up[PATH_MAX + 64];
	struct stat found;

	snprintf(up, sizeof(up), "%s", path);
	for (*level = 0; !stat(up, &found) && is_cgroup(up); ++*level) {
		if (!*level)
			*id = found.st_ino;
		if (found.st_ino == ROOT_ID)
			return 0;
		if (strlen(up) + sizeof("/..") > sizeof(up))
			break;
		strcat(up, "/..");
	}
	log__error("'%s': the root of all cgroups is not above it: filter outside of this cgroup "
		   "namespace",
		   path);
	return -ENOTSUP;
}

static int tell_cgroup(struct target *target, const char *path)
{
	char full[PATH_MAX];
	uint32_t level;
	uint64_t id;
	int err = resolve(path, full, sizeof(full));

	if (!err)
		err = find_place(full, &id, &level);
	if (err)
		return err;
	target->filters |= PEAT_FILTER_CGROUP;
	err = tell(target, "peat_filter_cgroup", &id, sizeof(id));
	return err ? err : tell(target, "peat_filter_cgroup_level", &level, sizeof(level));
}

/* ---- all of them ----------------------------------------------------------------------------- */

static int tell_all(struct target *target, const struct peat_session_opts *opts)
{
	int err = 0;

	if (opts->pid)
		err = tell_number(target, PEAT_FILTER_PID, "peat_filter_pid", opts->pid);
	if (!err && opts->tid)
		err = tell_number(target, PEAT_FILTER_TID, "peat_filter_tid", opts->tid);
	if (!err && opts->by_uid)
		err = tell_number(target, PEAT_FILTER_UID, "peat_filter_uid", opts->uid);
	if (!err && opts->comm)
		err = tell_comm(target, opts->comm);
	if (!err && opts->cgroup)
		err = tell_cgroup(target, opts->cgroup);
	if (!err && opts->cpus)
		err = tell_cpus(target, opts->cpus);
	return err;
}

int filters__set(struct bpf_object *object, const char *name, const struct peat_session_opts *opts)
{
	struct target target = { object, name, 0 };
	int err = tell_all(&target, opts);

	if (err || !target.filters)
		return err;
	return tell(&target, "peat_filters", &target.filters, sizeof(target.filters));
}

// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* mounts.c: mounts of a namespace of our own. */
#include <errno.h>
#include <mntent.h>
#include <sched.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>
#include <sys/mount.h>
#include <check.h>

#include "mounts.h"

#define TRACEFS "/sys/kernel/tracing"
#define DEBUGFS "/sys/kernel/debug"

static void be_alone(void)
{
	static int alone;

	if (alone++)
		return;
	ck_assert_msg(!unshare(CLONE_NEWNS), "unshare: %s", strerror(errno));
	ck_assert_msg(!mount(NULL, "/", NULL, MS_REC | MS_PRIVATE, NULL), "mount: %s",
		      strerror(errno));
}

void mounts__need_tracefs(void)
{
	if (!access(TRACEFS "/events", F_OK))
		return;
	be_alone();
	ck_assert_msg(!mount("none", TRACEFS, "tracefs", 0, NULL), "mounting tracefs: %s",
		      strerror(errno));
}

void mounts__hide_tracefs(void)
{
	be_alone();
	while (!umount2(DEBUGFS "/tracing", MNT_DETACH))
		;
	while (!umount2(DEBUGFS, MNT_DETACH))
		;
	while (!umount2(TRACEFS, MNT_DETACH))
		;
	ck_assert_int_ne(access(TRACEFS "/events", F_OK), 0);
}

void mounts__hide_btf(void)
{
	be_alone();
	ck_assert_msg(!mount("none", "/sys/kernel/btf", "tmpfs", 0, NULL), "mounting tmpfs: %s",
		      strerror(errno));
}

void mounts__own_bpffs(void)
{
	be_alone();
	ck_assert_msg(!mount("none", "/sys/fs/bpf", "bpf", 0, NULL), "mounting bpffs: %s",
		      strerror(errno));
}

const char *mounts__cgroup2(void)
{
	static char path[256];
	FILE *mounts = setmntent("/proc/self/mounts", "re");
	struct mntent *entry = NULL;

	ck_assert_ptr_nonnull(mounts);
	while ((entry = getmntent(mounts)) && strcmp(entry->mnt_type, "cgroup2"))
		;
	snprintf(path, sizeof(path), "%s", entry ? entry->mnt_dir : "/sys/fs/cgroup");
	endmntent(mounts);
	if (entry)
		return path;
	be_alone();
	ck_assert_msg(!mount("none", path, "cgroup2", 0, NULL), "mounting cgroup2: %s",
		      strerror(errno));
	return path;
}

void mounts__enter_cgroup(const char *path)
{
	char procs[512];
	FILE *file;

	snprintf(procs, sizeof(procs), "%s/cgroup.procs", path);
	file = fopen(procs, "we");
	ck_assert_msg(file && fputs("0", file) >= 0 && !fclose(file), "%s: %s", procs,
		      strerror(errno));
}

// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* mounts.c: mounts in a namespace of this process. */
#include <errno.h>
#include <fcntl.h>
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

static void enter_namespace(void)
{
	static int entered;

	if (entered++)
		return;
	ck_assert_msg(!unshare(CLONE_NEWNS), "unshare: %s", strerror(errno));
	ck_assert_msg(!mount(NULL, "/", NULL, MS_REC | MS_PRIVATE, NULL), "mount: %s",
		      strerror(errno));
}

static void mount_on(const char *path, const char *type, const char *options)
{
	enter_namespace();
	ck_assert_msg(!mount("none", path, type, 0, options), "mounting %s: %s", type,
		      strerror(errno));
}

void mounts__need_tracefs(void)
{
	if (access(TRACEFS "/events", F_OK))
		mount_on(TRACEFS, "tracefs", NULL);
}

void mounts__hide_tracefs(void)
{
	enter_namespace();
	while (!umount2(DEBUGFS "/tracing", MNT_DETACH))
		;
	while (!umount2(DEBUGFS, MNT_DETACH))
		;
	while (!umount2(TRACEFS, MNT_DETACH))
		;
	ck_assert_int_ne(access(TRACEFS "/events", F_OK), 0);
	ck_assert_int_ne(access(DEBUGFS "/tracing/events", F_OK), 0);
}

void mounts__only_in_debugfs(void)
{
	mounts__hide_tracefs();
	mount_on(DEBUGFS, "debugfs", NULL);
}

/* A directory in place of tracefs, whose own mode all mounts of the machine share. */
void mounts__lock_tracefs(void)
{
	mount_on(TRACEFS, "tmpfs", "mode=0,uid=65534");
}

void mounts__hide_btf(void)
{
	mount_on("/sys/kernel/btf", "tmpfs", NULL);
}

void mounts__own_bpffs(void)
{
	mount_on("/sys/fs/bpf", "bpf", NULL);
}

void mounts__hide_bpffs(void)
{
	mount_on("/sys/fs/bpf", "tmpfs", NULL);
}

static void write_number(const char *folder, const char *name, int number)
{
	char path[256];
	FILE *file;

	snprintf(path, sizeof(path), "%s/%s", folder, name);
	file = fopen(path, "we");
	ck_assert_msg(file, "%s: %s", path, strerror(errno));
	fprintf(file, "%d\n", number);
	ck_assert_int_eq(fclose(file), 0);
}

bool mounts__set_topology(unsigned cpu, int core, int socket)
{
	char folder[128];

	snprintf(folder, sizeof(folder), "/sys/devices/system/cpu/cpu%u/topology", cpu);
	if (access(folder, F_OK))
		return false;
	mount_on(folder, "tmpfs", NULL);
	if (core < 0)
		return true;
	write_number(folder, "core_id", core);
	write_number(folder, "physical_package_id", socket);
	return true;
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
	mount_on(path, "cgroup2", NULL);
	return path;
}

const char *mounts__perf_cgroup2(void)
{
	static const char *const changes[] = { "+pids", "-pids" };
	const char *root = mounts__cgroup2();
	char path[300], controllers[256] = "";
	int fd;

	snprintf(path, sizeof(path), "%s/cgroup.subtree_control", root);
	fd = open(path, O_RDWR | O_CLOEXEC);
	ck_assert_int_ge(fd, 0);
	if (read(fd, controllers, sizeof(controllers)) <= 1)
		for (size_t i = 0; i < sizeof(changes) / sizeof(*changes); i++)
			if (write(fd, changes[i], strlen(changes[i])) < 0)
				break; /* version 1 has the controller */
	close(fd);
	return root;
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

// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* sys/namespaces.c: the namespaces of this process that are not the initial ones. */
#include <limits.h>
#include <stdio.h>
#include <sys/stat.h>

#include "sys/cgroup.h"
#include "sys/namespaces.h"

/* The inode: PROC_..._INIT_INO of the kernel, linux/proc_ns.h. */
static const struct {
	struct namespace namespace;
	ino_t initial;
} rows[NAMESPACES] = {
	[NAMESPACE_USER] = { { "user",
			       "its capabilities do not count for BPF and perf events, and events "
			       "have the user ids of the initial one",
			       "run it outside, as root of the machine; containers: none that is "
			       "rootless" },
			     0xeffffffd },
	[NAMESPACE_PID] = { { "pid",
			      "events and filters have the pids of the initial one, nspid is "
			      "unknown, and processes and functions have names less often",
			      "share the pids of the host: the option pid=host of docker and "
			      "podman, hostPID of Kubernetes" },
			    0xeffffffc },
	[NAMESPACE_CGROUP] = { { "cgroup",
				 "its own cgroup, and those outside that existed before, have no "
				 "container, pod and unit",
				 "share the cgroups of the host: the option cgroupns=host of "
				 "docker and podman, a hostPath /sys/fs/cgroup of Kubernetes" },
			       0xeffffffb },
	[NAMESPACE_TIME] = { { "time",
			       "events have the times of the initial one, which clocks of this one "
			       "do not show",
			       NULL },
			     0xeffffffa },
};

const struct namespace *namespaces__get(enum namespace_kind kind)
{
	return &rows[kind].namespace;
}

#define CGROUP_ROOT_INO 1

/* A mount that was made in the initial namespace, such as a hostPath of Kubernetes. */
static bool shows_all_cgroups(void)
{
	char root[PATH_MAX];
	struct stat found;

	return cgroup__find_root(root, sizeof(root)) && !stat(root, &found) &&
	       found.st_ino == CGROUP_ROOT_INO;
}

enum namespace_state namespaces__state(enum namespace_kind kind)
{
	struct stat found;
	char path[64];

	snprintf(path, sizeof(path), "/proc/self/ns/%s", rows[kind].namespace.name);
	if (stat(path, &found))
		return NAMESPACE_UNKNOWN;
	if (found.st_ino == rows[kind].initial)
		return NAMESPACE_INITIAL;
	if (kind == NAMESPACE_CGROUP && shows_all_cgroups())
		return NAMESPACE_TRANSPARENT;
	return NAMESPACE_OTHER;
}

// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* sys/namespaces.c: the namespaces of this process that are not the initial ones. */
#include <stdio.h>
#include <sys/stat.h>

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
				 "docker "
				 "and podman" },
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

enum namespace_state namespaces__state(enum namespace_kind kind)
{
	struct stat found;
	char path[64];

	snprintf(path, sizeof(path), "/proc/self/ns/%s", rows[kind].namespace.name);
	if (stat(path, &found))
		return NAMESPACE_UNKNOWN;
	return found.st_ino == rows[kind].initial ? NAMESPACE_INITIAL : NAMESPACE_OTHER;
}

/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * identity.h: the container, pod and unit that a task belongs to, by the path of its cgroup.
 *
 *	struct peat_identity identity = { .sz = sizeof(identity) };
 *
 *	peat_identity__parse("/system.slice/ssh.service", &identity);
 *	puts(identity.unit);
 *
 * Readers find the identities of events: peat_reader_opts.identity (reader.h).
 *
 * Runtimes name the cgroups of containers in forms of their own: docker, containerd, CRI-O, podman,
 * LXC, systemd-nspawn, Kubernetes with either cgroup driver, ECS, Garden.  No daemon is asked, and
 * no file is read.
 */
#ifndef PEAT_IDENTITY_H
#define PEAT_IDENTITY_H

#include <peat/common.h>

PEAT_BEGIN_DECLS

/* A name of a cgroup has up to 255 bytes, so none is cut; pods and their namespaces 253 and 63. */
struct peat_identity {
	size_t sz; /* sizeof(struct peat_identity), set by the caller */
	/*
	 * "docker", "containerd", "cri-o", "podman", "buildkit", "lxc" or "nspawn"; NULL: no
	 * container, or one of a runtime that the path does not name.
	 */
	const char *runtime;
	char container[256]; /* its whole id, or its name in LXC and systemd-nspawn; "": none */
	/*
	 * The pod's UID, with dashes; podman's pods have an id of 64 digits.  "": none.
	 */
	char pod[65];
	/*
	 * The innermost service or scope of systemd outside the container, as systemctl names it;
	 * "": none.
	 */
	char unit[256];
	/*
	 * Names that no path has: "web", and "NAMESPACE/NAME" of a pod.  "" unless the reader has
	 * peat_reader_opts.find_names.
	 */
	char container_name[256], pod_name[320];
	/* The path that was parsed, not a copy; of an event, valid as long as its identity. */
	const char *path;
};

/*
 * Parses the path of a cgroup, as in /proc/PID/cgroup: "/system.slice/docker-ID.scope".  Paths of
 * cgroup v1 have the same forms.  The innermost container wins, if one runs in another.  Processes
 * of a runtime outside its containers (conmon, LXC's and systemd-nspawn's monitors) have no
 * container.  Pure: needs no privilege.
 *
 *	0		done; members without a value are empty
 *	-EINVAL		.sz is not set
 */
PEAT_API int peat_identity__parse(const char *path, struct peat_identity *identity);

PEAT_END_DECLS

#endif /* PEAT_IDENTITY_H */

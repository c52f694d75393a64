/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* sys/namespaces.h: the namespaces of this process that are not the initial ones. */
#ifndef PEAT_SYS_NAMESPACES_H
#define PEAT_SYS_NAMESPACES_H

enum namespace_kind { NAMESPACE_USER, NAMESPACE_PID, NAMESPACE_CGROUP, NAMESPACE_TIME };

#define NAMESPACES 4

struct namespace
{
	const char *name;   /* "pid" */
	const char *lacks;  /* what is unknown or different in another one than the initial one */
	const char *remedy; /* NULL: none */
};

const struct namespace *namespaces__get(enum namespace_kind kind);

/*
 * NAMESPACE_TRANSPARENT: another one, which lacks nothing: the root of all cgroups is mounted.
 * NAMESPACE_UNKNOWN: the kernel has no such namespaces, or /proc cannot be read.
 */
enum namespace_state {
	NAMESPACE_INITIAL,
	NAMESPACE_TRANSPARENT,
	NAMESPACE_OTHER,
	NAMESPACE_UNKNOWN
};

enum namespace_state namespaces__state(enum namespace_kind kind);

#endif /* PEAT_SYS_NAMESPACES_H */

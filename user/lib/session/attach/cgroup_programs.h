/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* session/attach/cgroup_programs.h: programs of cgroups: their packets, sockets and devices. */
#ifndef PEAT_SESSION_ATTACH_CGROUP_PROGRAMS_H
#define PEAT_SESSION_ATTACH_CGROUP_PROGRAMS_H

#include <stdbool.h>
#include <stddef.h>

struct bpf_object;
struct bpf_program;
struct peat_session;

/* Whether the program is attached to a cgroup. */
bool cgroup_programs__accepts(const struct bpf_program *program);

/* Whether any program of the object is, and whether any of these is not left out. */
bool cgroup_programs__has_any(const struct bpf_object *object);
bool cgroup_programs__has_any_left(const struct bpf_object *object);

/* Warns of programs to be loaded that see all tasks, beside programs of the session's cgroup. */
void cgroup_programs__warn_others(const struct peat_session *session);

/*
 * Attaches a loaded program to the cgroup of the session's options, and so to those below it.  0,
 * or a negative errno, the reason in `why`.
 */
int cgroup_programs__attach(struct peat_session *session, const struct bpf_program *program,
			    char *why, size_t room);

#endif /* PEAT_SESSION_ATTACH_CGROUP_PROGRAMS_H */

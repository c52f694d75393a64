/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
#ifndef PEAT_SESSION_FILTERS_H
#define PEAT_SESSION_FILTERS_H

#include <peat/session.h>

struct bpf_object;

/*
 * Checks the name of a task, the CPUs, the process and the thread.  0, or a negative errno that the
 * log explains: -EINVAL for other text, -ENODEV for CPUs that this machine lacks, -ESRCH for a task
 * that does not exist.  In another pid namespace than the initial one, tasks are not checked: the
 * log warns.
 */
int filters__check(const struct peat_session_opts *opts);

/*
 * Sets the filters of checked options in the constants of an object that is open and not loaded.
 * `name` is for messages.  0, or a negative errno that the log explains: also for a cgroup that
 * does not exist.
 */
int filters__set(struct bpf_object *object, const char *name, const struct peat_session_opts *opts);

/*
 * Sets the filter by cgroup that filters__set() has left to programs of cgroups, if all of these
 * are left out.  Call it when the programs are chosen.  Returns as filters__set().
 */
int filters__replace_cgroup_programs(struct bpf_object *object, const char *name,
				     const struct peat_session_opts *opts);

#endif /* PEAT_SESSION_FILTERS_H */

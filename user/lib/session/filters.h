/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
#ifndef FILTERS_H
#define FILTERS_H

#include <peat/session.h>

struct bpf_object;

/*
 * Tells the programs of an object, which is open and not loaded, whose events the options want.
 * `name` is for messages.  0, or a negative errno that the log explains: EINVAL for what cannot be
 * the name of a task, a list of CPUs, or a cgroup.
 */
int filters__set(struct bpf_object *object, const char *name, const struct peat_session_opts *opts);

#endif /* FILTERS_H */

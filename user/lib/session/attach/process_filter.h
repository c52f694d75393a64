/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * session/attach/process_filter.h: whether the files of a process are looked at, by the filters of
 * a session.
 *
 * The programs filter events anyway.  This saves the other processes the probes in their files.
 * A process that a filter accepts later, since it changes its name or its cgroup, has to be looked
 * at then.  The user is no filter here: daemons map their files before they change it.
 */
#ifndef PEAT_SESSION_ATTACH_PROCESS_FILTER_H
#define PEAT_SESSION_ATTACH_PROCESS_FILTER_H

#include <stdbool.h>
#include <stdint.h>

struct peat_session_opts;

struct process_filter {
	const char *comm; /* NULL: all names */
	char *cgroup;	  /* path below the root; NULL: all cgroups */
};

/* `opts` has to live as long as the filter.  0 or -ENOMEM. */
int process_filter__init(struct process_filter *filter, const struct peat_session_opts *opts);
void process_filter__free(struct process_filter *filter);

/* By the names of its threads.  False also if the process has ended. */
bool process_filter__accepts(const struct process_filter *filter, uint32_t pid);

#endif /* PEAT_SESSION_ATTACH_PROCESS_FILTER_H */

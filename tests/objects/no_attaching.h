/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* no_attaching.h: keeps a process from attaching BPF programs. */
#ifndef TESTS_OBJECTS_NO_ATTACHING_H
#define TESTS_OBJECTS_NO_ATTACHING_H

#include <stdbool.h>

/*
 * From now on, in this process and its children, EPERM is the answer to perf_event_open() and to
 * the commands of bpf() that attach programs or pin objects.  False: there are no seccomp filters.
 */
bool no_attaching__begin(void);

#endif /* TESTS_OBJECTS_NO_ATTACHING_H */

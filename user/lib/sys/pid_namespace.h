/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* sys/pid_namespace.h: the pid namespace of this process, and numbers in others. */
#ifndef PEAT_SYS_PID_NAMESPACE_H
#define PEAT_SYS_PID_NAMESPACE_H

#include <stdbool.h>
#include <stdint.h>

/*
 * Whether it is the initial one, whose pids BPF programs send.  In another one, as in a container,
 * /proc and the kernel's own records have other pids: the process with a pid of an event is another
 * one there.  False, too, if /proc cannot be read.
 */
bool pid_namespace__is_initial(void);

/* The number that a process has in its own pid namespace.  0: /proc cannot be read. */
uint32_t pid_namespace__own_pid(uint32_t pid);

/* Reads the last number of the line NSpid of /proc/PID/status.  Pure.  False: there is none. */
bool pid_namespace__parse_pid(const char *status, uint32_t *pid);

#endif /* PEAT_SYS_PID_NAMESPACE_H */

/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* sys/pid_namespace.h: the pid namespace of this process, and numbers in others. */
#ifndef PEAT_SYS_PID_NAMESPACE_H
#define PEAT_SYS_PID_NAMESPACE_H

#include <stdbool.h>
#include <stdint.h>

#include "sys/own_ids.h"

/*
 * Whether it is the initial one, whose pids BPF programs send.  In another one, as in a container,
 * /proc and the kernel's own records have other pids: the process with a pid of an event is another
 * one there.  False, too, if /proc cannot be read.
 */
bool pid_namespace__is_initial(void);

/* The ids that a thread has in its own pid namespace, from /proc.  False: it cannot be read. */
bool pid_namespace__own_ids(uint32_t tid, struct own_ids *ids);

/* Reads the last numbers of the lines NStgid and NSpid of /proc/PID/status.  Pure. */
bool pid_namespace__parse_ids(const char *status, struct own_ids *ids);

#endif /* PEAT_SYS_PID_NAMESPACE_H */

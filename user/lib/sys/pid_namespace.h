/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* sys/pid_namespace.h: the pid namespace of this process. */
#ifndef PEAT_SYS_PID_NAMESPACE_H
#define PEAT_SYS_PID_NAMESPACE_H

#include <stdbool.h>

/*
 * Whether it is the initial one, whose pids BPF programs send.  In another one, as in a container,
 * /proc and the kernel's own records have other pids: the process with a pid of an event is another
 * one there.  False, too, if /proc cannot be read.
 */
bool pid_namespace__is_initial(void);

#endif /* PEAT_SYS_PID_NAMESPACE_H */

// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* sys/pid_namespace.c: the pid namespace of this process. */
#include <sys/stat.h>

#include "sys/pid_namespace.h"

/* PROC_PID_INIT_INO of the kernel, linux/proc_ns.h. */
#define INITIAL_PID_NAMESPACE 0xeffffffc

bool pid_namespace__is_initial(void)
{
	struct stat namespace;

	return !stat("/proc/self/ns/pid", &namespace) && namespace.st_ino == INITIAL_PID_NAMESPACE;
}

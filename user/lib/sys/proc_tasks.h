/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
#ifndef PROC_TASKS_H
#define PROC_TASKS_H

#include <stdint.h>

/*
 * Tells `use` of each thread that there is now, with the name that the kernel has for it.  Those
 * that come or end meanwhile are told of or not.  0 or a negative errno: there is no /proc.
 */
int proc_tasks__each(void (*use)(void *arg, uint32_t pid, uint32_t tid, const char *comm),
		     void *arg);

#endif /* PROC_TASKS_H */

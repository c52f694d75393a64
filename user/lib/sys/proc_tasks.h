/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
#ifndef PEAT_SYS_PROC_TASKS_H
#define PEAT_SYS_PROC_TASKS_H

#include <stdint.h>

/*
 * Calls `use` for each thread of the machine, with the name that the kernel has for it.  Threads
 * that start or end meanwhile may be missing.  0, or a negative errno if there is no /proc.
 */
int proc_tasks__each(void (*use)(void *arg, uint32_t pid, uint32_t tid, const char *comm),
		     void *arg);

/*
 * The same for the threads of one process, and of all processes of a user.  -ESRCH: no such
 * process; the user has none.
 */
int proc_tasks__of_process(uint32_t pid,
			   void (*use)(void *arg, uint32_t pid, uint32_t tid, const char *comm),
			   void *arg);
int proc_tasks__of_user(uint32_t uid,
			void (*use)(void *arg, uint32_t pid, uint32_t tid, const char *comm),
			void *arg);

#endif /* PEAT_SYS_PROC_TASKS_H */

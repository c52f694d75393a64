/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
#ifndef LIST_FUNCTIONS_H
#define LIST_FUNCTIONS_H

#include <stdbool.h>
#include <stdint.h>

/*
 * list_functions.h: the functions and tracepoints that a source such as kprobe:vfs_* stands for, a
 * line each, with prototypes where types are known; with `pid`, in the files of this process.  0 or
 * an exit status; errors have been printed.
 */
int list_functions__print(const char *source, uint32_t pid, bool json, bool *is_first);

#endif /* LIST_FUNCTIONS_H */

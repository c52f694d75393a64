/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* session/attach/empty_program.h: the smallest program, to try what the kernel has. */
#ifndef PEAT_SESSION_ATTACH_EMPTY_PROGRAM_H
#define PEAT_SESSION_ATTACH_EMPTY_PROGRAM_H

#include <linux/bpf.h>

/*
 * Loads `return 0`.  `target`: a function of the kernel, or NULL.  Returns the program, a file
 * descriptor; or a negative errno.
 */
int empty_program__load(enum bpf_prog_type type, int attach_type, const char *target);

#endif /* PEAT_SESSION_ATTACH_EMPTY_PROGRAM_H */

/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
#ifndef PEAT_OBJECT_KERNEL_ATOMICS_H
#define PEAT_OBJECT_KERNEL_ATOMICS_H

#include <stdbool.h>

/*
 * Whether the kernel refuses BPF programs with atomic operations that return a value (Linux 5.12).
 * It is tried, since kernels of distributions have parts of newer ones.  False also if the process
 * may not load programs.
 */
bool kernel_atomics__are_missing(void);

/* Whether the kernel is a real-time kernel, on which BPF programs of a CPU preempt each other. */
bool kernel_atomics__is_realtime(void);

#endif /* PEAT_OBJECT_KERNEL_ATOMICS_H */

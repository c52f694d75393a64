/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
#ifndef NO_KERNEL_H
#define NO_KERNEL_H

#include <stdbool.h>

/*
 * no_kernel.h: lets libbpf load objects without the kernel's BPF.
 *
 * From now on, bpf(2) does nothing in this process and returns 0, which libbpf takes for the file
 * descriptor of a program, map or BTF.  Calls that would change anything outside the process fail.
 * False: this kernel has no seccomp filters.
 */
bool no_kernel__begin(void);

#endif /* NO_KERNEL_H */

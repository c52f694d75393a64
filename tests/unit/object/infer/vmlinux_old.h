/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* vmlinux_old.h: a type of a kernel that is not the running one, for borrowed.bpf.c. */
#ifndef VMLINUX_OLD_H
#define VMLINUX_OLD_H

#include <vmlinux.h>

struct of_an_old_kernel {
	__u64 a, b, c;
};

struct of_another_kernel {
	__u64 a, b, c;
};

#endif /* VMLINUX_OLD_H */

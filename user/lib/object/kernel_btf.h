/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * object/kernel_btf.h: the BTF of the running kernel: its own, or a file that the user names.
 *
 * libbpf needs it for CO-RE relocations, and the verifier for tp_btf, fentry, fexit and lsm
 * programs.  A file replaces it only for relocations.
 */
#ifndef PEAT_OBJECT_KERNEL_BTF_H
#define PEAT_OBJECT_KERNEL_BTF_H

#include <stdbool.h>

#define KERNEL_BTF "/sys/kernel/btf/vmlinux"

/* Whether the kernel has no BTF (CONFIG_DEBUG_INFO_BTF), or this process cannot read it. */
bool kernel_btf__is_missing(void);

/*
 * Finds a file for the running kernel.  `given` is the file itself: raw BTF, or an ELF file with a
 * section .BTF.  Or it is a directory with a file RELEASE.btf, as of uname(2), or BUILD-ID.btf.
 *
 *	0		*path is its path, allocated
 *	-ENOENT		no such file, or the directory has none for this kernel
 *	-EBADMSG	no BTF, or that of a machine with the other byte order
 *	another negative errno
 *
 * Errors are logged.
 */
int kernel_btf__find(const char *given, char **path);

#endif /* PEAT_OBJECT_KERNEL_BTF_H */

/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * object/kernel_enums.h: names of the running kernel's enums for members tagged by
 * PEAT_KERNEL_ENUM().  Values of such enums differ between kernels.
 */
#ifndef PEAT_OBJECT_KERNEL_ENUMS_H
#define PEAT_OBJECT_KERNEL_ENUMS_H

struct bpf_object;
struct btf;

/*
 * Gives the tagged members in the BTF of an object that is not loaded yet the names of the running
 * kernel.  `kernel_btf`: a file with its types; NULL: the kernel's own.  Members whose enum the
 * kernel lacks keep their type.  0 or -ENOMEM.
 */
int kernel_enums__use(struct bpf_object *object, const char *kernel_btf);

/* Likewise, for a BTF, with the enums of another BTF. */
int kernel_enums__copy(struct btf *to, const struct btf *kernel);

#endif /* PEAT_OBJECT_KERNEL_ENUMS_H */

/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * core_btf.h: the types by which libbpf relocates an object (CO-RE).
 *
 * For an object with any relocation libbpf reads and indexes all types of the kernel, some 5 MB,
 * twice in memory: half of the time that a small one takes to load.  But where none asks for them -
 * a program that uses peat.bpf.h and no structure of the kernel has only ids of its own types - a
 * file without types does as well, also on a kernel that tells none.
 */
#ifndef CORE_BTF_H
#define CORE_BTF_H

#include <stddef.h>

struct core_btf {
	int fd;
	char path[32]; /* "": the kernel's types are needed */
};

/* Looks at an object, an ELF file, in memory or by its path.  One that cannot be read needs the
 * kernel's types. */
void core_btf__choose(struct core_btf *btf, const void *object, size_t bytes);
void core_btf__choose_for_file(struct core_btf *btf, const char *path);

/* For bpf_object_open_opts.btf_custom_path: NULL, or a file that is there until core_btf__close().
 */
const char *core_btf__path(const struct core_btf *btf);

/* To be called when the object is loaded, or will never be; again does nothing, nor for one that is
 * all zero. */
void core_btf__close(struct core_btf *btf);

#endif /* CORE_BTF_H */

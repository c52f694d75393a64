/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * object/core_btf.h: chooses the BTF that libbpf uses for the CO-RE relocations of an object.
 *
 * For an object with any relocation, libbpf reads and indexes all types of the kernel: about 5 MB,
 * twice in memory, and half of the load time of a small object.  If no relocation needs the
 * kernel's types, an empty BTF file is enough, also on a kernel without BTF.  Such are programs
 * that use peat.bpf.h and no struct of the kernel: they only have ids of their own types.
 */
#ifndef PEAT_OBJECT_CORE_BTF_H
#define PEAT_OBJECT_CORE_BTF_H

#include <stddef.h>

struct core_btf {
	int fd;
	char path[32];	   /* "": the kernel's types are needed */
	const char *given; /* the file that has these; NULL: libbpf finds them */
};

/*
 * Chooses the BTF for an object, an ELF file in memory.  An object that cannot be read
 * gets the kernel's types: from `given`, a path that has to stay valid until core_btf__close();
 * NULL: of the running kernel.  Without CAP_SYS_ADMIN, these are without the types of modules.
 */
void core_btf__choose(struct core_btf *btf, const void *object, size_t bytes, const char *given);

/* For bpf_object_open_opts.btf_custom_path: NULL, or a path that is valid until core_btf__close().
 */
const char *core_btf__path(const struct core_btf *btf);

/* Call it after the object is loaded, or has failed to.  May be called twice, and if all zero. */
void core_btf__close(struct core_btf *btf);

#endif /* PEAT_OBJECT_CORE_BTF_H */

/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * object/infer/type_file.h: reads the types in a file: BTF and DWARF of an object, or plain BTF
 * such as /sys/kernel/btf/vmlinux.
 */
#ifndef PEAT_OBJECT_INFER_TYPE_FILE_H
#define PEAT_OBJECT_INFER_TYPE_FILE_H

#include "object/infer/candidates.h"

struct Elf;
struct btf;

struct type_file {
	struct btf *btf; /* NULL: it has no BTF */
	bool is_open;
	int fd; /* valid if is_open */
	struct Elf *elf;
	struct dwarf *info; /* NULL: it has no DWARF */
};

/* 0 or a negative errno, which is logged.  -ENODATA: the file has neither BTF nor DWARF. */
int type_file__open(struct type_file *file, const char *path);

/* All zero is allowed. */
void type_file__close(struct type_file *file);

/*
 * Finds the struct, union or typedef `name`; returns its schema and size.  BTF has priority over
 * DWARF, and structs over the others; either of `btf` and `info` may be NULL.
 *   0: *schema is NULL if there is no such type
 *   -EINVAL: the type cannot be an event; logged
 *   -EBADMSG: the types are invalid
 *   -ENOMEM
 */
int type_file__find(const struct btf *btf, struct dwarf *info, const char *name,
		    struct peat_schema **schema, uint64_t *bytes);

#endif /* PEAT_OBJECT_INFER_TYPE_FILE_H */

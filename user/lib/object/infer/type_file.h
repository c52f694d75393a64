/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * type_file.h: the types that a file has: an object's BTF and debug information, or BTF alone, as
 * in /sys/kernel/btf/vmlinux.
 */
#ifndef TYPE_FILE_H
#define TYPE_FILE_H

#include "object/infer/candidates.h"

struct Elf;
struct btf;

struct type_file {
	struct btf *btf; /* NULL: it has none */
	bool is_open;
	int fd; /* if so */
	struct Elf *elf;
	struct debug_info *info; /* likewise */
};

/* 0 or a negative errno, which the log explains.  What has types of neither kind is -ENODATA. */
int type_file__open(struct type_file *file, const char *path);

/* Takes one of zeroes, too. */
void type_file__close(struct type_file *file);

/*
 * The type called `name`, a struct, a union or a typedef of one, as a schema, and its bytes.  What
 * is in the BTF comes first, and of that structs; either of both may be NULL.  0, and *schema is
 * NULL: there is none; or a negative errno: -EINVAL, it is no type for events, which the log
 * explains, -EBADMSG, the types make no sense, -ENOMEM.
 */
int type_file__find(const struct btf *btf, struct debug_info *info, const char *name,
		    struct peat_schema **schema, uint64_t *bytes);

#endif /* TYPE_FILE_H */

/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* dwarf_types/read_prototypes.h: reads the prototypes of functions of a program. */
#ifndef PEAT_DWARF_TYPES_READ_PROTOTYPES_H
#define PEAT_DWARF_TYPES_READ_PROTOTYPES_H

#include <libelf.h>

#include "functions/user_prototypes.h"

/* A user_prototypes_reader. */
int read_prototypes(struct btf **btf, const char *path, struct user_function *functions,
		    size_t count, bool has_members);

struct prototype_source {
	Elf *elf;
	bool opens_split; /* files .dwo that it names, wherever these lead */
	bool has_members;
};

/*
 * Likewise with the DWARF of a file.  Functions have addresses of this file in place of their
 * offsets.
 */
int read_prototypes__of_elf(struct btf **btf, const struct prototype_source *source,
			    struct user_function *functions, size_t count);

#endif /* PEAT_DWARF_TYPES_READ_PROTOTYPES_H */

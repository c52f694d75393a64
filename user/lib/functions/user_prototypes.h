/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * functions/user_prototypes.h: prototypes of functions of programs, from debug information.
 *
 * libpeat-data has the reader, for DWARF.  Without user_prototypes__use(), no prototype is known.
 */
#ifndef PEAT_FUNCTIONS_USER_PROTOTYPES_H
#define PEAT_FUNCTIONS_USER_PROTOTYPES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "functions/found_functions.h"
#include "functions/prototype.h"

struct btf;

struct user_function {
	const char *name; /* as it is printed */
	uint64_t offset;  /* in the file */
	uint32_t id;	  /* result: the FUNC; 0: unknown */
};

/*
 * Reads the prototypes of functions of a program or library.  `btf` gets a FUNC and a FUNC_PROTO of
 * each that is known, with their types; NULL: none is known.  The file may be hostile: types are
 * left out if there are too many.  Without `has_members`, structs have none.
 *
 *	0
 *	-ENODATA	the file has no debug information that can be read
 *	-ENOMEM
 */
typedef int (*user_prototypes_reader)(struct btf **btf, const char *path,
				      struct user_function *functions, size_t count,
				      bool has_members);
void user_prototypes__use(user_prototypes_reader reader);

/*
 * Sets `prototype` of the found functions, which are of the file `path`: ids in `btf`, which the
 * caller frees; NULL: none is known.  Variants that the compiler made ("f.isra.0") have none, since
 * their arguments are others.  0 or -ENOMEM.
 */
int user_prototypes__read(struct btf **btf, const char *path, struct found_functions *found,
			  bool has_members);

/* The prototype of such a function.  False: unknown; `prototype` has btf NULL then. */
bool user_prototypes__find(const struct btf *btf, const struct found_function *function,
			   struct prototype *prototype);

#endif /* PEAT_FUNCTIONS_USER_PROTOTYPES_H */

/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* functions/prototype.h: parameters and results of functions of the kernel and of programs. */
#ifndef PEAT_FUNCTIONS_PROTOTYPE_H
#define PEAT_FUNCTIONS_PROTOTYPE_H

#include <stdbool.h>
#include <stdint.h>

struct btf;
struct prototypes;

struct prototype {
	const struct btf *btf; /* has the types; NULL: the prototype is unknown */
	uint32_t id;	       /* id of the FUNC_PROTO */
	bool is_user;	       /* its pointers lead to user memory */
};

/*
 * The kernel's, from its BTF or from the file `path`, and those of its modules.  `path` may be
 * NULL. Names are indexed at the first search.  0, -ENOENT: this kernel has no BTF, -EBADMSG:
 * invalid BTF; or another negative errno.
 */
int prototypes__open(struct prototypes **prototypes, const char *path);
void prototypes__free(struct prototypes *prototypes); /* NULL is allowed */

/* The same for BTF that the caller keeps, such as that of a program.  It has no modules. */
int prototypes__open_btf(struct prototypes **prototypes, const struct btf *btf, bool is_user);

/*
 * Finds a function.  `module` NULL: of the kernel itself.  A function that the compiler changed
 * ("f.isra.0", "f.constprop.0", "f.part.0") has no prototype, since its arguments are others.  Nor
 * have several functions of one name whose prototypes differ.
 * False: unknown; `found` has btf NULL then.
 */
bool prototypes__find(struct prototypes *prototypes, const char *function, const char *module,
		      struct prototype *found);

/* The parameters without "...".  `is_variadic`, which may be NULL: whether "..." follows. */
uint32_t prototype__named(const struct prototype *prototype, bool *is_variadic);

#endif /* PEAT_FUNCTIONS_PROTOTYPE_H */

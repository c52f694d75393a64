/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * object/infer/dwarf.h: reads the types in an object's DWARF.
 *
 * BTF lacks types that only local variables have; DWARF has all types.  Without dwarf__use(),
 * dwarf__open() always returns -ENODATA.
 */
#ifndef PEAT_OBJECT_INFER_DWARF_H
#define PEAT_OBJECT_INFER_DWARF_H

#include <stdbool.h>
#include <stdint.h>

struct Elf; /* libelf's */
struct btf;
struct dwarf;

/* A struct or a union that has a name, or a typedef of one. */
struct dwarf_type {
	const char *name; /* owned by the object */
	bool is_union, is_typedef;
	bool is_alias;	 /* a typedef of a type that has a name itself */
	bool is_kernels; /* declared in a vmlinux.h: a type of some kernel */
	uint64_t bytes;
	uint64_t place; /* for dwarf__btf() */
};

/*
 * Reads from `elf`, which has to outlive it, when needed.  0; -ENODATA: the object has no DWARF, or
 * invalid DWARF; -ENOMEM.
 */
int dwarf__open(struct dwarf **info, struct Elf *elf);

/* NULL is allowed. */
void dwarf__free(struct dwarf *info);

/*
 * Calls `visit` for each such type, also for types in functions; a type can be visited twice.
 * Stops and returns the result if `visit` does not return 0.  -E2BIG: there are too many types.
 */
int dwarf__each(struct dwarf *info, int (*visit)(void *ctx, const struct dwarf_type *type),
		void *ctx);

/*
 * Returns new BTF with the type and the types of its members, and the type's id in it.  Types that
 * BTF cannot express become arrays of bytes; targets of pointers are left out.  NULL and errno:
 * EBADMSG (invalid), E2BIG, ENOMEM.
 */
struct btf *dwarf__btf(struct dwarf *info, uint64_t place, uint32_t *id);

/* The functions above; the room that reads DWARF fills them. */
struct dwarf_functions {
	int (*open)(struct dwarf **info, struct Elf *elf);
	void (*free)(struct dwarf *info);
	int (*each)(struct dwarf *info, int (*visit)(void *ctx, const struct dwarf_type *type),
		    void *ctx);
	struct btf *(*btf)(struct dwarf *info, uint64_t place, uint32_t *id);
};

void dwarf__use(const struct dwarf_functions *functions);

#endif /* PEAT_OBJECT_INFER_DWARF_H */

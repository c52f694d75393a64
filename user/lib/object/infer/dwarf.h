/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * debug_info.h: the types in an object's DWARF.
 *
 * BTF has no types that only local variables are of; DWARF has all.  Where the library was built
 * without libdw there is never any.
 */
#ifndef DEBUG_INFO_H
#define DEBUG_INFO_H

#include <stdbool.h>
#include <stdint.h>

struct Elf; /* libelf's */
struct btf;
struct debug_info;

/* A struct or a union that has a name, or a typedef of one. */
struct debug_type {
	const char *name; /* the object's */
	bool is_union, is_typedef;
	bool is_alias; /* a typedef of what has a name of its own */
	uint64_t bytes;
	uint64_t place; /* for debug_info__btf() */
};

/*
 * Reads on from `elf`, which has to outlive it.  0, -ENODATA (the object has none, or none that can
 * be understood), -ENOMEM.
 */
int debug_info__open(struct debug_info **info, struct Elf *elf);

/* Takes NULL. */
void debug_info__free(struct debug_info *info);

/*
 * Calls `see` for each of these types, those in functions too; the same one may come several times.
 * Stops when `see` returns another number than 0 and returns that; -E2BIG: there are too many.
 */
int debug_info__each(struct debug_info *info, int (*see)(void *ctx, const struct debug_type *type),
		     void *ctx);

/*
 * The type, and those that its members are of, as BTF of its own, and the id in there.  What BTF
 * has no word for is an array of bytes, what pointers point to is left out.  NULL and errno:
 * EBADMSG (makes no sense), E2BIG, ENOMEM.
 */
struct btf *debug_info__btf(struct debug_info *info, uint64_t place, uint32_t *id);

#endif /* DEBUG_INFO_H */

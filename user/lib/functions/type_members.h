/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * functions/type_members.h: members of a struct or union, with those of the anonymous structs and
 * unions inside, as C finds them by name.  Pure.
 */
#ifndef PEAT_FUNCTIONS_TYPE_MEMBERS_H
#define PEAT_FUNCTIONS_TYPE_MEMBERS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct btf;
struct btf_type;

struct type_member {
	const char *name;
	uint32_t type; /* id */
	uint64_t bit;  /* from the start of the outermost struct */
	uint32_t bits; /* of a bit-field; 0: none */
};

/* True: stop. */
typedef bool (*type_members_visitor)(void *context, const struct type_member *member);

/*
 * Visits the members that have names.  0: all; 1: the visitor stopped; -EBADMSG: invalid BTF, or
 * more members than a type can have.
 */
int type_members__each(const struct btf *btf, const struct btf_type *type,
		       type_members_visitor visit, void *context);

/* Finds a member by the first `bytes` bytes of `name`.  0, -ENOENT or -EBADMSG. */
int type_members__find(const struct btf *btf, const struct btf_type *type, const char *name,
		       size_t bytes, struct type_member *found);

#endif /* PEAT_FUNCTIONS_TYPE_MEMBERS_H */

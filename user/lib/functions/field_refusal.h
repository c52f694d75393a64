/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* functions/field_refusal.h: the reasons why a path cannot be a field, in words. */
#ifndef PEAT_FUNCTIONS_FIELD_REFUSAL_H
#define PEAT_FUNCTIONS_FIELD_REFUSAL_H

#include <stddef.h>

#include "functions/field_path.h"
#include "functions/plain_type.h"

/* The state of resolving a path. */
struct field_walk {
	const struct function_path *path;
	const struct btf *btf;
	struct function_field *field;
	size_t bytes;		/* of the path up to here */
	struct plain_type type; /* of the path up to here */
	uint32_t pointers;	/* followed, without the step to an argument on the stack */
	uint32_t user_step;	/* the first step through user memory, from 1; 0: none is known */
	bool is_result;
};

/* Appends the reason to path->why, and returns `err`. */
__attribute__((format(printf, 3, 4))) int field_refusal(const struct field_walk *walk, int err,
							const char *format, ...);

/* The path up to here, for messages with %.*s. */
int field_refusal__label_bytes(const struct field_walk *walk);

/* -EBADMSG: the type of the path up to here is invalid. */
int field_refusal__invalid(const struct field_walk *walk);

/* -ENOENT: the first name of the path is no parameter. */
int field_refusal__no_parameter(const struct field_walk *walk);

/* -ENOENT: the struct has no such member. */
int field_refusal__no_member(const struct field_walk *walk, const char *name, size_t bytes);

/* -EINVAL: the path ends at a type that cannot be a field. */
int field_refusal__type(const struct field_walk *walk);

/* -EINVAL: a member of a type that has none. */
int field_refusal__no_struct(const struct field_walk *walk);

#endif /* PEAT_FUNCTIONS_FIELD_REFUSAL_H */

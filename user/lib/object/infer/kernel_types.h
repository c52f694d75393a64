/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
#ifndef PEAT_OBJECT_INFER_KERNEL_TYPES_H
#define PEAT_OBJECT_INFER_KERNEL_TYPES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct btf;

/* The structs, unions and typedefs of a kernel, by name and kind.  All zero: none. */
struct kernel_types {
	struct kernel_type *at;
	size_t count;
};

/* Reads the types in `btf`, which has to outlive it.  NULL: no types.  0 or -ENOMEM. */
int kernel_types__read(struct kernel_types *types, const struct btf *btf);

/* Ignores the suffix of CO-RE variants: "task_struct___old" is task_struct. */
bool kernel_types__has(const struct kernel_types *types, const char *name, uint32_t kind);

void kernel_types__free(struct kernel_types *types);

#endif /* PEAT_OBJECT_INFER_KERNEL_TYPES_H */

/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
#ifndef KERNEL_TYPES_H
#define KERNEL_TYPES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct btf;

/* The structs, unions and typedefs of a kernel, by name and kind.  All zero: none. */
struct kernel_types {
	struct kernel_type *at;
	size_t count;
};

/* Those in `btf`, which has to outlive it.  NULL: none.  0 or -ENOMEM. */
int kernel_types__read(struct kernel_types *types, const struct btf *btf);

/* Types of the same name in variants (CO-RE's "task_struct___old") count as well. */
bool kernel_types__has(const struct kernel_types *types, const char *name, uint32_t kind);

void kernel_types__free(struct kernel_types *types);

#endif /* KERNEL_TYPES_H */

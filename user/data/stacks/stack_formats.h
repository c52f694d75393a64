/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* stacks/stack_formats.h: the formats that counted stacks are written in: a row each. */
#ifndef PEAT_STACKS_STACK_FORMATS_H
#define PEAT_STACKS_STACK_FORMATS_H

#include <peat/stacks.h>

struct counted_stacks;

struct stack_format {
	const char *name, *suffix;
	/* 0; -ENOMEM; or the error of writing. */
	int (*write)(const struct counted_stacks *stacks, int fd);
};

/* NULL: there is no such format. */
const struct stack_format *stack_formats__of(enum peat_stacks_format format);

#endif /* PEAT_STACKS_STACK_FORMATS_H */

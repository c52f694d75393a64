/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* sys/kernel_modules.h: the modules of the running kernel, from /proc/modules. */
#ifndef PEAT_SYS_KERNEL_MODULES_H
#define PEAT_SYS_KERNEL_MODULES_H

#include <stdbool.h>
#include <stdint.h>

#define KERNEL_MODULE_NAME 64

struct kernel_module {
	char name[KERNEL_MODULE_NAME];
	uint64_t start, bytes;
};

/*
 * Parses a line, with or without its newline.  Pure.  False: it is not such a line, or the kernel
 * hides the address.
 */
bool kernel_modules__parse(struct kernel_module *module, const char *line);

/* Calls `use` for each module.  0, or a negative errno: -ENOENT: a kernel without modules. */
int kernel_modules__each(void (*use)(void *arg, const struct kernel_module *module), void *arg);

#endif /* PEAT_SYS_KERNEL_MODULES_H */

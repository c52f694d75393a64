/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* sys/loaded_functions.h: the code of the BPF programs that are loaded. */
#ifndef PEAT_SYS_LOADED_FUNCTIONS_H
#define PEAT_SYS_LOADED_FUNCTIONS_H

#include <stdint.h>

struct loaded_function {
	uint64_t address;
	uint32_t bytes;
	const char *name; /* as in /proc/kallsyms: "bpf_prog_6deef7357e7b4530_on_exec" */
};

/*
 * Calls `use` for each function of each program that the kernel has compiled.  0 or a negative
 * errno: -EPERM: it wants CAP_SYS_ADMIN; -ENOMEM.  Programs whose addresses it hides are left out.
 */
int loaded_functions__each(void (*use)(void *arg, const struct loaded_function *function),
			   void *arg);

#endif /* PEAT_SYS_LOADED_FUNCTIONS_H */

/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* functions/kernel_functions.h: finds functions of the kernel and of its modules. */
#ifndef PEAT_FUNCTIONS_KERNEL_FUNCTIONS_H
#define PEAT_FUNCTIONS_KERNEL_FUNCTIONS_H

#include "functions/found_functions.h"

/*
 * Finds the functions that match a name or glob.  `found` is zeroes.
 *
 * A glob stands for functions that ftrace can trace, from tracefs; kernels without its list: for
 * those of kallsyms.  An exact name needs ftrace's list only if it has several addresses, since
 * single kprobes probe other functions, too.  It is found with place 0 if kallsyms cannot be read.
 *
 * Functions of the blacklist of kprobes are left out.  Names with a dot that compilers make
 * ("f.isra.0", "f.cold") match if the pattern has a dot.  A name with several addresses is one
 * function for each; if a list without addresses has only some of them, all are left out.  Places
 * are 0 if the kernel hides addresses.
 *
 *	0		found->count is not 0
 *	-ENOENT		none; left_out: some match, and cannot be probed; or alike has a name
 *	-EACCES		this user may not read the lists
 *	-EPERM		the kernel is locked down: no user may
 *	another negative errno
 */
int kernel_functions__find(struct found_functions *found, const char *pattern);

/* The same for the contents of the files, NUL-terminated; NULL: there is no such file.  Pure. */
struct kernel_function_lists {
	const char *kallsyms;	  /* /proc/kallsyms */
	const char *filter;	  /* tracefs: available_filter_functions */
	const char *filter_addrs; /* tracefs: available_filter_functions_addrs (Linux 6.5) */
	const char *blacklist;	  /* debugfs: kprobes/blacklist */
};

int kernel_functions__select(struct found_functions *found, const char *pattern,
			     const struct kernel_function_lists *lists);

#endif /* PEAT_FUNCTIONS_KERNEL_FUNCTIONS_H */

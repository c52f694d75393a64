/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * functions/kernel_symbols.h: the functions in a text of /proc/kallsyms.  Pure.  All are kept,
 * since an address of ftrace is that of the symbol before it.
 */
#ifndef PEAT_FUNCTIONS_KERNEL_SYMBOLS_H
#define PEAT_FUNCTIONS_KERNEL_SYMBOLS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "functions/word.h"

struct kernel_function {
	uint64_t address;	  /* 0: the kernel hides it */
	struct word name, module; /* in the text; no bytes: the kernel itself */
	uint32_t listed;	  /* of a list without addresses: lines with this name */
	bool is_chosen;
};

struct kernel_symbols {
	struct kernel_function *at; /* by rising address */
	size_t count, room;
};

/*
 * Parses the text.  Skipped are code that the kernel generates, the room before functions that the
 * compiler makes ("__pfx_vfs_read"), and symbols of the kernel itself that are not between _stext
 * and _etext.  0 or -ENOMEM: nothing is to be freed.
 */
int kernel_symbols__parse(struct kernel_symbols *symbols, const char *kallsyms);
void kernel_symbols__free(struct kernel_symbols *symbols);

/* Whether the kernel hides all addresses. */
bool kernel_symbols__are_hidden(const struct kernel_symbols *symbols);

/*
 * The symbol of the function whose call of ftrace has this address: a few bytes after its start,
 * behind an endbr64 or bti.  Several symbols there: that of this name, or the last.  NULL: none.
 */
struct kernel_function *kernel_symbols__find_traced(const struct kernel_symbols *symbols,
						    uint64_t address, struct word name);

#endif /* PEAT_FUNCTIONS_KERNEL_SYMBOLS_H */

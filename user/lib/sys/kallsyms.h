/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* symbols.h: the names of addresses in the kernel, and the stacks that a BPF map keeps. */
#ifndef SYMBOLS_H
#define SYMBOLS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/strbuf.h"

struct symbols;

/*
 * The functions among lines as those of /proc/kallsyms, of the kernel and its modules; what is no
 * such line is skipped.  Pure.  NULL: no memory.
 */
struct symbols *symbols__parse(const char *bytes, size_t count);
void symbols__free(struct symbols *symbols); /* takes NULL */
size_t symbols__count(const struct symbols *symbols);

/* Whether there are functions, all of them without an address. */
bool symbols__are_hidden(const struct symbols *symbols);

/*
 * The function that `address` lies in, and how far inside; NULL: none.  The name is of ASCII
 * without quotes and backslashes.
 */
const char *symbols__find(const struct symbols *symbols, uint64_t address, uint64_t *offset);

/*
 * "vfs_read+0x10", "vfs_read" for its very beginning, or "0xffffffff81000000" without a name: by
 * the symbols of the running kernel, which are read at the first call.  From any thread.
 */
void symbols__append(struct out *out, uint64_t address);

/* Whether the running kernel's code begins there, as "_text" or "_stext" says. */
bool symbols__text_is_at(const char *name, uint64_t address);

/* Where it begins, and by which name; false: not known. */
bool symbols__text(const char **name, uint64_t *address);

/*
 * The addresses of the stack `id` in a BPF_MAP_TYPE_STACK_TRACE, innermost first; `max` as many as
 * the map's values have.  How many there are; 0: there is no such stack.
 */
uint32_t symbols__stack(int fd, uint32_t id, uint64_t *addresses, uint32_t max);

#endif /* SYMBOLS_H */

/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* sys/kallsyms.h: the names of kernel addresses, and the stacks in a BPF map. */
#ifndef PEAT_SYS_KALLSYMS_H
#define PEAT_SYS_KALLSYMS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/strbuf.h"

struct kallsyms;

/*
 * The symbols that addresses are printed with.  The running kernel gives the addresses of an
 * unloaded BPF program or trampoline to the next one, so a recording may have an address of a
 * program that is gone: only LASTING symbols are right for it.
 */
enum symbols {
	SYMBOLS_NONE,	 /* print addresses only */
	SYMBOLS_LASTING, /* functions of the kernel and its modules */
	SYMBOLS_ALL,	 /* also BPF programs and trampolines, as loaded now */
};

/*
 * Parses lines of /proc/kallsyms and keeps these functions (LASTING or ALL).  Other lines are
 * skipped.  Pure.  NULL: no memory.
 */
struct kallsyms *kallsyms__parse(const char *bytes, size_t count, enum symbols which);
void kallsyms__free(struct kallsyms *symbols); /* NULL is allowed */
size_t kallsyms__count(const struct kallsyms *symbols);

/* Whether the kernel hides the addresses: functions are listed, but all at address 0. */
bool kallsyms__are_hidden(const struct kallsyms *symbols);

/*
 * The name of the function that contains `address`, and the offset in it; NULL: none.  The name is
 * ASCII without quotes and backslashes.  The end of the last function of a module is not listed:
 * LASTING symbols have it end with its page, since BPF programs may follow.
 */
const char *kallsyms__find(const struct kallsyms *symbols, uint64_t address, uint64_t *offset);

struct kernel_symbol {
	const char *name;
	const char *owner; /* "": the kernel itself; "[nf_tables]", "[bpf]" */
	uint64_t offset;
};

/* Likewise, with the owner.  False: none. */
bool kallsyms__find_owned(const struct kallsyms *symbols, uint64_t address,
			  struct kernel_symbol *found);

/*
 * Appends "vfs_read+0x10", "vfs_read" for offset 0, or "0xffffffff81000000" for an address without
 * a name.  The symbols are those of the running kernel; the first call reads them.  Thread-safe.
 */
void kallsyms__append(struct strbuf *out, uint64_t address, enum symbols which);

/* Its name and the offset, as above; they live as long as the process.  NULL, false: it has none.
 */
const char *kallsyms__name(uint64_t address, enum symbols which, uint64_t *offset);
bool kallsyms__symbol(uint64_t address, enum symbols which, struct kernel_symbol *found);
void kallsyms__append_name(struct strbuf *out, const char *name, uint64_t offset);

/* Whether the running kernel has "_text" or "_stext" (`name`), the start of its code, there. */
bool kallsyms__text_is_at(const char *name, uint64_t address);

/* The start of its code, and by which of the two names; false: unknown. */
bool kallsyms__text(const char **name, uint64_t *address);

/*
 * Reads the addresses of stack `id` from a BPF_MAP_TYPE_STACK_TRACE, innermost first; `max` is the
 * number of addresses in the map's values.  The number read; 0: no such stack.
 */
uint32_t kallsyms__stack(int fd, uint32_t id, uint64_t *addresses, uint32_t max);

#endif /* PEAT_SYS_KALLSYMS_H */

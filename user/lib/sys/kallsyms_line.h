/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* sys/kallsyms_line.h: a line of /proc/kallsyms.  Pure. */
#ifndef PEAT_SYS_KALLSYMS_LINE_H
#define PEAT_SYS_KALLSYMS_LINE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define KALLSYMS_NAME_BYTES 511 /* KSYM_NAME_LEN */

/* Names are in the line, without a NUL. */
struct kallsyms_line {
	uint64_t address; /* 0: the kernel hides it */
	char type;
	const char *name, *owner; /* "[nf_tables]", "[bpf]"; no bytes: the kernel itself */
	size_t name_bytes, owner_bytes;
};

/*
 * Parses a line, which ends before `end`, without its newline.  False: it is none, or the name has
 * characters that are not printable, quotes or backslashes.
 */
bool kallsyms_line__parse(struct kallsyms_line *line, const char *at, const char *end);

bool kallsyms_line__is_function(const struct kallsyms_line *line);

/* Whether it is code that the kernel generates while it runs: BPF programs, trampolines. */
bool kallsyms_line__is_passing(const struct kallsyms_line *line);

/* Parses digits of a hexadecimal number, at most 16.  False: there are none, or more. */
bool kallsyms_line__parse_hex(const char **at, const char *end, uint64_t *number);

#endif /* PEAT_SYS_KALLSYMS_LINE_H */

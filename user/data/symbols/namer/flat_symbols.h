/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * symbols/namer/flat_symbols.h: the symbols of a file as bytes, which a process without rights
 * makes and another one takes over.  Pure.
 *
 * A struct flat_symbols, its loads, its symbols, and their names, each with a NUL.
 */
#ifndef PEAT_SYMBOLS_NAMER_FLAT_SYMBOLS_H
#define PEAT_SYMBOLS_NAMER_FLAT_SYMBOLS_H

#include "symbols/elf/file_symbols.h"

/* The number of bytes; at most SIZE_MAX / 2. */
size_t flat_symbols__bytes(const struct file_symbols *read);

/* Writes them to `to`, which has room for flat_symbols__bytes(). */
void flat_symbols__write(const struct file_symbols *read, void *to);

/*
 * Makes symbols of bytes, which may be anything but do not change meanwhile.  0, -EBADMSG: they are
 * invalid, -ENOMEM.
 */
int flat_symbols__take_over(struct file_symbols *read, const void *from, size_t bytes);

/*
 * Likewise of a result, which then belongs to the symbols, or is freed.  Names of 64 MiB and more
 * stay in the memory file, and are read when they are used.
 */
int flat_symbols__take_memory(struct file_symbols *read, struct namer_memory *memory);

#endif /* PEAT_SYMBOLS_NAMER_FLAT_SYMBOLS_H */

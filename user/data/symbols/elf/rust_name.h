/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* symbols/elf/rust_name.h: checks mangled names of Rust before libiberty reads them.  Pure. */
#ifndef PEAT_SYMBOLS_ELF_RUST_NAME_H
#define PEAT_SYMBOLS_ELF_RUST_NAME_H

#include <stdbool.h>

/*
 * True if the name follows the grammar "v0" of Rust (RFC 2603), with references to earlier parts
 * only, and few lifetimes.  libiberty counts lifetimes one by one, without output: a name of 20
 * characters can have 62^10 of them.
 */
bool rust_name__is_valid(const char *name);

#endif /* PEAT_SYMBOLS_ELF_RUST_NAME_H */

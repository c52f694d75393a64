/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * name_hash.h: hashes of the names of functions and modules.
 *
 * Programs choose the names.  A random seed keeps them from choosing names that collide, which
 * would make a hash table a list.
 */
#ifndef CLI_NAME_HASH_H
#define CLI_NAME_HASH_H

#include <stdint.h>

/* The hash of nothing, to which the names and numbers are added. */
uint64_t name_hash__start(void);

uint64_t name_hash__number(uint64_t hash, uint64_t number);

/* NULL is another text than "". */
uint64_t name_hash__text(uint64_t hash, const char *text);

#endif /* CLI_NAME_HASH_H */

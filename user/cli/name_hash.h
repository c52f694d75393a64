/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* name_hash.h: hashes of the names of functions and modules, by FNV-1a. */
#ifndef CLI_NAME_HASH_H
#define CLI_NAME_HASH_H

#include <stdint.h>

#define NAME_HASH_START UINT64_C(0xcbf29ce484222325)

static inline uint64_t name_hash__number(uint64_t hash, uint64_t number)
{
	return (hash ^ number) * UINT64_C(0x100000001b3);
}

/* NULL is another text than "". */
static inline uint64_t name_hash__text(uint64_t hash, const char *text)
{
	for (const char *at = text; at && *at; at++)
		hash = name_hash__number(hash, (unsigned char)*at);
	return name_hash__number(hash, !text);
}

#endif /* CLI_NAME_HASH_H */

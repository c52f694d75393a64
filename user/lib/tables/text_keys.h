/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* tables/text_keys.h: keys without a type that are texts, such as bpftrace's of comm and str(). */
#ifndef PEAT_TABLES_TEXT_KEYS_H
#define PEAT_TABLES_TEXT_KEYS_H

#include <stdbool.h>
#include <stdint.h>

/* Whether the bytes are printable characters, at least one, and zeros after them. */
bool text_keys__is_text(const void *key, uint32_t bytes);

/*
 * Whether the keys that the map has now are texts, and no numbers by their size.  Looks at some:
 * it is a guess.  False if there are none, or they cannot be read.
 */
bool text_keys__has(int map_fd, uint32_t key_bytes);

#endif /* PEAT_TABLES_TEXT_KEYS_H */

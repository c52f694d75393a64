// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* tables/text_keys.c: keys without a type that are texts. */
#include <stdlib.h>
#include <bpf/bpf.h>

#include "tables/text_keys.h"

#define MOST_KEYS 256

/* Bytes of UTF-8 are printable. */
static bool is_printable(uint8_t byte)
{
	return byte >= 0x20 && byte != 0x7f;
}

bool text_keys__is_text(const void *key, uint32_t bytes)
{
	const uint8_t *at = key;
	uint32_t count = 0;

	while (count < bytes && is_printable(at[count]))
		count++;
	for (uint32_t i = count; i < bytes; i++)
		if (at[i])
			return false;
	return count;
}

bool text_keys__has(int map_fd, uint32_t key_bytes)
{
	bool is_number = key_bytes == 1 || key_bytes == 2 || key_bytes == 4 || key_bytes == 8;
	uint8_t *keys = is_number || !key_bytes ? NULL : calloc(2, key_bytes);
	uint8_t *key = keys, *next = keys ? keys + key_bytes : NULL, *previous = NULL;
	bool are_texts = keys != NULL;
	uint32_t count = 0;

	while (are_texts && count < MOST_KEYS && !bpf_map_get_next_key(map_fd, previous, next)) {
		are_texts = text_keys__is_text(next, key_bytes);
		previous = next;
		next = key;
		key = previous;
		count++;
	}
	free(keys);
	return are_texts && count;
}

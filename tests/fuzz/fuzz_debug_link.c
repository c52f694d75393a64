// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * fuzz_debug_link.c: debug_link__parse() on anything.
 *
 * Input: a section .gnu_debuglink.  A name that is found never leads to another directory.
 */
#include <stdlib.h>
#include <string.h>

#include "symbols/debug/debug_link.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct debug_link link;

	if (debug_link__parse(data, size, false, &link) &&
	    (!*link.name || strchr(link.name, '/') || !strcmp(link.name, "..") ||
	     strlen(link.name) + 1 + sizeof(link.checksum) > size))
		abort();
	return 0;
}

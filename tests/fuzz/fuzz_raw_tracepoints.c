// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * fuzz_raw_tracepoints.c: raw_tracepoints__use() on any object.
 *
 * The seeds are small objects without debug information (llvm-strip -g).
 */
#include <elf.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "object/raw_tracepoints.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	unsigned char *elf = malloc(size + 1); /* aligned, and not NULL */

	if (!elf)
		abort();
	memcpy(elf, data, size);
	if (raw_tracepoints__use(elf, size) > (int)(size / sizeof(Elf32_Shdr)))
		abort(); /* more than there are sections */
	free(elf);
	return 0;
}

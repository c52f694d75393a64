// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * fuzz_raw_tracepoints.c: raw_tracepoints__use() on any object.
 *
 * The seeds are a small object without debug information (llvm-strip -g), and the same with
 * sections that have no names.
 */
#include <elf.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "object/raw_tracepoints.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	uint8_t *elf = malloc(size ? size : 1); /* exact, so that sanitizers detect more */

	if (!elf)
		abort();
	memcpy(elf, data, size);
	if (raw_tracepoints__use(elf, size) > (int)(size / sizeof(Elf32_Shdr)))
		abort(); /* more than there are sections */
	free(elf);
	return 0;
}

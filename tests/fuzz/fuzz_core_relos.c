// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * fuzz_core_relos.c: core_relos__need_kernel() on any section .BTF.ext.
 *
 * The seeds are sections of objects (llvm-objcopy --dump-section=.BTF.ext=FILE).  A section that
 * needs no kernel needs none with bytes after it either.
 */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "object/core_relos.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	unsigned char *longer = calloc(1, size + 64);

	if (!longer)
		abort();
	memcpy(longer, data, size);
	if (!core_relos__need_kernel(data, size) && core_relos__need_kernel(longer, size + 64))
		abort();
	free(longer);
	return 0;
}

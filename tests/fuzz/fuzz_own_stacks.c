// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * fuzz_own_stacks.c: own_stacks__use() on any bytes.
 *
 * The seeds are objects without DWARF (llvm-strip -g): two programs of uprobes with a subprogram
 * and CO-RE relocations, one program of a usdt, and an object without programs of uprobes.  A copy
 * is made if and only if programs have the instructions, and is larger by those of each program.
 */
#include <errno.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "object/own_stacks.h"

#define GUARD_BYTES (3 * 8)

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	uint8_t *image = malloc(size ? size : 1); /* exact, so that sanitizers detect more */
	size_t copy_bytes = 0;
	void *copy = NULL;
	int ret;

	if (!image)
		abort();
	memcpy(image, data, size);
	ret = own_stacks__use(image, size, &copy, &copy_bytes);
	if (memcmp(image, data, size) != 0)
		abort();
	if (ret < 0 && ret != -EBADMSG && ret != -ENOMEM)
		abort();
	if ((ret > 0) != (copy != NULL))
		abort();
	if (ret > 0 && copy_bytes < size + (size_t)ret * GUARD_BYTES)
		abort();
	free(copy);
	free(image);
	return 0;
}

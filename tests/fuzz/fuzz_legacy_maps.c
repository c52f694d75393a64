// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * fuzz_legacy_maps.c: legacy_maps__use() on any bytes.
 *
 * The seeds are objects without DWARF (llvm-strip -g): five definitions in one section, two in
 * sections of their own, and one without BTF.  A copy is made if and only if maps were replaced.
 */
#include <errno.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "object/legacy_maps.h"

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
	ret = legacy_maps__use("it", image, size, &copy, &copy_bytes);
	if (memcmp(image, data, size) != 0)
		abort();
	if (ret < 0 && ret != -EINVAL && ret != -ENOMEM)
		abort();
	if ((ret > 0) != (copy != NULL))
		abort();
	if (ret > 0 && copy_bytes <= size)
		abort();
	free(copy);
	free(image);
	return 0;
}

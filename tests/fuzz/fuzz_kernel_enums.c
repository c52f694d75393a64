// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* fuzz_kernel_enums.c: any BTF as that of an object and of the kernel. */
#include <stdlib.h>
#include <bpf/btf.h>
#include <bpf/libbpf.h>

#include "object/kernel_enums.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct btf *object, *kernel;
	uint32_t types;

	libbpf_set_print(NULL);
	object = btf__new(data, (uint32_t)size);
	kernel = btf__new(data, (uint32_t)size);
	if (object && kernel) {
		types = btf__type_cnt(object);
		if (kernel_enums__copy(object, kernel) || btf__type_cnt(object) < types)
			abort();
	}
	btf__free(object);
	btf__free(kernel);
	return 0;
}

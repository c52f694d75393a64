// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* fuzz_cpus.c: cpus__parse() on any text; for_each_cpu() must return the CPUs that it accepted. */
#include <stdlib.h>
#include <string.h>

#include "sys/cpus.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char *list = malloc(size + 1);
	struct cpus set;
	uint32_t count = 0;

	if (!list)
		abort();
	memcpy(list, data, size);
	list[size] = '\0';
	if (!cpus__parse(&set, list)) {
		for_each_cpu (cpu, &set)
			count++;
		if (count != cpus__count(&set) || set.limit > CPUS_MAX)
			abort();
		cpus__free(&set);
	}
	free(list);
	return 0;
}

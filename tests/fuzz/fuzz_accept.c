// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * fuzz_accept.c: accept__is_openmetrics() on any header.
 *
 * The case of letters and an empty media range at the end change nothing.
 */
#include <ctype.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "prometheus/accept.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char *header = malloc(size + 1), *other = malloc(size + 2);
	bool is_openmetrics;

	if (!header || !other)
		abort();
	memcpy(header, data, size);
	header[size] = '\0';
	size = strlen(header);
	is_openmetrics = accept__is_openmetrics(header);
	for (size_t i = 0; i < size; i++)
		other[i] = (char)toupper((unsigned char)header[i]);
	memcpy(other + size, ",", 2);
	if (accept__is_openmetrics(other) != is_openmetrics)
		abort();
	free(header);
	free(other);
	return 0;
}

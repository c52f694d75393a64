// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * fuzz_backward.c: backward__scan() on anything.
 *
 * Input: the bytes of a ring from data_head on.  Records lie one after the other, and none reaches
 * past the end.
 */
#include <stdlib.h>
#include <string.h>

#include "ring/backward.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void require(bool holds)
{
	if (!holds)
		abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	uint8_t *bytes = malloc(size + 1); /* of exactly its size, for the sanitizer */
	uint32_t *offsets, count;
	size_t used, at = 0;

	require(bytes != NULL);
	memcpy(bytes, data, size);
	count = backward__scan(bytes, size, NULL, &used);
	require(used <= size && count <= size / sizeof(struct perf_event_header));
	offsets = calloc(count + 1, sizeof(*offsets));
	require(offsets != NULL);
	require(backward__scan(bytes, size, offsets, &used) == count && !offsets[count]);
	for (uint32_t i = 0; i < count; i++) {
		struct perf_event_header header;

		require(offsets[i] == at);
		memcpy(&header, bytes + at, sizeof(header));
		require(header.size >= sizeof(header) && header.size % 8 == 0);
		at += header.size;
	}
	require(at == used);
	free(offsets);
	free(bytes);
	return 0;
}

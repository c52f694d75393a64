/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* typed_file.h: writes a minimal perf.data with typed events: one sample of each. */
#ifndef TESTS_SUPPORT_RECORDING_TYPED_FILE_H
#define TESTS_SUPPORT_RECORDING_TYPED_FILE_H

#include <stddef.h>
#include <stdint.h>

struct typed_event {
	uint32_t id;
	const void *payload;
	size_t bytes;
};

/* The samples are of task 100, "maker", on CPU 0, 1 ms apart. */
void typed_file__write(const char *path, const void *tracing, size_t tracing_bytes,
		       const struct typed_event *events, uint32_t count);

#endif /* TESTS_SUPPORT_RECORDING_TYPED_FILE_H */

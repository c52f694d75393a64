/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* typed_file.h: the least of a perf.data that perf decodes the events of: a sample of each. */
#ifndef TYPED_FILE_H
#define TYPED_FILE_H

#include <stddef.h>
#include <stdint.h>

struct typed_event {
	uint32_t id;
	const void *payload;
	size_t bytes;
};

/* The samples are of the task 100, "maker", on CPU 0, a millisecond apart. */
void typed_file__write(const char *path, const void *tracing, size_t tracing_bytes,
		       const struct typed_event *events, uint32_t count);

#endif /* TYPED_FILE_H */

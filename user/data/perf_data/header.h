/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* perf_data/header.h: parses the header of a perf.data.  Pure. */
#ifndef PEAT_PERF_DATA_HEADER_H
#define PEAT_PERF_DATA_HEADER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define PERF_HEADER_BYTES      104
#define PERF_HEADER_PIPE_BYTES 16

struct perf_section {
	uint64_t offset, bytes;
};

struct perf_header {
	int version;
	bool swapped, is_pipe;
	uint64_t bytes;	    /* of the header in the file */
	uint64_t attr_size; /* of an attr and the section of its ids */
	struct perf_section attrs, data, event_types;
	uint64_t features[4];
};

/*
 * Parses the first `count` bytes of a file, PERF_HEADER_BYTES at most.  Returns the size of the
 * header in bytes; if it is above `count`, call again with so many: fields that are not there yet
 * are 0.  -EBADMSG: no perf.data, or an impossible header; the reason is in *why.
 */
int perf_header__parse(struct perf_header *header, const uint8_t *bytes, size_t count,
		       const char **why);

struct perf_section perf_section__parse(const uint8_t *at, bool swapped);

#endif /* PEAT_PERF_DATA_HEADER_H */

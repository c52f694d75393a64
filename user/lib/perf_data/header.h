/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* perf_header.h: the first bytes of a perf.data.  Pure. */
#ifndef PERF_HEADER_H
#define PERF_HEADER_H

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
 * Looks at the first `count` bytes: as many as there are, of PERF_HEADER_BYTES at most.  Returns
 * how many the header has in front of what follows it, and all is parsed if that is no more than
 * `count`; what is not there yet is 0.  -EBADMSG: no perf.data, or not possible; *why says which.
 */
int perf_header__parse(struct perf_header *header, const uint8_t *bytes, size_t count,
		       const char **why);

struct perf_section perf_section__parse(const uint8_t *at, bool swapped);

#endif /* PERF_HEADER_H */

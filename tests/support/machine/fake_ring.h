/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* fake_ring.h: a perf ring in plain memory, and the kernel's side of it. */
#ifndef TESTS_SUPPORT_MACHINE_FAKE_RING_H
#define TESTS_SUPPORT_MACHINE_FAKE_RING_H

#include <stdbool.h>

#include "ring/ring.h"

struct fake_ring {
	struct perf_event_mmap_page *page;
	unsigned char *data; /* followed by the slack, and by nothing: a sanitizer sees overruns */
	uint64_t ring_bytes;
};

/* A ring whose head and tail stand at `position`. */
void fake_ring__init(struct fake_ring *fake, uint64_t ring_bytes, uint64_t position);
void fake_ring__free(struct fake_ring *fake);

/* Writes raw bytes at the head, wrapping; the head moves on. */
void fake_ring__write(struct fake_ring *fake, const void *bytes, uint64_t count);

/*
 * Writes a record of `size` bytes whose body is filled from `seed`, unless it finds no room as the
 * kernel sees it: false then.
 */
bool fake_ring__record(struct fake_ring *fake, uint32_t size, unsigned seed);

/* Writes such a record before the head, as into a ring that overwrites: there is always room. */
void fake_ring__record_backward(struct fake_ring *fake, uint32_t size, unsigned seed);

/* Whether `record` is what fake_ring__record() wrote. */
bool fake_ring__is(const struct perf_event_header *record, uint32_t size, unsigned seed);

#endif /* TESTS_SUPPORT_MACHINE_FAKE_RING_H */

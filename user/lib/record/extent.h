/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * record/extent.h: where the body and the trailer of a record end.  Pure.
 *
 * The size of a KSYMBOL, BPF_EVENT or TEXT_POKE can be too large: the kernel writes it for each
 * event that asks for it, and adds a trailer to its size each time (Linux 5.1 to 6.18,
 * perf_event_ksymbol_output() of kernel/events/core.c).  If two programs record at once, records of
 * the second one have old bytes of the ring after the trailer.  These bodies say their length.
 */
#ifndef PEAT_RECORD_EXTENT_H
#define PEAT_RECORD_EXTENT_H

#include <stddef.h>

#include <peat/record.h>

#define EXTENT_HEADER_BYTES 8

/* The bytes of the trailer: ids of a sample. */
size_t extent__trailer(const struct peat_layout *layout);

/* The bytes of a body that says its length, of `bytes` at most; 0: another type, or damaged. */
size_t extent__body(uint32_t type, const uint8_t *body, size_t bytes, bool swapped);

/* The size of the record without the bytes after its trailer. */
size_t extent__record(const struct peat_layout *layout, uint32_t type, const uint8_t *record,
		      size_t size);

#endif /* PEAT_RECORD_EXTENT_H */

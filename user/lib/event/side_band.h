/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* event/side_band.h: the kernel's own records as events: how they are requested, and their schemas.
 */
#ifndef PEAT_EVENT_SIDE_BAND_H
#define PEAT_EVENT_SIDE_BAND_H

#include <peat/reader.h>

struct perf_event_attr;

#define SIDE_BAND_ALL	   ((1u << 9) - 1) /* those that perf_event_attr can request */
#define SIDE_BAND_RECORDED (SIDE_BAND_ALL | PEAT_SIDE_BAND_OTHER | PEAT_SIDE_BAND_TOOL)

/* Sets the attr's bits that request records of these kinds (of SIDE_BAND_ALL, or-ed). */
void side_band__request(uint32_t kinds, struct perf_event_attr *attr);

/*
 * Returns the kind of the records of this type; 0: none.  LOST and LOST_SAMPLES have none: readers
 * return them as PEAT_EVENT_LOST, whatever kinds are wanted.
 */
uint32_t side_band__of(uint32_t record_type);

/*
 * Writes the record's event to `data` (8-byte aligned) and its length to `bytes`.  An event longer
 * than `room` (at least SIDE_BAND_BYTES_MIN) is truncated.  Returns the event's schema; NULL: the
 * record has no kind.
 */
const struct peat_schema *side_band__fill(const struct peat_record *record, void *data,
					  uint32_t room, uint32_t *bytes);

#define SIDE_BAND_BYTES_MIN 128

/*
 * Returns the schema to use for a recording made on `arch` (as printed by uname -m; NULL: unknown).
 * It differs from `schema`, with the same fields, if this machine would misread a number: flags
 * that other machines number differently and, unless same_kernel, addresses that would be looked up
 * among the symbols of this kernel.
 */
const struct peat_schema *side_band__recorded(const struct peat_schema *schema, const char *arch,
					      bool same_kernel);

#endif /* PEAT_EVENT_SIDE_BAND_H */

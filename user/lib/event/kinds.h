/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* kinds.h: the kernel's own records as events: how they are asked for, what they look like. */
#ifndef KINDS_H
#define KINDS_H

#include <peat/reader.h>

struct perf_event_attr;

#define KINDS_ALL      ((1u << 9) - 1) /* those that the kernel can be asked for */
#define KINDS_RECORDED (KINDS_ALL | PEAT_KIND_OTHER | PEAT_KIND_TOOL)

/* Asks for the records of these kinds (of KINDS_ALL, or-ed). */
void kinds__ask(uint32_t kinds, struct perf_event_attr *attr);

/*
 * The kind that records of this type are of; 0: of none.  LOST and LOST_SAMPLES are of none:
 * readers hand them out as PEAT_EVENT_LOST, whatever kinds are wanted.
 */
uint32_t kinds__of(uint32_t record_type);

/*
 * Writes the record's event to `data`, 8-byte aligned, and its length to `bytes`; what does not fit
 * into `room`, KINDS_BYTES_LEAST or more, is cut off.  Returns what it is, NULL for a record of no
 * kind.
 */
const struct peat_schema *kinds__fill(const struct peat_record *record, void *data, uint32_t room,
				      uint32_t *bytes);

#define KINDS_BYTES_LEAST 128

/*
 * What that is in a recording of `arch` (as uname -m has it; NULL: not told): another schema with
 * the same fields where a number would be read wrongly here, which are flags that other machines
 * number in their own way and, unless same_kernel, addresses that symbols of this kernel would be
 * looked up for.
 */
const struct peat_schema *kinds__recorded(const struct peat_schema *schema, const char *arch,
					  bool same_kernel);

#endif /* KINDS_H */

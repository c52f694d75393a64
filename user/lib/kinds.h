/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* kinds.h: the kernel's own records as events: how they are asked for, what they look like. */
#ifndef KINDS_H
#define KINDS_H

#include <peat/reader.h>

struct perf_event_attr;

/* Those that rings have, and those that recordings do. */
#define KINDS_ALL      ((1u << 9) - 1)
#define KINDS_RECORDED (KINDS_ALL | PEAT_KIND_OTHER | PEAT_KIND_TOOL)

/* Asks for the records of these kinds (PEAT_KIND_*, or-ed). */
void kinds__ask(uint32_t kinds, struct perf_event_attr *attr);

/* The kind that records of this type are of; 0: of none. */
uint32_t kinds__of(uint32_t record_type);

/*
 * Writes the record's event to `data`, 8-byte aligned, and its length to `bytes`; what does not fit
 * into `room`, KINDS_BYTES_LEAST or more, is cut off.  Returns what it is, NULL for a record of no
 * kind.
 */
const struct peat_schema *kinds__fill(const struct peat_record *record, void *data, uint32_t room,
				      uint32_t *bytes);

#define KINDS_BYTES_LEAST 64

#endif /* KINDS_H */

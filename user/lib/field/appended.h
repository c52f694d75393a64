/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * field/appended.h: bytes after the struct of an event.
 *
 * Programs on packets append the start of the packet to their event:
 *
 *	bpf_perf_event_output(skb, &map, count << 32 | BPF_F_CURRENT_CPU, &meta, sizeof(meta));
 *
 * Sinks print these bytes as the last field, `payload`.
 */
#ifndef PEAT_FIELD_APPENDED_H
#define PEAT_FIELD_APPENDED_H

#include "field/fields.h"

/* The kernel pads raw events with up to this many bytes of old memory. */
#define APPENDED_PADDING_MAX 7

/* Sets schema->appended, unless an array without a size already covers all bytes of an event. */
void appended__init(struct peat_schema *schema);

/*
 * Returns the size of a padded event without its padding, as far as it is known:
 * - Fewer than 8 bytes after the struct are padding.
 * - If the struct has the length of the appended bytes in a member whose name contains "len",
 *   "size" or "bytes", the bytes after that are padding.
 * - Otherwise, the last bytes may be padding.
 */
uint32_t appended__trim(const struct peat_schema *schema, const void *data, uint32_t bytes);

/* Whether an event of this size has bytes after its struct. */
static inline bool appended__has(const struct peat_schema *schema, uint32_t bytes)
{
	return schema->appended.name && bytes > schema->bytes;
}

#endif /* PEAT_FIELD_APPENDED_H */

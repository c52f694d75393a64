/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
#ifndef EVENT_ATTR_H
#define EVENT_ATTR_H

#include "perf_data/describe/table_decoder.h"

/*
 * Tells a perf_event_attr of `bytes` bytes, of any version and byte order, as members of the object
 * that has begun, and says them: ", size = 136, config = 0x5". As perf does, it passes over members
 * that are 0; the data always have type, size and config.
 */
void event_attr__tell(struct emit *emit, const void *attr, size_t bytes, bool swapped);

#endif /* EVENT_ATTR_H */

/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
#ifndef PEAT_PERF_DATA_DESCRIBE_ATTR_TEXT_H
#define PEAT_PERF_DATA_DESCRIBE_ATTR_TEXT_H

#include "perf_data/describe/table_decoder.h"

/*
 * Emits the perf_event_attr of `count` bytes, of any version and byte order, as members of the
 * object that has begun; lines: ", size = 136, config = 0x5".  Like perf, skips fields that are 0;
 * the data always have type, size and config.
 */
void attr_text__emit(struct emit *emit, const void *bytes, size_t count, bool swapped);

#endif /* PEAT_PERF_DATA_DESCRIBE_ATTR_TEXT_H */

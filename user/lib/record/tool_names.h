/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* record/tool_names.h: names of the records that perf itself writes into a perf.data. */
#ifndef PEAT_RECORD_TOOL_NAMES_H
#define PEAT_RECORD_TOOL_NAMES_H

#include <stdint.h>

/* The name that perf script -D prints after "PERF_RECORD_", such as "ID_INDEX"; NULL: unknown. */
const char *tool_record__name(uint32_t type);

#endif /* PEAT_RECORD_TOOL_NAMES_H */

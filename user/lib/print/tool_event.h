/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* print/tool_event.h: prints a PEAT_EVENT_TOOL, a record written by perf itself. */
#ifndef PEAT_PRINT_TOOL_EVENT_H
#define PEAT_PRINT_TOOL_EVENT_H

#include <peat/reader.h>

#include "base/emit.h"

#define TOOL_EVENT_NAME_BYTES 32

/* "@id_index", like the names of the kernel's records; "@99" for an unknown type. */
void tool_event__name(const struct peat_event *event, char name[TOOL_EVENT_NAME_BYTES]);

/* Prints its members after those that every event has: its size, or what a note has. */
void tool_event__print(const struct peat_event *event, struct emit emit);

#endif /* PEAT_PRINT_TOOL_EVENT_H */

/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* tool_event.h: what sinks show of a PEAT_EVENT_TOOL. */
#ifndef TOOL_EVENT_H
#define TOOL_EVENT_H

#include <peat/reader.h>

#include "base/emit.h"

#define TOOL_EVENT_NAME_BYTES 32

/* "@id_index", as the kernel's records are named; "@99" of a type that this version does not know.
 */
void tool_event__name(const struct peat_event *event, char name[TOOL_EVENT_NAME_BYTES]);

/* All members of it, behind those that each event has, whose names they do not get. */
void tool_event__tell(const struct peat_event *event, struct emit emit);

#endif /* TOOL_EVENT_H */

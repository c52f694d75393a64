/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* perfetto/arguments.h: the fields of an event as arguments of a slice: DebugAnnotation. */
#ifndef PEAT_PERFETTO_ARGUMENTS_H
#define PEAT_PERFETTO_ARGUMENTS_H

#include <peat/reader.h>

#include "base/strbuf.h"

/*
 * Interns the name of the event type, as `id`, and the names of its fields, as the ids that follow.
 * Returns the next free id.
 */
uint64_t arguments__intern(struct strbuf *out, const struct peat_schema *schema, uint64_t id);

/*
 * Appends the fields to an event whose type has the id.  Numbers are exact, names and everything
 * else text; members of structs are entries of a dictionary.  Fields that the event ends before,
 * and hidden ones, are left out.
 */
void arguments__append(struct strbuf *out, const struct peat_event *event, uint64_t id);

/* The first duration of the event that is not 0, in nanoseconds; 0: it has none. */
uint64_t arguments__duration(const struct peat_event *event);

#endif /* PEAT_PERFETTO_ARGUMENTS_H */

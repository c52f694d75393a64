/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
#ifndef CLI_TYPES_H
#define CLI_TYPES_H

#include <peat/peat.h>

/* types.h: the types of the events that a reader returns. */

typedef int (*types_fn)(void *arg, const struct peat_schema *type);

/*
 * Calls `use` for each type of events, or of records of these kinds.  Stops at a negative errno.
 * The number of types, or that errno.  The types of a recording that is a pipe arrive with it.
 */
int types__of_events(struct peat_reader *reader, types_fn use, void *arg);
int types__of_kinds(uint32_t kinds, types_fn use, void *arg);

/* Whether the event is a record of one of the kinds. */
bool types__has_kind(const struct peat_event *event, uint32_t kinds);

/* Adds the types of these kinds to the expression; NULL: none.  0 or a negative errno. */
int types__add_kinds(struct peat_where *where, uint32_t kinds);

#endif /* CLI_TYPES_H */

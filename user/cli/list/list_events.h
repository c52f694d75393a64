/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* list_events.h: peat list --events: the perf events of this machine. */
#ifndef CLI_LIST_EVENTS_H
#define CLI_LIST_EVENTS_H

#include <stdbool.h>
#include <stddef.h>

/*
 * Prints the events whose name or description contains one of the texts, or all events if `count`
 * is 0.  0 or an exit status; errors have been printed.
 */
int list_events__print(const char *const *texts, size_t count, bool json);

#endif /* CLI_LIST_EVENTS_H */

/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
#ifndef CLI_FIELD_LIST_H
#define CLI_FIELD_LIST_H

#include <stdbool.h>
#include <stdint.h>

struct peat_reader;
struct peat_sink_opts;

/* field_list.h: the names of --fields: "pid,comm,to.port". */

/* Whether `name` is in the list; NULL: an empty list. */
bool field_list__has(const char *list, const char *name);

/* Whether it has a part of the task's identity: container, pod, unit, or a name of them. */
bool field_list__names_identity(const char *list);

/*
 * Checks opts->fields before the output is opened.  Each name has to be a field of the columns'
 * type, or else of a type of events, or of records of these kinds.  The types of a recording that
 * is a pipe arrive with it: names are not checked then.
 * 0; -EINVAL after printing the name that no type has; another negative errno.
 */
int field_list__check(const struct peat_sink_opts *opts, struct peat_reader *reader,
		      uint32_t kinds);

#endif /* CLI_FIELD_LIST_H */

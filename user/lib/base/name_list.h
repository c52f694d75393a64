/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* base/name_list.h: names in a message: "delay, comm, ...". */
#ifndef PEAT_BASE_NAME_LIST_H
#define PEAT_BASE_NAME_LIST_H

#include <stddef.h>

/* Appends a name to a list of `room` bytes, a string; a full list ends with "...". */
void name_list__append(char *list, size_t room, const char *name);

#endif /* PEAT_BASE_NAME_LIST_H */

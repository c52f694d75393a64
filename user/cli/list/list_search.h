/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
#ifndef CLI_LIST_SEARCH_H
#define CLI_LIST_SEARCH_H

#include <stdbool.h>

struct list_source;

/*
 * list_search.h: whether a source mentions each word of a text, in any case: in its name, subject
 * and description, in the names and descriptions of its fields, options and tables, in its hooks,
 * or among the tools like it.
 */
bool list_search__finds(const struct list_source *source, const char *text);

#endif /* CLI_LIST_SEARCH_H */

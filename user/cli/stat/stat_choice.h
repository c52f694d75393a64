/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
#ifndef CLI_STAT_STAT_CHOICE_H
#define CLI_STAT_STAT_CHOICE_H

#include <stdbool.h>

#include "cli/options/options.h"

/* stat_choice.h: the tasks, CPUs and events that the options of peat stat choose. */

/* Counts a process or a thread: -p, -t. */
bool stat_choice__has_task(const struct options *options);

/* Counts all tasks of CPUs. */
bool stat_choice__is_system_wide(const struct options *options);

/* Counts COMMAND, from its execution on. */
bool stat_choice__is_command(const struct options *options);

/*
 * A message about options that exclude or need others; NULL: none.  It is valid until the next
 * call.  `command`: the words after --; NULL: no --.
 */
const char *stat_choice__find_mistake(const struct options *options, char **command);

/* The events, separated by commas; to be freed.  NULL: no memory. */
char *stat_choice__events(const struct options *options);

/* "'true'", "process 17"; to be freed.  NULL: no memory. */
char *stat_choice__title(const struct options *options, char **command);

#endif /* CLI_STAT_STAT_CHOICE_H */

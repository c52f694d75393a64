/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
#ifndef CLI_MAPS_H
#define CLI_MAPS_H

#include "cli/options/options.h"

struct peat_session;

/* maps.h: the option --map: perf event arrays of other programs. */

/*
 * Adds the maps of --map to the session; for a directory made by --pin, all maps in it.  Without
 * --steal, a map that another process may be reading is an error.
 * 0 or an exit status; errors have been printed.
 */
int maps__add(struct peat_session *session, const struct options *options);

/* Refuses options that do not work with --map.  Returns the same. */
int maps__check_options(const struct options *options);

#endif /* CLI_MAPS_H */

/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
#ifndef OTHERS_H
#define OTHERS_H

#include "options.h"

struct peat_session;

/*
 * Adds the maps of --map to the session, all those in it for a directory that --pin made; without
 * --steal only maps that nobody else may be reading.  0, or an exit status: it has complained.
 */
int others__add(struct peat_session *session, const struct options *options);

/* Whether those options ask for nothing that maps of others cannot do.  Likewise. */
int others__check_options(const struct options *options);

/* peat list --attached: who emits into which perf event array of this machine.  Likewise. */
int others__list(bool json);

#endif /* OTHERS_H */

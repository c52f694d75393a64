/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
#ifndef REPLAY_H
#define REPLAY_H

#include "cli/options/options.h"

/* Prints the events of a recording, as the options of peat replay say.  The exit status. */
int replay__events(const struct options *options);

#endif /* REPLAY_H */

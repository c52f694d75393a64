/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
#ifndef CLI_MAP_TALLY_H
#define CLI_MAP_TALLY_H

#include "cli/table/tally.h"

/* map_tally.h: peat count, hist and top of a BPF map of another program, which keeps the table. */

/* Whether --map names such a map: 1; 0: no, or a perf event array; or a negative errno, printed. */
int map_tally__finds(const struct options *options);

/* Prints or shows the map at each interval and at the end.  The exit status. */
int map_tally__main(struct tally *tally, char **command);

#endif /* CLI_MAP_TALLY_H */

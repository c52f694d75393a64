/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
#ifndef CLI_BARS_H
#define CLI_BARS_H

#include "tally.h"

/* bars.h: the histograms of a table's rows: its column "slots". */

/* Whether the rows have one. */
bool bars__has_any(const struct tally *tally);

/*
 * Prints the histogram of each row, below its key; and the members of a row as JSON: the key and
 * the count, and "negative" and "slots" as ranges.  0 or -errno.
 */
int bars__print(struct tally *tally);
int bars__print_json(struct tally *tally, size_t i);

#endif /* CLI_BARS_H */

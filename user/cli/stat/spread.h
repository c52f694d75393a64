/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
#ifndef CLI_STAT_SPREAD_H
#define CLI_STAT_SPREAD_H

#include <stdint.h>

/* spread.h: the mean of numbers, and how exact it is.  Pure. */

/* All zero: no numbers. */
struct spread {
	uint64_t count;
	double mean;
	double squares; /* sum of the squares of the differences from the mean */
};

void spread__add(struct spread *spread, double number);

/*
 * The standard deviation of the mean: that of the numbers, by the square root of their count.  0 if
 * there are fewer than two.
 */
double spread__deviation(const struct spread *spread);

/* The same in percent of the mean, as perf stat -r prints it.  0 if the mean is 0. */
double spread__percent(const struct spread *spread);

#endif /* CLI_STAT_SPREAD_H */

// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* spread.c: mean and deviation, by Welford's method: no sum of squares that would lose digits. */
#include <math.h>

#include "cli/stat/spread.h"

void spread__add(struct spread *spread, double number)
{
	double difference = number - spread->mean;

	spread->count++;
	spread->mean += difference / (double)spread->count;
	spread->squares += difference * (number - spread->mean);
}

double spread__deviation(const struct spread *spread)
{
	double count = (double)spread->count;

	return spread->count < 2 ? 0 : sqrt(spread->squares / (count - 1) / count);
}

double spread__percent(const struct spread *spread)
{
	return spread->mean == 0 ? 0 : 100 * spread__deviation(spread) / fabs(spread->mean);
}

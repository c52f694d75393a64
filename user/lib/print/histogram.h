/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* print/histogram.h: slots of a histogram as bars, or as JSON. */
#ifndef PEAT_PRINT_HISTOGRAM_H
#define PEAT_PRINT_HISTOGRAM_H

#include <peat/table.h>

#include "base/strbuf.h"

struct histogram {
	uint64_t slots[PEAT_TABLE_SLOTS];
	bool is_linear;
	int64_t first; /* if is_linear */
	uint64_t width;
	uint64_t negative;	   /* numbers below 0 of a logarithmic histogram */
	enum peat_field_kind unit; /* DURATION, SIZE, or another kind: a plain number */
};

/* Appends a line per slot, from the first that is not 0 to the last such slot. */
void histogram__append(struct strbuf *out, const struct histogram *histogram);

/* Appends an array of the same slots, [{"min":1024,"max":2047,"count":3},...]; no bound: null. */
void histogram__append_json(struct strbuf *out, const struct histogram *histogram);

#endif /* PEAT_PRINT_HISTOGRAM_H */

/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* tables/compare.h: the order of two values of a field.  Pure. */
#ifndef PEAT_TABLES_COMPARE_H
#define PEAT_TABLES_COMPARE_H

#include <peat/schema.h>

/*
 * Negative, 0 or positive.  Numbers are compared as such, strings by their bytes up to the NUL,
 * structs and arrays by their members, and everything else by its bytes.  A missing value is less
 * than any other, and a NaN greater than any number.  `a` and `b` as for peat_field__number().
 */
int table_compare(const struct peat_field *field, const void *a, uint32_t a_bytes, const void *b,
		  uint32_t b_bytes);

/*
 * A number that is in the same order: if it is less for `a` than for `b`, so is the value.  Equal
 * numbers decide nothing.
 */
uint64_t table_compare__rank(const struct peat_field *field, const void *data, uint32_t bytes);

#endif /* PEAT_TABLES_COMPARE_H */

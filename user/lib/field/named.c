// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* field/named.c: numbers that have names. */
#include "field/field_type.h"

const struct field_type field_type__bool = {
	.tag = "bool",
	.word = "true or false",
	.form = "true or false",
	.class = PEAT_CLASS_NAMED,
	.fits = FIELD_ANY_INTEGER,
	.fits_bits = true,
	.is_truth = true,
	.sum = FIELD_SUM_WEIGHT,
	.width = 5,
	.format = FIELD_FORMAT_TRUTH,
};

const struct field_type field_type__enum = {
	.word = "name",
	.class = PEAT_CLASS_NAMED,
	.has_own_names = true,
	.format = FIELD_FORMAT_NAMES,
};

const struct field_type field_type__flags = {
	.tag = "flags",
	.word = "flags",
	.class = PEAT_CLASS_NAMED,
	.fits = FIELD_ANY_INTEGER,
	.fits_bits = true,
	.has_own_names = true,
	.joins_names = true,
	.format = FIELD_FORMAT_FLAGS,
};

const struct field_type field_type__errno = {
	.tag = "errno",
	.word = "number or error",
	.form = "a number or the name of an errno",
	.class = PEAT_CLASS_NAMED,
	.fits = FIELD_ANY_INTEGER,
	.fits_bits = true,
	.sign = FIELD_SIGN_ALWAYS,
	.is_error_below_0 = true,
	.sum = FIELD_SUM_WEIGHT,
	.is_right = true,
	.width = 7,
	.format = FIELD_FORMAT_ERRNOS,
};

const struct field_type field_type__signal = {
	.tag = "signal",
	.word = "signal",
	.form = "a number or the name of a signal",
	.class = PEAT_CLASS_NAMED,
	.fits = FIELD_ANY_INTEGER,
	.fits_bits = true,
	.sign = FIELD_SIGN_KEPT,
	.width = 7,
	.format = FIELD_FORMAT_SIGNALS,
};

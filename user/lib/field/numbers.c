// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* field/numbers.c: numbers without names. */
#include "field/field_type.h"

const struct field_type field_type__unsigned = {
	.tag = "number",
	.word = "number",
	.class = PEAT_CLASS_NUMBER,
	.fits = FIELD_ANY_INTEGER,
	.fits_bits = true,
	.sign = FIELD_SIGN_KEPT,
	.takes_characters = true,
	.sum = FIELD_SUM_ALWAYS,
	.is_right = true,
};

const struct field_type field_type__signed = {
	.word = "number",
	.class = PEAT_CLASS_NUMBER,
	.takes_characters = true,
	.sum = FIELD_SUM_ALWAYS,
	.is_right = true,
};

const struct field_type field_type__hex = {
	.tag = "hex",
	.word = "hex number",
	.class = PEAT_CLASS_NUMBER,
	.fits = FIELD_ANY_INTEGER,
	.fits_bits = true,
	.takes_characters = true,
	.sum = FIELD_SUM_WEIGHT,
	.is_right = true,
	.format = FIELD_FORMAT_HEX,
};

const struct field_type field_type__port = {
	.tag = "port",
	.word = "port",
	.class = PEAT_CLASS_NUMBER,
	.fits = 2,
	.is_big_endian = true,
	.is_right = true,
	.width = 5,
};

const struct field_type field_type__duration = {
	.tag = "duration",
	.word = "duration, ns",
	.form = "a time with its unit, such as 5ms or 20us",
	.class = PEAT_CLASS_NUMBER,
	.fits = FIELD_ANY_INTEGER,
	.fits_bits = true,
	.sign = FIELD_SIGN_KEPT,
	.unit = FIELD_NANOSECONDS,
	.sum = FIELD_SUM_ALWAYS,
	.is_right = true,
	.width = 7,
	.format = FIELD_FORMAT_TIME,
};

const struct field_type field_type__size = {
	.tag = "size",
	.word = "size, bytes",
	.form = "an amount such as 4096 or 64K",
	.class = PEAT_CLASS_NUMBER,
	.fits = FIELD_ANY_INTEGER,
	.fits_bits = true,
	.sign = FIELD_SIGN_KEPT,
	.unit = FIELD_UNIT_BYTES,
	.sum = FIELD_SUM_ALWAYS,
	.is_right = true,
	.width = 5,
};

const struct field_type field_type__float = {
	.word = "number",
	.class = PEAT_CLASS_FLOAT,
	.sum = FIELD_SUM_ALWAYS,
	.is_right = true,
	.width = 7,
	.format = FIELD_FORMAT_HEX,
};

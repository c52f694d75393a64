// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* field/texts.c: text and bytes. */
#include "field/field_type.h"

const struct field_type field_type__string = {
	.tag = "string",
	.word = "text",
	.class = PEAT_CLASS_TEXT,
	.strings = FIELD_ONE_STRING,
};

const struct field_type field_type__strings = {
	.tag = "strings",
	.word = "texts",
	.class = PEAT_CLASS_TEXT,
	.strings = FIELD_STRINGS,
	.width = FIELD_TEXT_WIDTH,
};

const struct field_type field_type__chars = {
	.tag = "chars",
	.word = "text, bytes",
	.class = PEAT_CLASS_TEXT,
	.strings = FIELD_ALL_BYTES,
};

const struct field_type field_type__bytes = {
	.tag = "bytes",
	.word = "bytes",
	.form = "bytes in hexadecimal",
	.class = PEAT_CLASS_BYTES,
};

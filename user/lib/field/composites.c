// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* field/composites.c: fields that contain fields. */
#include "field/field_type.h"

const struct field_type field_type__struct = {
	.kind = PEAT_FIELD_STRUCT,
	.word = "struct",
	.class = PEAT_CLASS_MEMBERS,
	.has_members = true,
	.width = FIELD_TEXT_WIDTH,
};

const struct field_type field_type__union = {
	.kind = PEAT_FIELD_UNION,
	.word = "union",
	.class = PEAT_CLASS_MEMBERS,
	.has_members = true,
	.overlaps = true,
	.width = FIELD_TEXT_WIDTH,
};

const struct field_type field_type__array = {
	.kind = PEAT_FIELD_ARRAY,
	.word = "array",
	.class = PEAT_CLASS_ELEMENTS,
	.width = FIELD_TEXT_WIDTH,
};

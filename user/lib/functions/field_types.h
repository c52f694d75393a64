/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* functions/field_types.h: types of fields, copied from one BTF into another. */
#ifndef PEAT_FUNCTIONS_FIELD_TYPES_H
#define PEAT_FUNCTIONS_FIELD_TYPES_H

#include <stdint.h>

#include "functions/function_field.h"
#include "functions/plain_type.h"

/*
 * Adds the type of a number of 1, 2, 4 or 8 bytes: an integer or enum with its name, peat_hex_t for
 * a pointer, peat_size_t for size_t; "__be16" and the like keep this name.  Returns its id or a
 * negative errno; -EBADMSG: a name is missing.
 */
int field_types__copy(struct field_types *types, const struct btf *btf,
		      const struct plain_type *plain);

/* Adds an array of characters. */
int field_types__add_text(struct field_types *types, uint32_t bytes);

/* Adds an enum of 4 bytes whose values, from 0 on, have these names. */
int field_types__add_names(struct field_types *types, const char *const *names, uint32_t count);

#endif /* PEAT_FUNCTIONS_FIELD_TYPES_H */

// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* field/types.c: the rows of all kinds, found by kind and by tag. */
#include <string.h>

#include "field/field_type.h"

#define ROW(kind, of, row) [PEAT_FIELD_##kind] = &field_type__##row,

const struct field_type *const field_types[FIELD_KINDS] = { FIELD_TYPES(ROW) };

#define CASE(kind, of, row) case PEAT_FIELD_##kind:

/* The compiler names the kind that FIELD_TYPES lacks: the switch has no default. */
__attribute__((unused)) static void check_kinds(enum peat_field_kind kind)
{
	switch (kind) {
		FIELD_TYPES(CASE)
		break;
	}
}

const struct field_type *field_type__find(const char *tag, size_t bytes)
{
	for (uint32_t i = 0; i < FIELD_KINDS; i++) {
		const char *own = field_types[i]->tag;

		if (own && !strncmp(own, tag, bytes) && !own[bytes])
			return field_types[i];
	}
	return NULL;
}

enum peat_field_class peat_field__class(const struct peat_field *field)
{
	return field_type__of(field)->class;
}

const char *peat_field__word(const struct peat_field *field)
{
	return field_type__of(field)->word;
}

const char *peat_field__unit(const struct peat_field *field)
{
	switch (field_type__of(field)->unit) {
	case FIELD_NO_UNIT:
		break;
	case FIELD_NANOSECONDS:
		return "ns";
	case FIELD_UNIT_BYTES:
		return "bytes";
	}
	return NULL;
}

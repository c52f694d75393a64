/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * where/presence.h: terms that reject events in which a field is absent: PEAT_PRESENT().
 *
 * They are the first terms of a type: an event that lacks a field does not match, whatever the
 * expression, and no table counts it.
 */
#ifndef PEAT_WHERE_PRESENCE_H
#define PEAT_WHERE_PRESENCE_H

#include "where/terms.h"

/*
 * Tests the field's presence before term `first`, which is then the number of the new term.
 * `base`: offset of the struct that has the field.  False: programs cannot test it, or there is no
 * room.
 */
bool where_presence__put(struct where_terms *terms, const struct peat_field *field, uint32_t base,
			 uint32_t *first);

/*
 * Tests the field's presence before the other terms of a type, the struct `btf_id`, which may have
 * none.  False: as above, or there are too many types.
 */
bool where_presence__require(struct where_terms *terms, uint32_t btf_id,
			     const struct peat_field *field, uint32_t base);

/* The end of the number that says whether a field is there; 0: the field is always there. */
static inline uint32_t where_presence__end(const struct peat_field *field)
{
	return field->presence ? field->presence->offset + field->presence->bytes : 0;
}

#endif /* PEAT_WHERE_PRESENCE_H */

// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* where/term.c: single terms of numbers in an event. */
#include <endian.h>
#include <string.h>

#include "field/fields.h"
#include "where/term.h"

static bool is_power_of_two(uint32_t bytes)
{
	return bytes && bytes <= 8 && !(bytes & (bytes - 1));
}

bool term__find_number(const struct peat_field *field, uint32_t base, struct term_number *number)
{
	uint32_t offset = base + field->offset;

	if (field->place != PEAT_PLACE_OFFSET || field->length || !fields__is_number(field) ||
	    !is_power_of_two(field->bytes) || offset % field->bytes)
		return false;
	*number = (struct term_number){
		.offset = PEAT_TERM_ORIGIN + offset,
		.width = field->bytes,
		.shift = field->bits ? field->bit_offset : 0,
		.bits = field->bits ? field->bits : field->bytes * 8,
		.is_swapped =
			field->big_endian && field->bytes > 1 && __BYTE_ORDER == __LITTLE_ENDIAN,
		.is_signed = field->is_signed,
	};
	/* Part of a number that is signed, or in the other byte order: no term has that. */
	return number->bits == field->bytes * 8 || (!number->is_signed && !field->big_endian);
}

struct peat_term term__load(const struct term_number *number)
{
	return (struct peat_term){
		.offset = (unsigned short)number->offset,
		.width = (unsigned char)number->width,
		.swap = (unsigned char)(number->is_swapped ? 64 - number->width * 8 + 1 : 0),
		.mask = term__low_bits(number->bits) << number->shift,
	};
}

uint32_t term__put(struct where_terms *terms, struct peat_term term, uint32_t yes, uint32_t no)
{
	if (yes == no)
		return yes;
	term.yes = (unsigned char)yes;
	term.no = (unsigned char)no;
	for (uint32_t at = terms->begin; at < PEAT_TERMS; at++)
		if (!memcmp(&terms->terms[at], &term, sizeof(term)))
			return at;
	terms->terms[--terms->begin] = term;
	return terms->begin;
}

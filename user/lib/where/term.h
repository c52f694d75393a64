/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* where/term.h: single terms (peat/terms.h) of numbers in an event. */
#ifndef PEAT_WHERE_TERM_H
#define PEAT_WHERE_TERM_H

#include "where/terms.h"

/* A number as a program loads it: `width` bytes, of which the value has `bits` from `shift` on. */
struct term_number {
	uint32_t offset, width, shift, bits;
	bool is_swapped, is_signed;
};

static inline uint64_t term__low_bits(uint32_t bits)
{
	return bits < 64 ? (1ULL << bits) - 1 : UINT64_MAX;
}

/* `base`: offset of the struct that has the field.  False: no term can test the field's number. */
bool term__find_number(const struct peat_field *field, uint32_t base, struct term_number *number);

/* The term without its test: it has the value's bits, at their place in what is loaded. */
struct peat_term term__load(const struct term_number *number);

/*
 * Puts a term before the others, and returns its number.  `yes` and `no`: the next term, or a
 * result.  terms->begin must not be 0.
 */
uint32_t term__put(struct where_terms *terms, struct peat_term term, uint32_t yes, uint32_t no);

#endif /* PEAT_WHERE_TERM_H */

// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* run_terms.c: runs the terms of an expression in user space. */
#include <string.h>

#include "support/machine/harness.h"
#include "support/where/run_terms.h"

static uint64_t load(const unsigned char *at, uint32_t width)
{
	uint64_t all;
	uint32_t four;
	uint16_t two;

	switch (width) {
	case 1:
		return *at;
	case 2:
		memcpy(&two, at, 2);
		return two;
	case 4:
		memcpy(&four, at, 4);
		return four;
	default:
		ck_assert_uint_eq(width, 8);
		memcpy(&all, at, 8);
		return all;
	}
}

static uint32_t next_of(const struct peat_term *term, const unsigned char *origin,
			const unsigned char *comm)
{
	uint64_t number = load((term->of_comm ? comm : origin) + term->offset, term->width);

	ck_assert_uint_eq(term->offset % term->width, 0);
	if (term->swap)
		number = __builtin_bswap64(number) >> (term->swap - 1);
	number = (number ^ term->flip) & term->mask;
	if (term->test == PEAT_TEST_EQUAL)
		return number == term->value ? term->yes : term->no;
	ck_assert_uint_eq(term->test, PEAT_TEST_LESS);
	return number < term->value ? term->yes : term->no;
}

static uint32_t first_of(const struct where_terms *terms, uint32_t type, unsigned char *data,
			 uint32_t bytes)
{
	for (uint32_t i = 0; i < PEAT_TERM_TYPES; i++) {
		if (terms->types[i].type != type)
			continue;
		if (bytes < terms->types[i].bytes)
			return PEAT_TERM_OPEN;
		if (bytes < terms->types[i].read_bytes)
			data[bytes] = 0;
		return terms->types[i].first;
	}
	return PEAT_TERM_PASS;
}

uint32_t run_terms(const struct where_terms *terms, uint32_t type, void *data, uint32_t bytes,
		   const char *name)
{
	uint32_t next = first_of(terms, type, data, bytes), following;
	unsigned char comm[16] = { 0 };

	memcpy(comm, name, strnlen(name, sizeof(comm) - 1));
	while (next < PEAT_TERMS) {
		following = next_of(&terms->terms[next],
				    (const unsigned char *)data - PEAT_TERM_ORIGIN, comm);
		ck_assert_uint_gt(following, next);
		next = following;
	}
	ck_assert(next == PEAT_TERM_PASS || next == PEAT_TERM_FAIL || next == PEAT_TERM_OPEN);
	return next;
}

/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * base/number_hash.h: a seeded hash of a number that a stranger chooses, such as the id of a
 * record.
 *
 * It costs a third of SipHash, for tables that are searched for each record.  Without the seed
 * nobody can find numbers whose hashes collide.  Hashes must not leave the process: they do not
 * protect the seed as those of SipHash do.
 */
#ifndef PEAT_BASE_NUMBER_HASH_H
#define PEAT_BASE_NUMBER_HASH_H

#include <stdint.h>

#include "base/sip_hash.h"

static inline uint64_t number_hash__mix(uint64_t number, uint64_t multiplier)
{
	unsigned __int128 product = (unsigned __int128)number * multiplier;

	return (uint64_t)product ^ (uint64_t)(product >> 64);
}

/*
 * The seed is made by sip_hash__seed().  After one product, numbers at equal distances still have
 * hashes at nearly equal distances, of which many can collide.
 */
static inline uint64_t number_hash(const uint64_t seed[2], uint64_t number)
{
	return number_hash__mix(number_hash__mix(number ^ seed[0], seed[1] | 1), seed[0] | 1);
}

#endif /* PEAT_BASE_NUMBER_HASH_H */

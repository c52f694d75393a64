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

/* The seed is made by sip_hash__seed(). */
static inline uint64_t number_hash(const uint64_t seed[2], uint64_t number)
{
	unsigned __int128 product = (unsigned __int128)(number ^ seed[0]) * (seed[1] | 1);

	return (uint64_t)product ^ (uint64_t)(product >> 64);
}

#endif /* PEAT_BASE_NUMBER_HASH_H */

// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* name_hash.c: hashes of the names of functions and modules, with a seed of this process. */
#include <string.h>
#include <sys/random.h>
#include <time.h>

#include "cli/base/name_hash.h"

static struct {
	uint64_t start, multiplier; /* 0: not made yet */
} seed;

static void make_seed(void)
{
	struct timespec now;

	if (getrandom(&seed, sizeof(seed), GRND_NONBLOCK) != sizeof(seed)) { /* early after boot */
		clock_gettime(CLOCK_MONOTONIC, &now);
		seed.start = (uint64_t)now.tv_nsec;
		seed.multiplier = (uint64_t)(uintptr_t)&now * (uint64_t)now.tv_nsec;
	}
	seed.multiplier |= 1;
}

uint64_t name_hash__start(void)
{
	if (!seed.multiplier)
		make_seed();
	return seed.start;
}

/* Both halves of the product count: the lower bits of a hash depend on all bits of the number. */
uint64_t name_hash__number(uint64_t hash, uint64_t number)
{
	unsigned __int128 product = (unsigned __int128)(hash ^ number) * seed.multiplier;

	return (uint64_t)product ^ (uint64_t)(product >> 64);
}

uint64_t name_hash__text(uint64_t hash, const char *text)
{
	size_t bytes = text ? strlen(text) : 0;

	for (size_t at = 0; at < bytes; at += sizeof(uint64_t)) {
		size_t left = bytes - at;
		uint64_t word = 0;

		memcpy(&word, text + at, left < sizeof(word) ? left : sizeof(word));
		hash = name_hash__number(hash, word);
	}
	return name_hash__number(hash, text ? bytes : UINT64_MAX);
}

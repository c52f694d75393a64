// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* base/sip_hash.c: SipHash-1-3, for tables whose keys strangers choose. */
#include <endian.h>
#include <pthread.h>
#include <string.h>
#include <sys/random.h>

#include "base/monotonic.h"
#include "base/sip_hash.h"

static uint64_t process_seed[2];

struct sip {
	uint64_t a, b, c, d;
};

static uint64_t rotate(uint64_t word, unsigned int bits)
{
	return word << bits | word >> (64 - bits);
}

static inline void sip_round(struct sip *s)
{
	s->a += s->b;
	s->b = rotate(s->b, 13) ^ s->a;
	s->a = rotate(s->a, 32);
	s->c += s->d;
	s->d = rotate(s->d, 16) ^ s->c;
	s->a += s->d;
	s->d = rotate(s->d, 21) ^ s->a;
	s->c += s->b;
	s->b = rotate(s->b, 17) ^ s->c;
	s->c = rotate(s->c, 32);
}

static inline void sip_word(struct sip *s, uint64_t word)
{
	s->d ^= word;
	sip_round(s);
	s->a ^= word;
}

uint64_t sip_hash(const uint64_t seed[2], const void *key, size_t bytes)
{
	struct sip s = { seed[0] ^ 0x736f6d6570736575, seed[1] ^ 0x646f72616e646f6d,
			 seed[0] ^ 0x6c7967656e657261, seed[1] ^ 0x7465646279746573 };
	const char *at = key, *end = at + (bytes & ~(size_t)7);
	uint64_t word;

	for (; at < end; at += 8) {
		memcpy(&word, at, 8);
		sip_word(&s, le64toh(word));
	}
	word = 0;
	memcpy(&word, at, bytes & 7);
	sip_word(&s, le64toh(word) | (uint64_t)bytes << 56);
	s.c ^= 0xff;
	for (int i = 0; i < 3; i++)
		sip_round(&s);
	return s.a ^ s.b ^ s.c ^ s.d;
}

void sip_hash__seed(uint64_t seed[2])
{
	const size_t bytes = 2 * sizeof(*seed);

	if (getrandom(seed, bytes, GRND_NONBLOCK) == (ssize_t)bytes)
		return;
	seed[0] = monotonic_ns(); /* early after boot */
	seed[1] = (uint64_t)(uintptr_t)seed;
}

static void make_process_seed(void)
{
	sip_hash__seed(process_seed);
}

uint64_t sip_hash__key(const void *key, size_t bytes)
{
	static pthread_once_t once = PTHREAD_ONCE_INIT;

	pthread_once(&once, make_process_seed);
	return sip_hash(process_seed, key, bytes);
}

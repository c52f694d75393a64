/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * base/decimal.h: writes decimal digits, eight at a time, for lines that have many numbers.
 *
 * Each function returns the end of its digits.  It may overwrite DECIMAL_ROOM bytes from `at`.
 */
#ifndef PEAT_BASE_DECIMAL_H
#define PEAT_BASE_DECIMAL_H

#include <endian.h>
#include <stdint.h>
#include <string.h>

#define DECIMAL_ROOM 24
#define DECIMAL_10_8 100000000u

/* The eight digits of a number below 10^8: one a byte, the first in the lowest. */
static inline uint64_t decimal__split(uint32_t value)
{
	/* Each step splits all numbers in the word by a multiplication with 1/100, 1/10. */
	uint64_t fours = value / 10000 | (uint64_t)(value % 10000) << 32;
	uint64_t hundreds = (fours * 10486 >> 20) & 0x7f0000007f;
	uint64_t twos = hundreds | (fours - hundreds * 100) << 16;
	uint64_t tens = (twos * 103 >> 10) & 0x000f000f000f000f;

	return tens | (twos - tens * 10) << 8;
}

static inline void decimal__store(char *at, uint64_t digits)
{
	digits = htole64(digits);
	memcpy(at, &digits, sizeof(digits));
}

#define DECIMAL_ZEROES UINT64_C(0x3030303030303030)

/* Eight digits, with zeroes on the left; value < 10^8. */
static inline char *decimal__eight(char *at, uint32_t value)
{
	decimal__store(at, decimal__split(value) | DECIMAL_ZEROES);
	return at + 8;
}

/* Powers of 10. */
static const uint64_t decimal_powers[] = { 1,
					   10,
					   100,
					   1000,
					   10000,
					   100000,
					   1000000,
					   10000000,
					   100000000,
					   1000000000,
					   10000000000,
					   100000000000,
					   1000000000000,
					   10000000000000,
					   100000000000000,
					   1000000000000000,
					   10000000000000000,
					   100000000000000000,
					   1000000000000000000,
					   10000000000000000000u };

/* The number of digits: of 0, 1. */
static inline uint32_t decimal__digits(uint64_t value)
{
	/* 1233 / 4096 is the logarithm of 2, near enough for 64 bits. */
	uint32_t digits = (64 - (uint32_t)__builtin_clzll(value | 1)) * 1233 >> 12;

	return digits + ((value | 1) >= decimal_powers[digits]);
}

/* The last digits of a number below 10^8: 1 to 8. */
static inline char *decimal__last(char *at, uint32_t value, uint32_t digits)
{
	decimal__store(at, (decimal__split(value) | DECIMAL_ZEROES) >> 8 * (8 - digits));
	return at + digits;
}

/*
 * The digits are counted first, rather than found in the result: so the CPU knows the place of the
 * text after them, and goes on with it, before they are there.
 */
static inline char *decimal__unsigned(char *at, uint64_t value)
{
	uint32_t digits = decimal__digits(value);
	uint64_t high;

	if (digits <= 8)
		return decimal__last(at, (uint32_t)value, digits);
	high = value / DECIMAL_10_8;
	if (digits <= 16) {
		at = decimal__last(at, (uint32_t)high, digits - 8);
	} else {
		at = decimal__last(at, (uint32_t)(high / DECIMAL_10_8), digits - 16);
		at = decimal__eight(at, (uint32_t)(high % DECIMAL_10_8));
	}
	return decimal__eight(at, (uint32_t)(value % DECIMAL_10_8));
}

static inline char *decimal__signed(char *at, int64_t value)
{
	if (value >= 0)
		return decimal__unsigned(at, (uint64_t)value);
	*at++ = '-';
	return decimal__unsigned(at, 0 - (uint64_t)value);
}

#endif /* PEAT_BASE_DECIMAL_H */

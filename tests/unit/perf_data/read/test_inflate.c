// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* test_inflate.c: a zstd stream in pieces. */
#include <stdint.h>
#include <string.h>

#include "perf_data/read/inflate.h"

#include "support/machine/amount.h"
#include "support/machine/harness.h"
#include "unit/suite.h"
#include "zstd_pieces.h"

#define BYTES 3000000

static uint8_t *plain, *packed;
static size_t *sizes;

/* Neither all alike nor noise. */
static void setup(void)
{
	uint32_t state = 1;

	plain = malloc(BYTES);
	packed = malloc(2 * BYTES);
	sizes = calloc(BYTES, sizeof(*sizes));
	ck_assert(plain && packed && sizes);
	for (size_t i = 0; i < BYTES; i++) {
		state = state * 1103515245 + 12345;
		plain[i] = i % 64 < 40 ? (uint8_t)i : (uint8_t)(state >> 24);
	}
}

static void teardown(void)
{
	free(plain);
	free(packed);
	free(sizes);
}

/* Into pieces of `each` bytes.  How many. */
static size_t pack(int level, size_t each, size_t count)
{
	ZSTD_CStream *stream = ZSTD_createCStream();
	size_t pieces = 0, at = 0, out = 0;

	ZSTD_initCStream(stream, level);
	while (at < count) {
		size_t bytes = each < count - at ? each : count - at;

		sizes[pieces] =
			zstd_piece(stream, plain + at, bytes, packed + out, 2 * BYTES - out);
		out += sizes[pieces++];
		at += bytes;
	}
	ZSTD_freeCStream(stream);
	return pieces;
}

/* Takes all there is, asking for different amounts; what comes has to be what went in. */
static size_t drain(struct inflate *inflate, size_t at)
{
	size_t wanted = 1 + at % 65536, got;

	while ((got = inflate__peek(inflate, wanted)) >= wanted || (wanted > 1 && got)) {
		size_t take = got < wanted ? got : wanted;

		ck_assert_msg(!memcmp(inflate__at(inflate), plain + at, take), "at %zu", at);
		inflate__consume(inflate, take);
		at += take;
		wanted = 1 + at % 65536;
	}
	return at;
}

static void check(int level, size_t each, size_t count)
{
	size_t pieces = pack(level, each, count), in = 0, at = 0;
	struct inflate *inflate = inflate__new();

	ck_assert_ptr_nonnull(inflate);
	ck_assert_uint_eq(inflate__peek(inflate, 1), 0);
	for (size_t i = 0; i < pieces; i++) {
		inflate__feed(inflate, packed + in, sizes[i]);
		at = drain(inflate, at);
		in += sizes[i];
		ck_assert_ptr_null(inflate__error(inflate));
		/* What went into a piece comes out of it. */
		ck_assert_uint_eq(at, (i + 1) * each < count ? (i + 1) * each : count);
	}
	inflate__free(inflate);
}

START_TEST(test_inflates_pieces)
{
	check(1, 1, 1000);
	check(1, 77, 100000);
	check(1, 65536, BYTES);
	check(3, 500000, BYTES);
	check(19, 200000, 600000);
	check(1, BYTES, BYTES);
}
END_TEST

/* What is not taken stays, and the next piece goes on from there. */
START_TEST(test_unread_bytes_stay)
{
	size_t pieces = pack(1, 1000, 3000), in = 0;
	struct inflate *inflate = inflate__new();

	ck_assert_uint_eq(pieces, 3);
	for (size_t i = 0; i < pieces; i++) {
		inflate__feed(inflate, packed + in, sizes[i]);
		in += sizes[i];
		ck_assert_uint_eq(inflate__peek(inflate, 3000), (i + 1) * 1000);
	}
	ck_assert(!memcmp(inflate__at(inflate), plain, 3000));
	inflate__free(inflate);
}
END_TEST

START_TEST(test_not_zstd)
{
	struct inflate *inflate = inflate__new();

	inflate__feed(inflate, "these are no compressed data", 28);
	ck_assert_uint_eq(inflate__peek(inflate, 8), 0);
	ck_assert_ptr_nonnull(strstr(inflate__error(inflate), "not zstd"));
	inflate__free(inflate);
	inflate__free(NULL);
}
END_TEST

/* One that needs those before. */
START_TEST(test_missing_piece)
{
	struct inflate *inflate = inflate__new();

	pack(1, 5000, 20000);
	inflate__feed(inflate, packed + sizes[0], sizes[1]);
	inflate__peek(inflate, 8);
	ck_assert_ptr_nonnull(inflate__error(inflate));
	inflate__free(inflate);
}
END_TEST

/* Anything may come out, but not from elsewhere, and not without an end. */
START_TEST(test_corrupt_bytes_end)
{
	size_t bytes, failed = 0;
	uint8_t *copy;

	pack(3, 20000, 20000);
	bytes = sizes[0];
	for (size_t i = 0; i < bytes; i += amount__step(1, 7)) {
		struct inflate *inflate = inflate__new();

		copy = memcpy(malloc(bytes), packed, bytes);
		copy[i] ^= 0x10;
		inflate__feed(inflate, copy, bytes);
		while (inflate__peek(inflate, 1))
			inflate__consume(inflate, inflate__peek(inflate, 1));
		failed += inflate__error(inflate) != NULL;
		inflate__free(inflate);
		free(copy);
	}
	ck_assert_uint_gt(failed, 0);
}
END_TEST

SUITE(60)
{
	tcase_add_checked_fixture(tests, setup, teardown);
	tcase_add_test(tests, test_inflates_pieces);
	tcase_add_test(tests, test_unread_bytes_stay);
	tcase_add_test(tests, test_not_zstd);
	tcase_add_test(tests, test_missing_piece);
	tcase_add_test(tests, test_corrupt_bytes_end);
}

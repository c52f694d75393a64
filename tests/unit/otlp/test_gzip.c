// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* test_gzip.c: compressed bodies are what they were. */
#include <stdlib.h>

#include "otlp/gzip.h"
#include "unit/suite.h"

static void check(struct otlp_gzip *gzip, size_t count)
{
	struct strbuf plain = { 0 }, small = { 0 };
	z_stream stream = { 0 };
	char *copy = malloc(count + 1);

	for (size_t i = 0; i < count; i++)
		strbuf__char(&plain, (char)(i * i >> 7));
	strbuf__text(&small, "before");
	ck_assert_int_eq(otlp_gzip__append(gzip, &small, &plain), 0);
	ck_assert_mem_eq(small.bytes, "before\x1f\x8b", 8);
	stream.next_in = (Bytef *)small.bytes + 6;
	stream.avail_in = (uInt)small.count - 6;
	stream.next_out = (Bytef *)copy;
	stream.avail_out = (uInt)count + 1;
	ck_assert_int_eq(inflateInit2(&stream, MAX_WBITS + 16), Z_OK);
	ck_assert_int_eq(inflate(&stream, Z_FINISH), Z_STREAM_END);
	ck_assert_uint_eq(stream.total_out, count);
	ck_assert_mem_eq(copy, plain.bytes ?: "", count);
	inflateEnd(&stream);
	free(copy);
	strbuf__free(&plain);
	strbuf__free(&small);
}

START_TEST(test_bodies_are_the_same)
{
	struct otlp_gzip gzip = { 0 };

	check(&gzip, 0);
	check(&gzip, 1);
	check(&gzip, 300000);
	check(&gzip, 17);
	otlp_gzip__free(&gzip);
	otlp_gzip__free(&gzip);
}
END_TEST

SUITE(10)
{
	tcase_add_test(tests, test_bodies_are_the_same);
}

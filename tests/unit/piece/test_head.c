// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* test_head.c: the length of a piece: cut anywhere, damaged anywhere, followed by another. */
#include <errno.h>
#include <stdlib.h>
#include <zlib.h>

#include "piece/head.h"
#include "unit/piece/piece_events.h"

static struct strbuf out;

static void setup(void)
{
	struct piece_head head = { .info = { .host = "a",
					     .source = "b",
					     .run = RUN,
					     .number = 7,
					     .first = 9,
					     .events = 1 } };

	out = (struct strbuf){ 0 };
	head__put(&head, &out);
	strbuf__text(&out, "any records that follow");
	ck_assert_int_eq(head__seal(&out, 0), 0);
}

static void teardown(void)
{
	strbuf__free(&out);
}

START_TEST(test_whole_piece)
{
	struct piece_info info = { 0 };

	ck_assert_int_eq(piece__measure(out.bytes, out.count, NULL), (ssize_t)out.count);
	ck_assert_int_eq(piece__measure(out.bytes, out.count, &info), (ssize_t)out.count);
	ck_assert_str_eq(info.host, "a");
	ck_assert_str_eq(info.source, "b");
	ck_assert_uint_eq(info.number, 7);
	ck_assert_uint_eq(info.first, 9);
	ck_assert(!memcmp(out.bytes, PIECE_MAGIC, PIECE_MAGIC_BYTES));
}
END_TEST

START_TEST(test_another_piece_follows)
{
	size_t bytes = out.count;

	strbuf__text(&out, "PERFILE2 and more");
	ck_assert_int_eq(piece__measure(out.bytes, out.count, NULL), (ssize_t)bytes);
}
END_TEST

START_TEST(test_cut_piece)
{
	for (size_t count = 0; count < out.count; count++) {
		char *copy = malloc(count + !count);

		memcpy(copy, out.bytes, count);
		ck_assert_int_eq(piece__measure(copy, count, NULL), 0);
		free(copy);
	}
}
END_TEST

/* The length has a checksum: a damaged one is not taken for a piece that is cut. */
START_TEST(test_damaged_piece)
{
	for (size_t i = 0; i < out.count * 8; i++) {
		out.bytes[i / 8] ^= (char)(1 << i % 8);
		ck_assert_int_eq(piece__measure(out.bytes, out.count, NULL), -EBADMSG);
		out.bytes[i / 8] ^= (char)(1 << i % 8);
	}
}
END_TEST

/* zlib's CRC-32, whichever library computes it: files and messages of other builds can be read. */
START_TEST(test_checksum_is_that_of_zlib)
{
	for (size_t count = 0; count < 5000; count += 1 + count / 8) {
		struct piece_head head = { .info = { .host = "a", .source = "b" } };

		strbuf__cut(&out, 0);
		head__put(&head, &out);
		for (size_t i = 0; i < count; i++)
			strbuf__char(&out, (char)(i * i / 7));
		ck_assert_int_eq(head__seal(&out, 0), 0);
		ck_assert_int_eq(head__read(out.bytes, out.count, &head), 1);
		ck_assert_uint_eq(head.checksum,
				  crc32(0, (const Bytef *)out.bytes + head.bytes, (uInt)count));
	}
}
END_TEST

START_TEST(test_long_names_are_cut)
{
	char name[300];
	struct piece_head head = { .info = { .host = name, .source = name } };
	struct piece_info info;

	memset(name, 'x', sizeof(name));
	name[sizeof(name) - 1] = '\0';
	strbuf__cut(&out, 0);
	head__put(&head, &out);
	ck_assert_int_eq(head__seal(&out, 0), 0);
	ck_assert_int_eq(piece__measure(out.bytes, out.count, &info), (ssize_t)out.count);
	ck_assert_uint_eq(strlen(info.host), PIECE_NAME_MAX);
	ck_assert_uint_eq(strlen(info.source), PIECE_NAME_MAX);
}
END_TEST

START_TEST(test_other_bytes)
{
	ck_assert_int_eq(piece__measure("PERFFILE", 8, NULL), -EBADMSG);
	ck_assert_int_eq(piece__measure("", 1, NULL), -EBADMSG);
	ck_assert_int_eq(piece__measure("P", 1, NULL), 0);
}
END_TEST

SUITE(20)
{
	tcase_add_checked_fixture(tests, setup, teardown);
	tcase_add_test(tests, test_whole_piece);
	tcase_add_test(tests, test_another_piece_follows);
	tcase_add_test(tests, test_cut_piece);
	tcase_add_test(tests, test_damaged_piece);
	tcase_add_test(tests, test_checksum_is_that_of_zlib);
	tcase_add_test(tests, test_long_names_are_cut);
	tcase_add_test(tests, test_other_bytes);
}

// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* test_piece_reader.c: whole pieces are found in their order, and bytes between them skipped. */
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#include "spool/piece_reader.h"
#include "unit/spool/stub_piece.h"

static struct piece_reader reader;
static struct found_piece found;
static uint64_t end;

static void open_reader(const void *bytes, size_t count)
{
	int fd = memfd_create("segment", MFD_CLOEXEC);

	ck_assert_int_ge(fd, 0);
	ck_assert_int_eq(write(fd, bytes, count), (ssize_t)count);
	reader = (struct piece_reader){ .measure = stub__measure, .fd = -1 };
	piece_reader__open(&reader, fd);
	end = count;
}

/* Finds a piece, and moves on. */
static uint64_t check_next(uint64_t from, uint64_t first, uint64_t skipped)
{
	ck_assert_int_eq(piece_reader__next(&reader, from, end, &found), 1);
	ck_assert_uint_eq(found.info.first, first);
	ck_assert_uint_eq(found.skipped, skipped);
	ck_assert_uint_eq(found.offset, from + skipped);
	return found.offset + found.count;
}

static void check_end(uint64_t from, uint64_t skipped)
{
	ck_assert_int_eq(piece_reader__next(&reader, from, end, &found), 0);
	ck_assert_uint_eq(found.skipped, skipped);
	piece_reader__close(&reader);
}

START_TEST(test_pieces_one_after_another)
{
	char bytes[1024];
	size_t count = stub__make(bytes, 1, 1, 2);
	uint64_t at;

	count += stub__make(bytes + count, 1, 3, 1);
	open_reader(bytes, count);
	at = check_next(0, 1, 0);
	at = check_next(at, 3, 0);
	check_end(at, 0);
}
END_TEST

START_TEST(test_bytes_between_pieces)
{
	static const char half_magic[] = "PERFILE";
	char bytes[1024] = "zeroes";
	size_t count = 100;
	uint64_t at;

	count += stub__make(bytes + count, 1, 1, 2);
	memcpy(bytes + count, PIECE_MAGIC, PIECE_MAGIC_BYTES); /* no piece follows */
	count += 11;
	count += stub__make(bytes + count, 1, 3, 1);
	memcpy(bytes + count, half_magic, sizeof(half_magic));
	count += 9;
	open_reader(bytes, count);
	at = check_next(0, 1, 100);
	at = check_next(at, 3, 11);
	check_end(at, 9);
}
END_TEST

/* Its length is beyond the end: the pieces after its head are found. */
START_TEST(test_length_that_lies)
{
	char bytes[1024];
	size_t first = stub__make(bytes, 1, 1, 2), count = first;
	uint32_t lie = 1u << 30;

	count += stub__make(bytes + count, 1, 3, 1);
	memcpy(bytes + offsetof(struct stub_head, bytes), &lie, sizeof(lie));
	open_reader(bytes, count);
	check_end(check_next(0, 3, first), 0);
}
END_TEST

/* Magics and pieces cross the ends of the buffer. */
START_TEST(test_larger_than_the_buffer)
{
	const size_t room = 5u << 20;
	char *bytes = calloc(1, room);
	size_t count = 0, big;
	uint64_t at = 0;

	ck_assert_ptr_nonnull(bytes);
	for (uint64_t i = 1; i <= 20; i++) {
		memset(bytes + count, 'x', 99991);
		count += 99991;
		count += stub__make(bytes + count, 1, i, 1);
	}
	big = stub__make(bytes + count, 1, 21, 60000);
	ck_assert_uint_gt(big, 1u << 20);
	count += big;
	ck_assert_uint_le(count, room);
	open_reader(bytes, count);
	for (uint64_t i = 1; i <= 20; i++)
		at = check_next(at, i, 99991);
	check_end(check_next(at, 21, 0), 0);
	open_reader(bytes, count - 1);
	for (at = 0; at < count - big - 1000; at += 5000)
		ck_assert_int_eq(piece_reader__next(&reader, at, end, &found), 1);
	check_end(count - big, big - 1);
	free(bytes);
}
END_TEST

SUITE(10)
{
	tcase_add_test(tests, test_pieces_one_after_another);
	tcase_add_test(tests, test_bytes_between_pieces);
	tcase_add_test(tests, test_length_that_lies);
	tcase_add_test(tests, test_larger_than_the_buffer);
}

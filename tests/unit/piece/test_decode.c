// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* test_decode.c: pieces that are cut, damaged, too large, or lie with a right checksum. */
#include <errno.h>
#include <stdlib.h>

#include <peat/log.h>

#include "perf_data/note.h"
#include "piece/head.h"
#include "unit/fail_alloc.h"
#include "unit/piece/piece_events.h"

#define MOST (1 << 20)

static struct peat_schema *schema;
static struct strbuf out;

static void be_silent(enum peat_log_level level, const char *text)
{
	(void)level;
	(void)text;
}

static void encode(int level)
{
	struct piece_encoder *encoder = piece_encoder__new("h", level);
	struct peat_batch *batch = new_batch("exec");

	ck_assert_ptr_nonnull(encoder);
	add_execs(batch, schema, 4);
	strbuf__cut(&out, 0);
	ck_assert_int_eq(piece__encode(encoder, batch, ORIGIN(1), &out), 0);
	peat_batch__unref(batch);
	piece_encoder__free(encoder);
}

static void setup(void)
{
	peat_set_print(be_silent);
	out = (struct strbuf){ 0 };
	schema = exec_schema("exec");
	encode(0);
}

static void teardown(void)
{
	peat_schema__free(schema);
	strbuf__free(&out);
}

static void refused(const void *bytes, size_t count, uint64_t most, int err)
{
	errno = 0;
	ck_assert_ptr_null(piece__decode(bytes, count, most, NULL));
	ck_assert_int_eq(errno, err);
}

START_TEST(test_cut_pieces_are_refused)
{
	for (size_t count = 0; count < out.count; count++) {
		char *copy = malloc(count + !count);

		memcpy(copy, out.bytes, count);
		refused(copy, count, MOST, EBADMSG);
		free(copy);
	}
}
END_TEST

START_TEST(test_damaged_pieces_are_refused)
{
	for (size_t i = 0; i < out.count; i++) {
		out.bytes[i] ^= 0x10;
		refused(out.bytes, out.count, MOST, EBADMSG);
		out.bytes[i] ^= 0x10;
	}
}
END_TEST

/* A batch, or refused: never a byte beyond the piece. */
static void check_lie(void)
{
	struct peat_batch_cursor at = PEAT_BATCH_START;
	struct peat_batch *batch;
	struct peat_event event;
	static char line[1 << 18];

	ck_assert_int_eq(head__seal(&out, 0), 0);
	batch = piece__decode(out.bytes, out.count, MOST, NULL);
	if (!batch) {
		ck_assert(errno == EBADMSG || errno == E2BIG);
		return;
	}
	while (peat_batch__next(batch, &at, &event))
		peat_event__json(&event, line, sizeof(line));
	peat_batch__unref(batch);
}

/* Each byte after the head is changed in some ways, and the checksum is right again. */
static void check_lies(void)
{
	static const uint8_t changes[] = { 0x01, 0x40, 0xff };
	struct piece_head head;
	size_t bytes = out.count;

	ck_assert_int_eq(head__read(out.bytes, out.count, &head), 1);
	for (size_t i = head.bytes * sizeof(changes); i < bytes * sizeof(changes); i++) {
		size_t at = i / sizeof(changes);

		out.bytes[at] ^= (char)changes[i % sizeof(changes)];
		check_lie();
		out.bytes[at] ^= (char)changes[i % sizeof(changes)];
	}
	check_lie();
}

START_TEST(test_lies_are_refused_or_harmless)
{
	check_lies();
}
END_TEST

START_TEST(test_compressed_lies)
{
	encode(3);
	check_lies();
}
END_TEST

/* A note of a type begins with its id, and has the place of its part of the schema 20 bytes on. */
START_TEST(test_rest_of_no_type)
{
	const uint32_t lies[] = { 0, 1 };
	uint32_t truth[2];
	struct piece_head head;

	ck_assert_int_eq(head__read(out.bytes, out.count, &head), 1);
	for (size_t at = head.bytes; at + 24 <= out.count; at += 4) {
		for (size_t i = 0; i < 2; i++) {
			memcpy(&truth[i], out.bytes + at + i * 20, 4);
			memcpy(out.bytes + at + i * 20, &lies[i], 4);
		}
		check_lie();
		for (size_t i = 0; i < 2; i++)
			memcpy(out.bytes + at + i * 20, &truth[i], 4);
	}
}
END_TEST

START_TEST(test_memory_is_bounded)
{
	struct peat_batch *batch;
	uint64_t most = MOST;

	refused(out.bytes, out.count, 0, E2BIG);
	refused(out.bytes, out.count, 1000, E2BIG);
	batch = piece__decode(out.bytes, out.count, most, NULL);
	ck_assert_ptr_nonnull(batch);
	ck_assert_uint_lt(peat_batch__bytes(batch), most);
	peat_batch__unref(batch);
}
END_TEST

/* Zeroes of notes, compressed to a few bytes. */
START_TEST(test_bomb_of_zeroes)
{
	struct piece_encoder *encoder = piece_encoder__new("h", 19);
	struct peat_batch *batch = new_batch("bomb");
	static char zeroes[60000];
	struct peat_event event = { .data = zeroes, .size = sizeof(zeroes) };

	for (int i = 0; i < 500; i++)
		add_event(batch, &event);
	strbuf__cut(&out, 0);
	ck_assert_int_eq(piece__encode(encoder, batch, ORIGIN(1), &out), 0);
	ck_assert_uint_lt(out.count, 1 << 16);
	refused(out.bytes, out.count, MOST, E2BIG);
	peat_batch__unref(batch);
	batch = piece__decode(out.bytes, out.count, 100 * MOST, NULL);
	ck_assert_ptr_nonnull(batch);
	peat_batch__unref(batch);
	piece_encoder__free(encoder);
}
END_TEST

START_TEST(test_another_number_of_events)
{
	struct piece_head head;

	ck_assert_int_eq(head__read(out.bytes, out.count, &head), 1);
	for (size_t at = 0; at + 8 <= head.bytes; at += 4) {
		uint64_t four;

		memcpy(&four, out.bytes + at, sizeof(four));
		if (four != 4)
			continue;
		out.bytes[at] = 5;
		ck_assert_int_eq(head__seal(&out, 0), 0);
		refused(out.bytes, out.count, MOST, EBADMSG);
		return;
	}
	ck_abort_msg("no number of events");
}
END_TEST

START_TEST(test_without_memory)
{
	long before = fail_alloc__blocks();
	struct peat_batch *batch = NULL;

	for (unsigned nth = 1; nth; nth++) {
		fail_alloc__begin(nth);
		batch = piece__decode(out.bytes, out.count, MOST, NULL);
		if (!fail_alloc__end())
			break;
		ck_assert_ptr_null(batch);
		ck_assert_int_eq(errno, ENOMEM);
	}
	ck_assert_ptr_nonnull(batch);
	peat_batch__unref(batch);
	ck_assert_int_eq(fail_alloc__blocks(), before);
}
END_TEST

SUITE(60)
{
	tcase_add_checked_fixture(tests, setup, teardown);
	tcase_add_test(tests, test_cut_pieces_are_refused);
	tcase_add_test(tests, test_damaged_pieces_are_refused);
	tcase_add_test(tests, test_lies_are_refused_or_harmless);
	tcase_add_test(tests, test_compressed_lies);
	tcase_add_test(tests, test_rest_of_no_type);
	tcase_add_test(tests, test_memory_is_bounded);
	tcase_add_test(tests, test_bomb_of_zeroes);
	tcase_add_test(tests, test_another_number_of_events);
	tcase_add_test(tests, test_without_memory);
}

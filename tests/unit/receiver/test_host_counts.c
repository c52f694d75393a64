// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* test_host_counts.c: numbers of events by host and fields, over batches with types of their own.
 */
#include <errno.h>
#include <stdlib.h>

#include <peat/peat.h>

#include "piece/piece.h"
#include "receiver/host_counts.h"
#include "support/agent/file_run.h"
#include "unit/fail_alloc.h"
#include "unit/suite.h"

static char message[256];

static void keep(enum peat_log_level level, const char *text)
{
	(void)level;
	snprintf(message, sizeof(message), "%s", text);
}

static struct host_counts *new_counts(const char *by)
{
	struct host_counts *counts = host_counts__new("num*", by, NULL);

	ck_assert_ptr_nonnull(counts);
	return counts;
}

/* Events from number `first` on, with the types that a piece has. */
static struct peat_batch *new_batch(uint64_t first, unsigned events)
{
	struct piece_encoder *encoder = piece_encoder__new("a", 0);
	struct peat_batch *batch = file_run__batch(first, events), *decoded;
	const struct peat_origin origin = { .run = 1, .number = 1, .first = first };
	struct strbuf piece = { 0 };

	ck_assert_int_eq(piece__encode(encoder, batch, &origin, &piece), 0);
	decoded = piece__decode(piece.bytes, piece.count, UINT64_MAX, NULL);
	ck_assert_ptr_nonnull(decoded);
	strbuf__free(&piece);
	peat_batch__unref(batch);
	piece_encoder__free(encoder);
	return decoded;
}

static int count(struct host_counts *counts, const char *host, uint64_t first, unsigned events)
{
	struct peat_batch *batch = new_batch(first, events);
	struct peat_batch_cursor at = PEAT_BATCH_START;
	struct peat_event event;
	int err = 0;

	host_counts__begin_batch(counts, host);
	while (!err && peat_batch__next(batch, &at, &event))
		err = host_counts__add(counts, &event);
	peat_batch__unref(batch);
	return err;
}

static void check_table(struct host_counts *counts, const char *expected)
{
	struct peat_rows *rows = peat_rows__new(NULL);
	char *text;

	ck_assert_ptr_nonnull(rows);
	ck_assert_int_ge(peat_rows__read(rows, host_counts__table(counts)), 0);
	text = peat_rows__text(rows, 100);
	ck_assert_ptr_nonnull(text);
	ck_assert_str_eq(text, expected);
	free(text);
	peat_rows__free(rows);
}

START_TEST(test_table_has_the_largest_first)
{
	struct host_counts *counts = new_counts("host,type");

	ck_assert_int_eq(count(counts, "a", 1, 3), 0);
	ck_assert_int_eq(count(counts, "database1", 1, 5), 0);
	ck_assert_int_eq(count(counts, "a", 4, 1), 0);
	check_table(counts, "HOST       TYPE      COUNT\n"
			    "database1  numbered      5\n"
			    "a          numbered      4\n");
	ck_assert_int_eq(peat_table__clear(host_counts__table(counts)), 0);
	ck_assert_int_eq(count(counts, "b", 1, 1), 0);
	check_table(counts, "HOST  TYPE      COUNT\n"
			    "b     numbered      1\n");
	host_counts__free(counts);
}
END_TEST

START_TEST(test_json_has_values_of_their_kind)
{
	struct host_counts *counts = new_counts("host,number,pid");
	struct peat_rows *rows = peat_rows__new(NULL);
	char *json;

	ck_assert_int_eq(count(counts, "a\"", 7, 1), 0);
	ck_assert_int_ge(peat_rows__read(rows, host_counts__table(counts)), 0);
	json = peat_rows__json(rows, 0, false);
	ck_assert_str_eq(json, "{\"host\":\"a\\\"\",\"number\":7,\"pid\":19007,\"count\":1}");
	free(json);
	peat_rows__free(rows);
	host_counts__free(counts);
}
END_TEST

static size_t count_rows(const struct host_counts *counts)
{
	return (size_t)peat_table__read(host_counts__table(counts));
}

START_TEST(test_types_without_a_field_are_not_counted)
{
	struct host_counts *counts = new_counts("host,size");

	peat_set_print(keep);
	ck_assert_int_eq(host_counts__check(counts), 0); /* no events so far */
	ck_assert_int_eq(count(counts, "a", 1, 5), 0);
	ck_assert_uint_eq(count_rows(counts), 0);
	ck_assert_int_eq(host_counts__check(counts), -EINVAL);
	ck_assert_msg(strstr(message, "no type of events has a field 'size'"), "%s", message);
	host_counts__free(counts);
	counts = host_counts__new("other", "host", NULL);
	ck_assert_int_eq(count(counts, "a", 1, 5), 0);
	ck_assert_uint_eq(count_rows(counts), 0);
	ck_assert_int_eq(host_counts__check(counts), 0);
	host_counts__free(counts);
}
END_TEST

START_TEST(test_losses_and_unknown_types_are_not_counted)
{
	struct host_counts *counts = new_counts("host");

	host_counts__begin_batch(counts, "a");
	ck_assert_int_eq(host_counts__add(counts, &(struct peat_event){ .kind = PEAT_EVENT_DATA }),
			 0);
	ck_assert_int_eq(
		host_counts__add(counts, &(struct peat_event){ .kind = PEAT_EVENT_LOST,
							       .schema = &file_run_schema }),
		0);
	ck_assert_uint_eq(count_rows(counts), 0);
	host_counts__free(counts);
}
END_TEST

/* Counts an event of a type of this name with one field. */
static void count_field(struct host_counts *counts, const char *type, enum peat_field_kind kind,
			uint32_t bytes)
{
	static const uint64_t data[] = { 7, 8, 9 };
	struct peat_field field = { .name = "key", .kind = kind, .span = 1, .bytes = bytes };
	const struct peat_schema schema = {
		.name = type, .fields = &field, .count = 1, .bytes = bytes, .stacks_fd = -1
	};
	const struct peat_event event = {
		.kind = PEAT_EVENT_DATA, .schema = &schema, .data = data, .size = bytes
	};

	host_counts__begin_batch(counts, "a");
	ck_assert_int_eq(host_counts__add(counts, &event), 0);
}

/* Types of one name, whose layouts differ: both are read by their own, or the later is left out. */
START_TEST(test_types_that_contradict_are_apart)
{
	struct host_counts *counts = new_counts("key");

	peat_set_print(keep);
	count_field(counts, "number", PEAT_FIELD_UNSIGNED, 8);
	count_field(counts, "number", PEAT_FIELD_UNSIGNED, 4);
	ck_assert_uint_eq(host_counts__left_out(counts), 0);
	count_field(counts, "number", PEAT_FIELD_STRING, 16);
	count_field(counts, "number", PEAT_FIELD_STRING, 16);
	ck_assert_uint_eq(host_counts__left_out(counts), 2);
	ck_assert_msg(strstr(message, "is of another kind"), "%s", message);
	check_table(counts, "KEY  COUNT\n"
			    "  7      2\n");
	host_counts__free(counts);
}
END_TEST

START_TEST(test_types_are_bounded)
{
	struct host_counts *counts = new_counts("type");
	char name[32];

	for (unsigned i = 0; i < HOST_COUNTS_TYPES + 3; i++) {
		snprintf(name, sizeof(name), "number%u", i);
		count_field(counts, name, PEAT_FIELD_UNSIGNED, 8);
	}
	ck_assert_uint_eq(host_counts__left_out(counts), 3);
	ck_assert_uint_eq(count_rows(counts), HOST_COUNTS_TYPES);
	host_counts__free(counts);
}
END_TEST

START_TEST(test_rows_are_bounded)
{
	struct host_counts *counts = new_counts("number");
	struct peat_rows *rows = peat_rows__new(NULL);

	ck_assert_int_eq(count(counts, "a", 1, HOST_COUNTS_ROWS), 0);
	ck_assert_int_eq(count(counts, "a", HOST_COUNTS_ROWS - 2, 5), 0);
	ck_assert_int_ge(peat_rows__read(rows, host_counts__table(counts)), 0);
	ck_assert_uint_eq(peat_rows__count(rows), HOST_COUNTS_ROWS + 1);
	ck_assert(peat_rows__is_others(rows, HOST_COUNTS_ROWS));
	ck_assert_uint_eq(peat_rows__events(rows), HOST_COUNTS_ROWS + 5);
	peat_rows__free(rows);
	host_counts__free(counts);
}
END_TEST

START_TEST(test_wrong_fields_are_refused)
{
	peat_set_print(keep);
	ck_assert_ptr_null(host_counts__new("a", "a,,b", NULL));
	ck_assert_int_eq(errno, EINVAL);
	ck_assert_str_eq(message, "a table by 'a,,b': a name is missing beside a comma");
	ck_assert_ptr_null(host_counts__new("a", "host,host", NULL));
	ck_assert_ptr_null(host_counts__new("a", "host", "size"));
}
END_TEST

START_TEST(test_every_allocation_may_fail)
{
	long before = fail_alloc__blocks();

	for (unsigned nth = 1; nth; nth++) {
		const struct peat_event event = { .kind = PEAT_EVENT_DATA,
						  .schema = &file_run_schema };
		struct host_counts *counts;
		int err = 0;

		fail_alloc__begin(nth);
		counts = host_counts__new("*", "host", NULL);
		if (counts) {
			host_counts__begin_batch(counts, "a");
			err = host_counts__add(counts, &event);
		}
		if (!fail_alloc__end())
			nth = UINT32_MAX;
		else
			ck_assert(!counts || err == -ENOMEM);
		host_counts__free(counts);
	}
	ck_assert_int_eq(fail_alloc__blocks(), before);
}
END_TEST

SUITE(20)
{
	tcase_add_test(tests, test_table_has_the_largest_first);
	tcase_add_test(tests, test_json_has_values_of_their_kind);
	tcase_add_test(tests, test_types_without_a_field_are_not_counted);
	tcase_add_test(tests, test_losses_and_unknown_types_are_not_counted);
	tcase_add_test(tests, test_types_that_contradict_are_apart);
	tcase_add_test(tests, test_types_are_bounded);
	tcase_add_test(tests, test_rows_are_bounded);
	tcase_add_test(tests, test_wrong_fields_are_refused);
	tcase_add_test(tests, test_every_allocation_may_fail);
}

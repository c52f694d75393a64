// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* test_event_lines.c: events of hosts as text and JSON: their first column, filters, points. */
#include <errno.h>

#include <peat/log.h>

#include "receiver/event_lines.h"
#include "support/agent/file_run.h"
#include "unit/fail_alloc.h"
#include "unit/suite.h"

static char message[256];

static void keep(enum peat_log_level level, const char *text)
{
	if (level < PEAT_LOG_DEBUG)
		snprintf(message, sizeof(message), "%s", text);
}

static struct batch_lines *new_lines(struct event_lines *lines, const char *host)
{
	const struct piece_info info = { .host = host, .wall_clock_ns = 1700000000000000000 };
	struct batch_lines *batch = batch_lines__new(lines, &info);

	ck_assert_ptr_nonnull(batch);
	return batch;
}

/* Prints events from number `first` on. */
static void print(struct event_lines *lines, const char *host, uint64_t first, unsigned events)
{
	struct peat_batch *batch = file_run__batch(first, events);
	struct batch_lines *batch_lines = new_lines(lines, host);
	struct peat_batch_cursor at = PEAT_BATCH_START;
	struct peat_event event;

	while (peat_batch__next(batch, &at, &event))
		ck_assert_int_eq(batch_lines__add(batch_lines, &event), 0);
	batch_lines__free(batch_lines);
	peat_batch__unref(batch);
}

/* The text of all lines, until the next call. */
static const char *text_of(struct event_lines *lines)
{
	strbuf__char(&lines->out, '\0');
	ck_assert(!lines->out.failed);
	lines->out.count = 0;
	return lines->out.bytes;
}

static void check_begins(const char *text, const char *begin)
{
	ck_assert_msg(!strncmp(text, begin, strlen(begin)), "%s", text);
}

START_TEST(test_host_is_the_first_member)
{
	struct event_lines lines = { .is_json = true };
	const char *text;

	print(&lines, "web1", 7, 2);
	text = text_of(&lines);
	check_begins(text, "{\"host\":\"web1\",\"type\":\"numbered\",");
	ck_assert_ptr_nonnull(strstr(text, "\"number\":7,"));
	check_begins(strchr(text, '\n') + 1, "{\"host\":\"web1\",\"type\":\"numbered\",");
	ck_assert_uint_eq(lines.events, 2);
	event_lines__free(&lines);
}
END_TEST

START_TEST(test_names_of_hosts_are_escaped)
{
	struct event_lines json = { .is_json = true }, text = { 0 };

	print(&json, "a\"\x01", 1, 1);
	check_begins(text_of(&json), "{\"host\":\"a\\\"\\u0001\",");
	print(&text, "a\x1b[1m", 1, 1);
	check_begins(text_of(&text), "a\\x1b[1m ");
	event_lines__free(&json);
	event_lines__free(&text);
}
END_TEST

/* The time follows the column. */
static void check_width(const char *text, size_t width)
{
	const char *time = strpbrk(strchr(text, ' '), "0123456789");

	ck_assert_msg(time == text + width, "%s", text);
}

START_TEST(test_column_of_hosts_grows)
{
	struct event_lines lines = { 0 };
	char longest[64] = "";

	print(&lines, "a", 1, 1);
	check_width(text_of(&lines), 2);
	print(&lines, "web1", 1, 1);
	check_width(text_of(&lines), 5);
	print(&lines, "a", 1, 1);
	check_width(text_of(&lines), 5);
	memset(longest, 'x', 60);
	print(&lines, longest, 1, 1);
	ck_assert_uint_eq(lines.host_width, 32);
	event_lines__free(&lines);
}
END_TEST

START_TEST(test_expression_filters)
{
	struct event_lines lines = { .is_json = true, .where.text = "number > 8 && number < 11" };

	print(&lines, "web1", 1, 20);
	print(&lines, "web2", 1, 20); /* schemas of another batch */
	ck_assert_uint_eq(lines.events, 4);
	ck_assert_uint_eq(lines.filtered, 36);
	event_lines__free(&lines);
}
END_TEST

START_TEST(test_wrong_expression_is_refused)
{
	struct event_lines lines = { .where.text = "number >" };
	const struct piece_info info = { .host = "web1" };

	peat_set_print(keep);
	ck_assert_ptr_null(batch_lines__new(&lines, &info));
	ck_assert_int_eq(errno, EINVAL);
	ck_assert_str_ne(message, "");
}
END_TEST

START_TEST(test_points_have_the_host)
{
	const struct peat_batch_opts opts = { .sz = sizeof(opts), .source = "ledger" };
	const struct peat_point point = { .sz = sizeof(point),
					  .kind = PEAT_POINT_COUNTER,
					  .name = "peat.source.lost",
					  .count = 3 };
	struct event_lines lines = { .is_json = true };
	struct peat_batch *batch = peat_batch__new(&opts);
	struct batch_lines *batch_lines = new_lines(&lines, "web1");

	ck_assert_int_eq(peat_batch__add_point(batch, &point), 0);
	ck_assert_int_eq(batch_lines__add_points(batch_lines, batch), 0);
	check_begins(text_of(&lines),
		     "{\"host\":\"web1\",\"type\":\"point\",\"name\":\"peat.source.lost\",");
	ck_assert_uint_eq(lines.events, 0);
	batch_lines__free(batch_lines);
	peat_batch__unref(batch);
	event_lines__free(&lines);
}
END_TEST

START_TEST(test_every_allocation_may_fail)
{
	const struct piece_info info = { .host = "web1" };
	struct event_lines lines = { .is_json = true, .where.text = "number > 8" };
	long before = fail_alloc__blocks();

	for (unsigned nth = 1; nth; nth++) {
		struct batch_lines *batch;

		fail_alloc__begin(nth);
		batch = batch_lines__new(&lines, &info);
		if (!fail_alloc__end())
			nth = UINT32_MAX;
		else
			ck_assert(!batch && errno == ENOMEM);
		batch_lines__free(batch);
	}
	ck_assert_int_eq(fail_alloc__blocks(), before);
}
END_TEST

SUITE(10)
{
	tcase_add_test(tests, test_host_is_the_first_member);
	tcase_add_test(tests, test_names_of_hosts_are_escaped);
	tcase_add_test(tests, test_column_of_hosts_grows);
	tcase_add_test(tests, test_expression_filters);
	tcase_add_test(tests, test_wrong_expression_is_refused);
	tcase_add_test(tests, test_points_have_the_host);
	tcase_add_test(tests, test_every_allocation_may_fail);
}

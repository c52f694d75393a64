// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* test_row_frames.c: the stacks of rows as text and JSON. */
#include <stdlib.h>

#include <peat/symbols.h>

#include "print/row_frames.h"
#include "unit/suite.h"

struct line {
	uint64_t stack, count;
};

static const struct peat_field fields[] = {
	{ .name = "stack", .kind = PEAT_FIELD_STACK, .span = 1, .bytes = 8 },
	{ .name = "count",
	  .kind = PEAT_FIELD_UNSIGNED,
	  .span = 1,
	  .offset = offsetof(struct line, count),
	  .bytes = 8 },
};

static const struct peat_stack_frame read_frames[] = {
	{ .symbol = "re\nad", .offset = 16, .module = "/usr/lib/libc.so.6", .address = 0x7f10 },
	{ .symbol = "help", .inlined = true, .module = "/bin/a", .address = 0x4010 },
	{ .symbol = "main", .module = "/bin/a", .address = 0x4010 },
	{ .module = "/bin/", .module_offset = 0x20, .address = 0x5000 },
	{ .address = 0x6000 },
};

/* The number of a stack is the number of its frames. */
static int stack_of(void *arg, uint64_t id, const struct peat_stack_frame **frames)
{
	*frames = arg;
	return (int)id;
}

static struct peat_rows rows_of(struct row *places, const struct line *lines, size_t count)
{
	struct peat_rows rows = { .columns = { &fields[0], &fields[1] },
				  .column_count = 2,
				  .keys = 1,
				  .rows = places,
				  .count = count };

	rows.opts.stack = stack_of;
	rows.opts.stack_arg = (void *)read_frames;
	for (size_t i = 0; i < count; i++)
		places[i] = (struct row){ .data = (void *)&lines[i], .bytes = sizeof(lines[i]) };
	return rows;
}

START_TEST(test_prints_frames_as_text)
{
	struct row places[1];
	struct line line = { 5, 7 };
	struct peat_rows rows = rows_of(places, &line, 1);
	char *text = peat_rows__text(&rows, 10);

	ck_assert_str_eq(text, "  COUNT\n"
			       "      7\n"
			       "        re\\nad+0x10 (libc.so.6)\n"
			       "        help (inlined)\n"
			       "        main (a)\n"
			       "        0x5000 (/bin/+0x20)\n"
			       "        0x6000\n");
	free(text);
	places[0].others = true;
	text = peat_rows__text(&rows, 10);
	ck_assert_str_eq(text, "  COUNT\n      7\n        others\n");
	free(text);
}
END_TEST

START_TEST(test_prints_frames_as_json)
{
	struct line made[] = { { 3, 7 }, { 0, 1 } };
	struct row places[2];
	struct peat_rows rows = rows_of(places, made, 2);
	struct strbuf out = { 0 };

	row_frames__append_json(&out, &rows, 0, 0);
	strbuf__char(&out, ' ');
	row_frames__append_json(&out, &rows, 1, 0);
	strbuf__char(&out, 0);
	ck_assert_str_eq(out.bytes,
			 "[{\"symbol\":\"re\\nad\",\"offset\":16,\"module\":\"/usr/lib/libc.so.6\","
			 "\"address\":\"0x7f10\"},"
			 "{\"symbol\":\"help\",\"module\":\"/bin/a\",\"address\":\"0x4010\","
			 "\"inlined\":true},"
			 "{\"symbol\":\"main\",\"offset\":0,\"module\":\"/bin/a\","
			 "\"address\":\"0x4010\"}] []");
	strbuf__free(&out);
}
END_TEST

/* Without names of its own, a table of a map has ids, which stay in their column. */
START_TEST(test_columns_have_frames)
{
	struct line line = { 0, 1 };
	struct row places[1];
	struct peat_rows rows = rows_of(places, &line, 1);

	ck_assert(row_frames__has(&rows, 0));
	ck_assert(!row_frames__has(&rows, 1));
	rows.opts.stack = NULL;
	ck_assert(!row_frames__has(&rows, 0));
}
END_TEST

SUITE(10)
{
	tcase_add_test(tests, test_prints_frames_as_text);
	tcase_add_test(tests, test_prints_frames_as_json);
	tcase_add_test(tests, test_columns_have_frames);
}

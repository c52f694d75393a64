// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* test_absent.c: programs reject and count events that lack members: PEAT_PRESENT(). */
#include <peat/table.h>
#include <peat/where.h>

#include "support/load/channel_load.h"

EMBED_OBJECT(absent)

#define EVENTS 10 /* each second one lacks members: those with even numbers */

static struct peat_where *where;
static struct peat_table *table;

/* ---- setting up ------------------------------------------------------------------------------ */

/* Runs the program; `text` and `by` may be NULL. */
static struct bpf_object *run(const char *text, const char *by, const char *sum)
{
	struct peat_table_opts table_opts = PEAT_TABLE_OPTS_INIT;
	struct peat_channel_opts opts = PEAT_CHANNEL_OPTS_INIT;
	struct bpf_object *object;

	pin_to(0);
	peat_set_print(keep_messages);
	where = text ? peat_where__parse(text) : NULL;
	table_opts.by = by;
	table_opts.field = sum;
	table_opts.values = sum ? PEAT_TABLE_SUM : 0;
	table = by ? peat_table__new(&table_opts) : NULL;
	ck_assert_msg((where || !text) && (table || !by), "%s", messages);
	opts.where = where;
	opts.table = table;
	open_channel(&opts);
	object = add_object(&absent_object);
	open_channel_reader(50, 0);
	for (int i = 0; i < EVENTS; i++)
		call(object, "absent", 0, 0);
	return object;
}

static void end(void)
{
	close_all();
	peat_where__free(where);
	peat_table__free(table);
	ck_assert_str_eq(messages, "");
}

/* Numbers of the delivered events, a bit each. */
static uint32_t delivered;

static const struct peat_field *find(const struct peat_event *event, const char *path,
				     uint32_t *base)
{
	const struct peat_field *field = peat_schema__find(event->schema, path, base);

	ck_assert_msg(field, "%s", path);
	return field;
}

static const char *text_of(const struct peat_event *event, const char *path)
{
	static char text[64];
	uint32_t base;
	const struct peat_field *field = find(event, path, &base);

	peat_field__text(field, (const char *)event->data + base, event->size - base, text,
			 sizeof(text));
	return text;
}

static void check_event(const struct peat_event *event)
{
	uint64_t number, inode;
	uint32_t base;
	bool is_whole;

	ck_assert(peat_field__number(find(event, "number", &base), event->data, event->size,
				     &number));
	is_whole = number % 2;
	delivered |= 1u << number;
	ck_assert(peat_field__number(find(event, "inode", &base), event->data, event->size,
				     &inode) == is_whole);
	ck_assert_str_eq(text_of(event, "name"), is_whole ? "name" : "-");
	if (!is_whole)
		ck_assert_str_eq(text_of(event, "at"), "{line=- column=7}");
}

/* ---- tests ----------------------------------------------------------------------------------- */

START_TEST(test_members_of_events)
{
	run(NULL, NULL, NULL);
	delivered = 0;
	finish_whole(EVENTS, check_event);
	ck_assert_uint_eq(delivered, 0x7fe);
	end();
}
END_TEST

static const struct {
	const char *text;
	uint32_t expected; /* numbers of the events, a bit each */
} wheres[] = {
	{ "inode == 1003", 1 << 3 },
	{ "inode != 1003", 1 << 1 | 1 << 5 | 1 << 7 | 1 << 9 },
	{ "!(at.line < 6)", 1 << 7 | 1 << 9 },
	{ "name == \"name\" || number == 4", 0x2aa },
	{ "inode > 0 && number in (4, 5)", 1 << 5 },
	{ "!has_inode", 0x554 },
};

/* Programs decide: events without the member are not transported. */
START_TEST(test_expressions_with_absent_members)
{
	struct bpf_object *object = run(wheres[_i].text, NULL, NULL);
	uint64_t expected = (uint64_t)__builtin_popcount(wheres[_i].expected);
	struct peat_ledger ledger;

	delivered = 0;
	ledger = finish(check_event);
	ck_assert_msg(delivered == wheres[_i].expected, "%s: %#x", wheres[_i].text, delivered);
	ck_assert_uint_eq(ledger.delivered, expected);
	ck_assert_uint_eq(ledger.filtered, EVENTS - expected);
	ck_assert_uint_eq(count_transported(object), expected);
	end();
}
END_TEST

/* Prints the key, the count and the sum of each row. */
static const char *rows(void)
{
	struct peat_table_row row = { .sz = sizeof(row) };
	static char text[256];
	size_t used = 0;

	text[0] = '\0';
	ck_assert_int_ge(peat_table__read(table), 0);
	while (peat_table__next(table, &row) > 0) {
		uint32_t count;
		const struct peat_field *field =
			peat_schema__fields(peat_table__schema(table), &count);

		for (uint32_t i = 0; i < count; i++) {
			used += peat_field__text(&field[i], row.data, row.size, text + used,
						 sizeof(text) - used);
			used += (size_t)snprintf(text + used, sizeof(text) - used, "%s",
						 i + 1 < count ? " " : ";");
		}
	}
	return text;
}

static const struct {
	const char *where, *by, *sum, *expected;
	uint64_t counted;
	bool in_programs;
} tables[] = {
	{ NULL, "at.column", "inode", "7 5 5025;", 5, true },
	{ NULL, "name", "number", "name 5 25;", 5, true },
	{ NULL, "name,at.line", NULL, "name 1 1;name 3 1;name 5 1;name 7 1;name 9 1;", 5, true },
	{ "number > 4", "name", "at.line", "name 3 21;", 3, true },
	{ "name ~ \"n?me\"", "name", "at.line", "name 5 25;", 5, false },
	{ NULL, "has_name", "number", "0 5 30;1 5 25;", 10, false },
};

/* Programs count the events that have the members, and reject the others. */
START_TEST(test_tables_of_absent_members)
{
	struct bpf_object *object = run(tables[_i].where, tables[_i].by, tables[_i].sum);
	struct peat_ledger ledger;

	ledger = finish(NULL);
	ck_assert_str_eq(rows(), tables[_i].expected);
	ledger = ledger_now();
	ck_assert_uint_eq(ledger.counted, tables[_i].counted);
	ck_assert_uint_eq(ledger.filtered, EVENTS - tables[_i].counted);
	if (tables[_i].in_programs)
		ck_assert_uint_eq(count_transported(object), 0);
	else
		ck_assert_uint_gt(count_transported(object), 0);
	end();
}
END_TEST

static Suite *absent_suite(void)
{
	TCase *tests;
	Suite *suite = harness__suite("absent", 60, &tests);

	tcase_add_test(tests, test_members_of_events);
	tcase_add_loop_test(tests, test_expressions_with_absent_members, 0,
			    sizeof(wheres) / sizeof(*wheres));
	tcase_add_loop_test(tests, test_tables_of_absent_members, 0,
			    sizeof(tables) / sizeof(*tables));
	return suite;
}

int main(int argc, char **argv)
{
	static const suite_fn suites[] = { absent_suite };

	return harness__main(argc, argv, suites, 1);
}

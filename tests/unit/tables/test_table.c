// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* test_table.c: tables of events from options to rows, and rows of another origin. */
#include "schema/plan.h"
#include "unit/fail_alloc.h"
#include "unit/suite.h"
#include "unit/tables/fixture.h"

struct call {
	char name[16];
	int32_t error;
	uint32_t number;
	uint64_t delay;
};

static struct peat_field call_fields[] = {
	FIELD(call, name, STRING),
	FIELD(call, error, ERRNO, .is_signed = true),
	FIELD(call, number, UNSIGNED),
	FIELD(call, delay, DURATION),
};
static const struct peat_schema call_schema = SCHEMA(call, call_fields);

static const struct call calls[] = {
	{ "read", 0, 1, 1000 },	 { "write", -9, 2, 5000 }, { "read", -4, 3, 3000 },
	{ "close", 0, 4, 2000 }, { "read", 0, 5, 8000 },
};

static void add_calls(struct peat_table *table)
{
	for (size_t i = 0; i < COUNT_OF(calls); i++)
		ck_assert_int_eq(peat_table__add(table, &EVENT(&call_schema, &calls[i])), 1);
}

static const char *rows_sorted(const char *by, const char *field, uint32_t values, const char *sort)
{
	struct peat_table_opts opts = {
		.sz = sizeof(opts), .by = by, .field = field, .values = values, .sort = sort
	};
	struct peat_table *table = peat_table__new(&opts);
	const char *text;

	watch_messages();
	ck_assert_ptr_nonnull(table);
	add_calls(table);
	text = rows_of(table);
	peat_table__free(table);
	ck_assert_str_eq(messages, "");
	return text;
}

START_TEST(test_counts_by_keys)
{
	ck_assert_str_eq(rows_sorted("name", NULL, 0, NULL), "read 3;close 1;write 1");
	ck_assert_str_eq(rows_sorted("name,error", NULL, 0, NULL),
			 "read 0 2;close 0 1;read EINTR 1;write EBADF 1");
	ck_assert_str_eq(rows_sorted(NULL, NULL, 0, NULL), "5");
	ck_assert_str_eq(rows_sorted("", "delay", PEAT_TABLE_SUM, NULL), "5 19us");
	ck_assert_str_eq(
		rows_sorted("name", "delay",
			    PEAT_TABLE_SUM | PEAT_TABLE_AVERAGE | PEAT_TABLE_MIN | PEAT_TABLE_MAX,
			    NULL),
		"read 3 12us 4us 1us 8us;close 1 2us 2us 2us 2us;"
		"write 1 5us 5us 5us 5us");
	ck_assert_str_eq(rows_sorted("comm", "error", PEAT_TABLE_SUM | PEAT_TABLE_MIN, NULL),
			 "nginx 5 -13 EBADF");
}
END_TEST

/* Events that lack the key or the number are not counted. */
START_TEST(test_absent_fields_are_not_counted)
{
	static struct peat_field fields[] = {
		FIELD(call, name, STRING),
		FIELD(call, error, ERRNO, .is_signed = true),
		FIELD(call, number, UNSIGNED),
		FIELD(call, delay, DURATION),
	};
	static const struct peat_schema schema = SCHEMA(call, fields);
	static const struct {
		struct call call;
		int counted;
	} added[] = {
		{ { "read", 1, 1, 1000 }, 1 },
		{ { "read", 0, 1, 2000 }, 0 },
		{ { "read", 1, 0, 4000 }, 0 },
		{ { "read", 1, 1, 8000 }, 1 },
	};
	struct peat_table *table = new_table("name", "delay", PEAT_TABLE_SUM | PEAT_TABLE_MAX);

	fields[0].presence = &fields[1];
	fields[3].presence = &fields[2];
	for (size_t i = 0; i < COUNT_OF(added); i++)
		ck_assert_int_eq(peat_table__add(table, &EVENT(&schema, &added[i].call)),
				 added[i].counted);
	ck_assert_str_eq(rows_of(table), "read 2 9us 8us");
	ck_assert_ptr_null(peat_schema__find(peat_table__schema(table), "name", NULL)->presence);
	peat_table__free(table);
}
END_TEST

/* Keys above the limit share a row, whose values are exact.  It is the last, however it sorts. */
START_TEST(test_other_keys_share_a_row)
{
	struct peat_table_opts opts = { .sz = sizeof(opts),
					.by = "name",
					.field = "delay",
					.values = PEAT_TABLE_SUM | PEAT_TABLE_AVERAGE |
						  PEAT_TABLE_MIN | PEAT_TABLE_MAX,
					.max_rows = 1 };
	struct peat_table_row row = { .sz = sizeof(row) };
	static const struct call more[] = { { "open", 0, 6, 90000 }, { "dup", 0, 7, 1000 } };
	struct peat_table *table = peat_table__new(&opts);

	ck_assert_ptr_nonnull(table);
	add_calls(table);
	for (size_t i = 0; i < COUNT_OF(more); i++)
		ck_assert_int_eq(peat_table__add(table, &EVENT(&call_schema, &more[i])), 1);
	ck_assert_str_eq(rows_of(table), "read 3 12us 4us 1us 8us; 4 98us 24.5us 1us 90us");
	ck_assert_int_eq(peat_table__read(table), 2);
	ck_assert_int_eq(peat_table__next(table, &row), 1);
	ck_assert_uint_eq(row.others, 0);
	ck_assert_int_eq(peat_table__next(table, &row), 1);
	ck_assert_uint_eq(row.others, 1);
	ck_assert_int_eq(peat_table__clear(table), 0);
	ck_assert_int_eq(peat_table__add(table, &EVENT(&call_schema, &more[0])), 1);
	ck_assert_str_eq(rows_of(table), "open 1 90us 90us 90us 90us");
	ck_assert_int_eq(peat_table__next(table, &row), 0);
	peat_table__free(table);
}
END_TEST

/* Events that are added after the reading change no row. */
START_TEST(test_others_after_a_reading)
{
	struct peat_table_opts opts = { .sz = sizeof(opts), .by = "name", .max_rows = 2 };
	struct peat_table_row row = { .sz = sizeof(row) };
	struct peat_table *table = peat_table__new(&opts);

	ck_assert_int_eq(peat_table__add(table, &EVENT(&call_schema, &calls[0])), 1);
	ck_assert_int_eq(peat_table__add(table, &EVENT(&call_schema, &calls[1])), 1);
	ck_assert_int_eq(peat_table__read(table), 2);
	ck_assert_int_eq(peat_table__add(table, &EVENT(&call_schema, &calls[3])), 1);
	while (peat_table__next(table, &row) > 0)
		ck_assert_uint_eq(row.others, 0);
	ck_assert_str_eq(rows_of(table), "read 1;write 1; 1");
	peat_table__free(table);
}
END_TEST

START_TEST(test_others_of_a_histogram)
{
	struct peat_table_opts opts = { .sz = sizeof(opts),
					.by = "name",
					.field = "number",
					.values = PEAT_TABLE_LOG2,
					.max_rows = 1 };
	struct peat_table *table = peat_table__new(&opts);
	struct peat_table_row row = { .sz = sizeof(row) };
	uint64_t slots[3];

	add_calls(table);
	ck_assert_int_eq(peat_table__read(table), 2);
	ck_assert_int_eq(peat_table__next(table, &row), 1);
	ck_assert_int_eq(peat_table__next(table, &row), 1);
	memcpy(slots, (const char *)row.data + row.size - 8 * PEAT_TABLE_SLOTS, sizeof(slots));
	ck_assert_uint_eq(slots[1], 1); /* write: 2 */
	ck_assert_uint_eq(slots[2], 1); /* close: 4 */
	peat_table__free(table);
}
END_TEST

/* The caller numbers the stacks: here, by the number of the call. */
static int number_stack(void *arg, const struct peat_event *event, uint64_t *id)
{
	const struct call *call = event->data;

	*id = call->number % 2 + *(uint64_t *)arg;
	return call->number > 100 ? -ENOMEM : 0;
}

START_TEST(test_counts_by_stacks)
{
	uint64_t first = 40;
	struct peat_table_opts opts = { .sz = sizeof(opts),
					.by = "stack,comm",
					.stack_id = number_stack,
					.stack_arg = &first };
	struct peat_table *table = peat_table__new(&opts);
	static const struct call failing = { .number = 101 };
	const struct peat_field *column;
	uint32_t count;

	watch_messages();
	ck_assert_ptr_nonnull(table);
	add_calls(table);
	ck_assert_str_eq(rows_of(table), "41 nginx 3;40 nginx 2");
	column = peat_schema__fields(peat_table__schema(table), &count);
	ck_assert_str_eq(column->name, "stack");
	ck_assert_int_eq(column->kind, PEAT_FIELD_STACK);
	ck_assert_int_eq(peat_table__add(table, &EVENT(&call_schema, &failing)), -ENOMEM);
	peat_table__free(table);
	ck_assert_str_eq(messages, "");
	table = new_table("stack", NULL, 0);
	ck_assert_int_eq(peat_table__add_type(table, &call_schema), -EINVAL);
	ck_assert_str_eq(messages, "a table by 'stack': the stacks of call have no numbers: set "
				   "peat_table_opts.stack_id\n");
	peat_table__free(table);
}
END_TEST

START_TEST(test_sorts_by_column)
{
	const uint32_t values = PEAT_TABLE_SUM | PEAT_TABLE_MIN;

	ck_assert_str_eq(rows_sorted("name", "delay", values, "name"),
			 "close 1 2us 2us;read 3 12us 1us;write 1 5us 5us");
	ck_assert_str_eq(rows_sorted("name", "delay", values, "sum"),
			 "read 3 12us 1us;write 1 5us 5us;close 1 2us 2us");
	ck_assert_str_eq(rows_sorted("name", "delay", values, "min"),
			 "write 1 5us 5us;close 1 2us 2us;read 3 12us 1us");
	ck_assert_str_eq(rows_sorted("name,error", NULL, 0, "error"),
			 "write EBADF 1;read EINTR 1;close 0 1;read 0 2");
}
END_TEST

START_TEST(test_counts_into_histogram)
{
	struct peat_table *table = new_table("", "delay", PEAT_TABLE_LOG2);
	struct peat_table_row row = { .sz = sizeof(row) };
	const struct peat_field *slots;
	uint64_t counts[PEAT_TABLE_SLOTS];

	add_calls(table);
	ck_assert_int_eq(peat_table__read(table), 1);
	ck_assert_int_eq(peat_table__next(table, &row), 1);
	slots = peat_schema__find(peat_table__schema(table), "slots", NULL);
	ck_assert_ptr_nonnull(slots);
	ck_assert_uint_eq((uintptr_t)row.data % 8, 0);
	memcpy(counts, (const char *)row.data + slots->offset, sizeof(counts));
	ck_assert_uint_eq(counts[9], 1);  /* 1000 */
	ck_assert_uint_eq(counts[10], 1); /* 2000 */
	ck_assert_uint_eq(counts[11], 1); /* 3000 */
	ck_assert_uint_eq(counts[12], 2); /* 5000 and 8000 */
	peat_table__free(table);
}
END_TEST

static const char *unit_of(const char *field)
{
	struct peat_table *table = new_table("", field, PEAT_TABLE_LOG2);
	const char *unit;

	ck_assert_ptr_null(peat_table__unit(table));
	ck_assert_int_eq(peat_table__add_type(table, &call_schema), 1);
	unit = peat_table__unit(table); /* a constant */
	peat_table__free(table);
	return unit;
}

START_TEST(test_units_of_values)
{
	ck_assert_str_eq(unit_of("delay"), "ns");
	ck_assert_ptr_null(unit_of("error"));
}
END_TEST

/* Rows that were read stay as they were while more events are counted. */
START_TEST(test_rows_stay_as_read)
{
	struct peat_table *table = new_table("name", NULL, 0);
	struct peat_table_row row = { .sz = sizeof(row) }, wrong = { .sz = 4 };
	uint64_t count;

	ck_assert_str_eq(rows_of(table), "");
	add_calls(table);
	ck_assert_int_eq(peat_table__next(table, &row), 0);
	ck_assert_int_eq(peat_table__read(table), 3);
	ck_assert_int_eq(peat_table__next(table, &wrong), -EINVAL);
	ck_assert_int_eq(peat_table__next(table, &row), 1);
	add_calls(table);
	memcpy(&count, (const char *)row.data + 8, 8);
	ck_assert_uint_eq(count, 3);
	ck_assert_str_eq(rows_of(table), "read 6;close 2;write 2");
	ck_assert_int_eq(peat_table__read(table), 3);
	ck_assert_int_eq(peat_table__clear(table), 0);
	ck_assert_int_eq(peat_table__next(table, &row), 0);
	ck_assert_str_eq(rows_of(table), "");
	add_calls(table);
	ck_assert_str_eq(rows_of(table), "read 3;close 1;write 1");
	peat_table__free(table);
}
END_TEST

START_TEST(test_new_fails)
{
	static const struct peat_table_opts cases[] = {
		{ .by = "a,,b" },
		{ .by = "name", .sort = "sum" },
		{ .by = "name", .sort = "delay" },
		{ .values = PEAT_TABLE_SUM },
	};

	for (size_t i = 0; i < COUNT_OF(cases); i++) {
		struct peat_table_opts opts = cases[i];

		opts.sz = sizeof(opts);
		watch_messages();
		errno = 0;
		ck_assert_ptr_null(peat_table__new(&opts));
		ck_assert_int_eq(errno, EINVAL);
		ck_assert_str_ne(messages, "");
	}
	peat_table__free(NULL);
}
END_TEST

/* ---- types ----------------------------------------------------------------------------------- */

struct other {
	uint64_t pad;
	int64_t number;
};

static struct peat_field other_fields[] = { FIELD(other, number, SIGNED, .is_signed = true) };
static const struct peat_schema other_schema = SCHEMA(other, other_fields);

START_TEST(test_two_types)
{
	struct peat_table *table = new_table("number", NULL, 0);
	struct peat_table *by_type = new_table("type", "number", PEAT_TABLE_MIN | PEAT_TABLE_MAX);
	const struct other others[] = { { 0, 3 }, { 0, -1 } };

	add_calls(table);
	add_calls(by_type);
	for (size_t i = 0; i < 2; i++) {
		ck_assert_int_eq(peat_table__add(table, &EVENT(&other_schema, &others[i])), 1);
		ck_assert_int_eq(peat_table__add(by_type, &EVENT(&other_schema, &others[i])), 1);
	}
	ck_assert_str_eq(rows_of(table), "3 2;-1 1;1 1;2 1;4 1;5 1");
	ck_assert_str_eq(rows_of(by_type), "call 5 1 5;other 2 -1 3");
	peat_table__free(table);
	peat_table__free(by_type);
}
END_TEST

/* After a read, the columns stay as they are. */
START_TEST(test_late_type)
{
	struct peat_table *table = new_table("number", NULL, 0);
	const struct other other = { 0, -1 };
	const struct peat_schema *schema;

	add_calls(table);
	ck_assert_int_eq(peat_table__read(table), 5);
	schema = peat_table__schema(table);
	for (int i = 0; i < 2; i++)
		ck_assert_int_eq(peat_table__add(table, &EVENT(&other_schema, &other)), -EINVAL);
	ck_assert_str_eq(messages, "a table by 'number': the one of other is signed, and rows were "
				   "read before: make a table for each type\n");
	ck_assert_int_eq(peat_table__read(table), 5);
	ck_assert_ptr_eq(peat_table__schema(table), schema);
	peat_table__free(table);
}
END_TEST

START_TEST(test_lacking_type)
{
	struct peat_table *table = new_table("name", NULL, 0);
	const struct other other = { 0, 1 };

	ck_assert_int_eq(peat_table__add_type(table, &other_schema), 0);
	ck_assert_int_eq(peat_table__add(table, &EVENT(&other_schema, &other)), 0);
	ck_assert_int_eq(peat_table__check(table), -EINVAL);
	ck_assert_int_eq(errno, EINVAL);
	ck_assert_int_eq(peat_table__read(table), 0);
	ck_assert_int_eq(peat_table__add_type(table, &call_schema), 1);
	ck_assert_int_eq(peat_table__check(table), 0);
	ck_assert_ptr_null(table__plan(table, &other_schema));
	ck_assert_ptr_nonnull(table__plan(table, &call_schema));
	ck_assert_str_eq(table__opts(table)->by, "name");
	peat_table__free(table);
}
END_TEST

/* Events without a schema have only what all events have. */
START_TEST(test_events_without_type)
{
	struct peat_table *table = new_table("type,comm", NULL, 0);
	struct peat_event event = EVENT(NULL, &calls[0]);

	ck_assert_int_eq(peat_table__add(table, &event), 1);
	event.kind = PEAT_EVENT_RECORD;
	ck_assert_int_eq(peat_table__add(table, &event), 1);
	event.kind = PEAT_EVENT_LOST;
	ck_assert_int_eq(peat_table__add(table, &event), 0);
	event.kind = PEAT_EVENT_TOOL;
	ck_assert_int_eq(peat_table__add(table, &event), 0);
	ck_assert_str_eq(rows_of(table), "raw nginx 1;record nginx 1");
	peat_table__free(table);
	table = new_table("name", NULL, 0);
	event.kind = PEAT_EVENT_DATA;
	ck_assert_int_eq(peat_table__add(table, &event), 0);
	peat_table__free(table);
}
END_TEST

/* ---- counts of the kernel's ------------------------------------------------------------------ */

struct source {
	struct peat_table *table;
	int collected, err;
};

static int collect(void *arg)
{
	struct source *source = arg;
	struct key_counts counts = { .count = 2, .sum = 70, .min = 30, .max = 40 };
	const struct call call = { .name = "read" };
	struct peat_event event = EVENT(&call_schema, &call);

	if (source->err)
		return source->err;
	source->collected++;
	event.size = sizeof(call.name); /* only the key */
	counts.slots[4] = 1;
	counts.slots[5] = 1;
	return table__add_counts(source->table, &event, &counts);
}

START_TEST(test_source_adds_counts)
{
	struct peat_table *table =
		new_table("name", "delay", PEAT_TABLE_SUM | PEAT_TABLE_MIN | PEAT_TABLE_MAX);
	struct source source = { .table = table };

	table__set_source(table, collect, &source, NULL);
	ck_assert_int_eq(peat_table__add(table, &EVENT(&call_schema, &calls[0])), 1);
	ck_assert_str_eq(rows_of(table), "read 3 1.07us 30ns 1us");
	ck_assert_str_eq(rows_of(table), "read 5 1.14us 30ns 1us");
	source.err = -EIO;
	ck_assert_int_eq(peat_table__read(table), -EIO);
	ck_assert_int_eq(peat_table__clear(table), -EIO);
	table__set_source(table, NULL, NULL, NULL);
	ck_assert_str_eq(rows_of(table), "read 5 1.14us 30ns 1us");
	source.err = 0;
	table__set_source(table, collect, &source, NULL);
	ck_assert_int_eq(peat_table__clear(table), 0); /* the rows that were read */
	ck_assert_int_eq(source.collected, 2);
	ck_assert_str_eq(rows_of(table), "read 2 70ns 30ns 40ns");
	ck_assert_int_eq(peat_table__clear(table), 0);
	ck_assert_int_eq(peat_table__clear(table), 0); /* nothing was read */
	ck_assert_int_eq(source.collected, 4);
	table__set_source(table, NULL, NULL, NULL);
	ck_assert_str_eq(rows_of(table), "");
	peat_table__free(table);
}
END_TEST

START_TEST(test_add_counts)
{
	struct peat_table *table = new_table("name", NULL, 0);
	struct peat_event event = EVENT(&call_schema, &calls[0]);
	struct key_counts counts = { .count = 0 };

	ck_assert_int_eq(table__add_counts(table, &event, &counts), 0);
	ck_assert_str_eq(rows_of(table), "");
	counts.count = 1;
	event.size = 0;
	ck_assert_int_eq(table__add_counts(table, &event, &counts), -EINVAL);
	event.schema = &other_schema;
	ck_assert_int_eq(table__add_counts(table, &event, &counts), -EINVAL);
	peat_table__free(table);
}
END_TEST

/* ---- rows of another origin ------------------------------------------------------------------ */

struct origin {
	int err, cleared, freed;
};

static int read_origin(struct peat_table *table, void *arg)
{
	const struct origin *origin = arg;

	for (size_t i = 0; !origin->cleared && i < COUNT_OF(calls); i++)
		if (table__put_row(table, &calls[i], sizeof(calls[i])))
			return -ENOMEM;
	return origin->err;
}

static int clear_origin(void *arg)
{
	struct origin *origin = arg;

	origin->cleared += !origin->err;
	return origin->err;
}

static void free_origin(void *arg)
{
	((struct origin *)arg)->freed++;
}

static const struct table_origin_ops origin_ops = { read_origin, clear_origin, free_origin };

/* A schema that can be freed. */
static struct peat_schema *owned_schema(void)
{
	static const char *const nothing_reserved[] = { NULL };
	struct peat_schema *schema;
	struct plan plan = { 0 };

	for (size_t i = 0; i < COUNT_OF(call_fields); i++)
		ck_assert_int_ge(plan__add(&plan, &call_fields[i]), 0);
	ck_assert_int_eq(
		plan__pack(&plan, "map", NULL, sizeof(struct call), nothing_reserved, &schema), 0);
	plan__free(&plan);
	return schema;
}

START_TEST(test_rows_of_an_origin)
{
	struct origin origin = { 0 };
	struct peat_schema *schema = owned_schema();
	struct peat_table *table = table__new_rows(schema, 1, "delay", &origin_ops, &origin);

	watch_messages();
	ck_assert_ptr_nonnull(table);
	ck_assert_ptr_eq(peat_table__schema(table), schema);
	ck_assert_uint_eq(peat_table__keys(table), 1);
	for (int i = 0; i < 2; i++)
		ck_assert_str_eq(rows_of(table), "read 0 5 8us;write EBADF 2 5us;read EINTR 3 3us;"
						 "close 0 4 2us;read 0 1 1us");
	ck_assert_int_eq(peat_table__add(table, &EVENT(&call_schema, &calls[0])), -EINVAL);
	ck_assert_int_eq(peat_table__add_type(table, &call_schema), -EINVAL);
	ck_assert_int_eq(peat_table__check(table), 0);
	origin.err = -EPERM;
	ck_assert_int_eq(peat_table__clear(table), -EPERM);
	ck_assert_int_eq(peat_table__read(table), -EPERM);
	ck_assert_int_eq(peat_table__next(table, &(struct peat_table_row){ .sz = 24 }), 0);
	origin.err = 0;
	ck_assert_int_eq(peat_table__clear(table), 0);
	ck_assert_int_eq(peat_table__read(table), 0);
	peat_table__free(table);
	ck_assert_int_eq(origin.freed, 1);
}
END_TEST

/* The caller keeps what was not accepted. */
START_TEST(test_rows_refused)
{
	struct origin origin = { 0 };
	struct peat_schema *schema = owned_schema();

	watch_messages();
	ck_assert_ptr_null(table__new_rows(schema, 1, "latency", &origin_ops, &origin));
	ck_assert_int_eq(errno, EINVAL);
	ck_assert_ptr_nonnull(strstr(messages, "its columns are name, error, number, delay"));
	ck_assert_int_eq(origin.freed, 0);
	peat_schema__free(schema);
}
END_TEST

/* ---- any events ------------------------------------------------------------------------------ */

#define NAMES  40
#define ERRORS 5

struct naive {
	uint64_t count, sum, min, max, slots[64];
};

static void add_naive(struct naive *row, uint64_t delay)
{
	uint32_t slot = 0;

	while (slot < 63 && delay >> (slot + 1))
		slot++;
	row->slots[slot]++;
	row->sum += delay;
	row->min = !row->count || delay < row->min ? delay : row->min;
	row->max = delay > row->max ? delay : row->max;
	row->count++;
}

static uint64_t number_in(const struct peat_schema *schema, const struct peat_table_row *row,
			  const char *name)
{
	uint64_t number;

	ck_assert(peat_field__number(peat_schema__find(schema, name, NULL), row->data, row->size,
				     &number));
	return number;
}

static void check_naive(const struct peat_schema *schema, const struct peat_table_row *row,
			const struct naive *naive)
{
	ck_assert_uint_eq(number_in(schema, row, "count"), naive->count);
	ck_assert_uint_eq(number_in(schema, row, "sum"), naive->sum);
	ck_assert_uint_eq(number_in(schema, row, "average"), naive->sum / naive->count);
	ck_assert_uint_eq(number_in(schema, row, "min"), naive->min);
	ck_assert_uint_eq(number_in(schema, row, "max"), naive->max);
	ck_assert_mem_eq((const char *)row->data + peat_schema__find(schema, "slots", NULL)->offset,
			 naive->slots, sizeof(naive->slots));
}

START_TEST(test_random_events_match_model)
{
	static struct naive naive[NAMES][ERRORS];
	struct peat_table *table = new_table("name,error", "delay",
					     PEAT_TABLE_SUM | PEAT_TABLE_AVERAGE | PEAT_TABLE_MIN |
						     PEAT_TABLE_MAX | PEAT_TABLE_LOG2);
	struct peat_table_row row = { .sz = sizeof(row) };
	uint64_t last = UINT64_MAX, seen = 0;
	int rows;

	srandom(_i);
	for (int i = 0; i < 20000; i++) {
		uint32_t name = (uint32_t)(random() % NAMES) % (1 + (uint32_t)random() % NAMES);
		uint32_t error = (uint32_t)random() % ERRORS;
		struct call call = { .error = -(int32_t)error };

		snprintf(call.name, sizeof(call.name), "%.*s%u", (int)(name % 9), "nnnnnnnnn",
			 name);
		memset(call.name + strlen(call.name) + 1, (int)random(),
		       sizeof(call.name) - strlen(call.name) - 1);
		call.delay = ((uint64_t)random() << 33 ^ (uint64_t)random()) >> random() % 64;
		add_naive(&naive[name][error], call.delay);
		ck_assert_int_eq(peat_table__add(table, &EVENT(&call_schema, &call)), 1);
	}
	rows = peat_table__read(table);
	while (peat_table__next(table, &row) == 1) {
		const struct peat_schema *schema = peat_table__schema(table);
		char name[32];

		peat_field__text(peat_schema__fields(schema, NULL), row.data, row.size, name,
				 sizeof(name));
		check_naive(schema, &row,
			    &naive[atoi(name + strspn(name, "n"))]
				  [-(int)number_in(schema, &row, "error")]);
		ck_assert_uint_le(number_in(schema, &row, "count"), last);
		last = number_in(schema, &row, "count");
		seen += last;
		rows--;
	}
	ck_assert_int_eq(rows, 0);
	ck_assert_uint_eq(seen, 20000);
	peat_table__free(table);
}
END_TEST

START_TEST(test_host_is_a_key)
{
	struct peat_table *table = new_table("host,name", NULL, 0);

	table__set_host(table, "");
	table__set_host(table, "web1");
	add_calls(table);
	table__set_host(table, "web2");
	ck_assert_int_eq(peat_table__add(table, &EVENT(&call_schema, &calls[0])), 1);
	ck_assert_str_eq(rows_of(table), "web1 read 3;web1 close 1;web1 write 1;web2 read 1");
	ck_assert_int_eq(peat_table__check(table), 0);
	peat_table__free(table);
	table = new_table("host", NULL, 0); /* of this machine alone */
	ck_assert_int_eq(peat_table__add(table, &EVENT(&call_schema, &calls[0])), 0);
	ck_assert_int_eq(peat_table__check(table), -EINVAL);
	peat_table__free(table);
}
END_TEST

START_TEST(test_bytes_of_keys_are_limited)
{
	struct peat_table *table = new_table("number", NULL, 0);
	struct call call = { "read", 0, 0, 0 };
	int rows;

	table__limit_bytes(table, 100000);
	for (; call.number < 100000; call.number++)
		ck_assert_int_eq(peat_table__add(table, &EVENT(&call_schema, &call)), 1);
	rows = peat_table__read(table);
	ck_assert_int_gt(rows, 1000);
	ck_assert_int_lt(rows, 20000);
	peat_table__free(table);
}
END_TEST

/* Whatever allocation fails: no count is lost that was not refused, and nothing leaks. */
START_TEST(test_no_memory)
{
	long blocks = fail_alloc__blocks();

	peat_set_print(NULL);
	for (unsigned nth = 1; nth; nth++) {
		struct peat_table_opts opts = { .sz = sizeof(opts),
						.by = "name,comm",
						.field = "delay",
						.values = PEAT_TABLE_SUM,
						.sort = "sum" };
		struct peat_table *table;
		int counted = 0, rows = -1;
		bool failed;

		fail_alloc__begin(nth);
		table = peat_table__new(&opts);
		for (size_t i = 0; table && i < COUNT_OF(calls); i++)
			counted += peat_table__add(table, &EVENT(&call_schema, &calls[i])) == 1;
		rows = table ? peat_table__read(table) : -ENOMEM;
		failed = fail_alloc__end();
		ck_assert(failed || counted == COUNT_OF(calls));
		ck_assert(failed ? rows > 0 || rows == -ENOMEM : rows == 3);
		ck_assert_int_ge(counted, table ? (int)COUNT_OF(calls) - 1 : 0);
		if (table && rows < 0)
			ck_assert_int_eq(peat_table__read(table), 3);
		peat_table__free(table);
		ck_assert_int_eq(fail_alloc__blocks(), blocks);
		if (!failed)
			break;
	}
}
END_TEST

FORKED_SUITE(30)
{
	tcase_add_test(tests, test_counts_by_keys);
	tcase_add_test(tests, test_absent_fields_are_not_counted);
	tcase_add_test(tests, test_sorts_by_column);
	tcase_add_test(tests, test_other_keys_share_a_row);
	tcase_add_test(tests, test_others_after_a_reading);
	tcase_add_test(tests, test_others_of_a_histogram);
	tcase_add_test(tests, test_counts_by_stacks);
	tcase_add_test(tests, test_counts_into_histogram);
	tcase_add_test(tests, test_units_of_values);
	tcase_add_test(tests, test_rows_stay_as_read);
	tcase_add_test(tests, test_new_fails);
	tcase_add_test(tests, test_two_types);
	tcase_add_test(tests, test_late_type);
	tcase_add_test(tests, test_lacking_type);
	tcase_add_test(tests, test_events_without_type);
	tcase_add_test(tests, test_source_adds_counts);
	tcase_add_test(tests, test_add_counts);
	tcase_add_test(tests, test_rows_of_an_origin);
	tcase_add_test(tests, test_rows_refused);
	tcase_add_loop_test(tests, test_random_events_match_model, 0, 5);
	tcase_add_test(tests, test_host_is_a_key);
	tcase_add_test(tests, test_bytes_of_keys_are_limited);
	tcase_add_test(tests, test_no_memory);
}

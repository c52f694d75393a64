// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* test_program_counts.c: programs count events in own tables, and the reader counts the rest. */
#include <sys/prctl.h>
#include <sys/syscall.h>

#include <peat/table.h>
#include <peat/where.h>

#include "live/bpf/select.bpf.h"
#include "flood.h"
#include "support/load/channel_load.h"
#include "support/machine/amount.h"

EMBED_OBJECT(select)
EMBED_TWINS(flood)

static struct peat_table *table;

/* ---- setting up ------------------------------------------------------------------------------ */

static struct bpf_object *begin(const struct peat_table_opts *table_opts)
{
	struct peat_channel_opts opts = PEAT_CHANNEL_OPTS_INIT;
	struct bpf_object *object;

	pin_to(0);
	table = peat_table__new(table_opts);
	ck_assert_ptr_nonnull(table);
	opts.table = table;
	open_channel(&opts);
	object = add_object(&select_object);
	open_channel_reader(50, 0);
	return object;
}

static void end(void)
{
	close_all();
	peat_table__free(table);
}

static struct peat_table_opts opts_by(const char *by)
{
	struct peat_table_opts opts = PEAT_TABLE_OPTS_INIT;

	opts.by = by;
	return opts;
}

/* ---- rows ------------------------------------------------------------------------------------ */

/* The number in a column of the row whose first key prints as `key` (NULL: the only row). */
static uint64_t number_of(const char *key, const char *column)
{
	struct peat_table_row row = { .sz = sizeof(row) };
	const struct peat_schema *schema;
	char text[64];
	uint64_t number;
	uint32_t at;

	int rows = peat_table__read(table);

	ck_assert_msg(rows > 0, "%d rows for %s, %s", rows, key, column);
	schema = peat_table__schema(table);
	while (peat_table__next(table, &row) > 0) {
		const struct peat_field *field = peat_schema__fields(schema, NULL);

		if (key)
			peat_field__text(field, row.data, row.size, text, sizeof(text));
		if (key && strcmp(key, text))
			continue;
		field = peat_schema__find(schema, column, &at);
		ck_assert_ptr_nonnull(field);
		if (peat_field__class(field) == PEAT_CLASS_FLOAT)
			memcpy(&number, (const char *)row.data + at + field->offset,
			       sizeof(number));
		else
			ck_assert(peat_field__number(field, (const char *)row.data + at,
						     row.size - at, &number));
		return number;
	}
	ck_abort_msg("no row %s", key);
}

static uint64_t sum_of_counts(int *rows)
{
	struct peat_table_row row = { .sz = sizeof(row) };
	const struct peat_field *count;
	uint64_t sum = 0, number;

	*rows = peat_table__read(table);
	ck_assert_int_ge(*rows, 0);
	count = peat_schema__find(peat_table__schema(table), "count", NULL);
	while (peat_table__next(table, &row) > 0) {
		ck_assert(peat_field__number(count, row.data, row.size, &number));
		sum += number;
	}
	return sum;
}

/* Checks that the programs counted all of these events, and the reader none. */
static void check_counted(struct bpf_object *object, uint64_t events)
{
	struct peat_ledger ledger = finish(NULL);

	ck_assert_uint_eq(ledger.emitted, events);
	ck_assert_uint_eq(ledger.counted, events);
	ck_assert_uint_eq(ledger.delivered, 0);
	ck_assert_uint_eq(ledger.filtered, 0);
	ck_assert_uint_eq(count_transported(object), 0);
	ck_assert_uint_eq(stats_now().counted, events);
	ck_assert_uint_eq(stats_now().events, 0);
}

/* ---- tests ----------------------------------------------------------------------------------- */

START_TEST(test_by_number)
{
	struct peat_table_opts opts = opts_by("key");
	struct bpf_object *object = begin(&opts);

	for (uint64_t i = 0; i < 100; i++)
		call(object, "key_and_number", i % 3, i);
	ck_assert_uint_eq(number_of("0", "count"), 34);
	ck_assert_uint_eq(number_of("1", "count"), 33);
	ck_assert_uint_eq(number_of("2", "count"), 33);
	call(object, "key_and_number", 1, 0); /* after a collection, in the other half */
	ck_assert_uint_eq(number_of("1", "count"), 34);
	check_counted(object, 101);
	end();
}
END_TEST

static double average_of(const char *key)
{
	uint64_t bits = number_of(key, "average");
	double average;

	memcpy(&average, &bits, sizeof(average));
	return average;
}

START_TEST(test_counts_numbers)
{
	struct peat_table_opts opts = opts_by("key");
	struct bpf_object *object;

	opts.field = "signed_number";
	opts.values = PEAT_TABLE_SUM | PEAT_TABLE_AVERAGE | PEAT_TABLE_MIN | PEAT_TABLE_MAX;
	object = begin(&opts);
	for (int64_t i = -10; i < 5; i++)
		call(object, "key_and_number", 7, (uint64_t)i);
	ck_assert_uint_eq(number_of("7", "count"), 15);
	ck_assert_int_eq((int64_t)number_of("7", "sum"), -45);
	ck_assert_double_eq(average_of("7"), -3);
	ck_assert_int_eq((int64_t)number_of("7", "min"), -10);
	ck_assert_int_eq((int64_t)number_of("7", "max"), 4);
	check_counted(object, 15);
	end();
}
END_TEST

/* The numbers of a histogram's slots, from its row. */
static uint64_t slot_of(uint32_t slot)
{
	struct peat_table_row row = { .sz = sizeof(row) };
	const struct peat_field *slots;
	uint64_t number;

	ck_assert_int_eq(peat_table__read(table), 1);
	ck_assert_int_eq(peat_table__next(table, &row), 1);
	slots = peat_schema__find(peat_table__schema(table), "slots", NULL);
	ck_assert_ptr_nonnull(slots);
	memcpy(&number, (const char *)row.data + slots->offset + slot * sizeof(number),
	       sizeof(number));
	return number;
}

START_TEST(test_counts_into_log2_slots)
{
	static const uint64_t numbers[] = { 0, 1, 2, 3, 4, 1ULL << 63, UINT64_MAX, 1ULL << 32 };
	struct peat_table_opts opts = opts_by(NULL);
	struct bpf_object *object;

	opts.field = "number";
	opts.values = PEAT_TABLE_LOG2;
	object = begin(&opts);
	for (size_t i = 0; i < 8; i++)
		call(object, "key_and_number", 0, numbers[i]);
	ck_assert_uint_eq(slot_of(0), 2);
	ck_assert_uint_eq(slot_of(1), 2);
	ck_assert_uint_eq(slot_of(2), 1);
	ck_assert_uint_eq(slot_of(32), 1);
	ck_assert_uint_eq(slot_of(63), 2);
	check_counted(object, 8);
	end();
}
END_TEST

START_TEST(test_counts_into_linear_slots)
{
	static const uint64_t numbers[] = { 0, 99, 100, 109, 110, 100 + 639, 100 + 640, 1 << 30 };
	struct peat_table_opts opts = opts_by(NULL);
	struct bpf_object *object;

	opts.field = "number";
	opts.values = PEAT_TABLE_LINEAR;
	opts.linear_first = 100;
	opts.linear_width = 10;
	object = begin(&opts);
	for (size_t i = 0; i < 8; i++)
		call(object, "key_and_number", 0, numbers[i]);
	ck_assert_uint_eq(slot_of(0), 4);
	ck_assert_uint_eq(slot_of(1), 1);
	ck_assert_uint_eq(slot_of(63), 3);
	check_counted(object, 8);
	end();
}
END_TEST

/* A program has no slot for negative numbers: those events are transported. */
START_TEST(test_negative_numbers_of_a_histogram)
{
	struct peat_table_opts opts = opts_by(NULL);
	struct bpf_object *object;
	struct peat_ledger ledger;

	opts.field = "signed_number";
	opts.values = PEAT_TABLE_LOG2;
	object = begin(&opts);
	for (int64_t i = -4; i < 8; i++)
		call(object, "key_and_number", 0, (uint64_t)i);
	drain_all(NULL);
	ck_assert_uint_eq(number_of(NULL, "count"), 12);
	ck_assert_uint_eq(number_of(NULL, "negative"), 4);
	ledger = finish(NULL);
	ck_assert_uint_eq(ledger.counted, 12);
	ck_assert_uint_eq(count_transported(object), 4);
	end();
}
END_TEST

/* Bytes behind a NUL are left over from other events: they are no part of the key. */
START_TEST(test_by_text)
{
	static const char *const names[] = { "abc", "abcdefgh", "abcdefghi", "",
					     "abcdefghijklmnop" };
	struct peat_table_opts opts = opts_by("name,key");
	struct bpf_object *object = begin(&opts);
	struct keyed *next = object__variable(object, "keyed_next", sizeof(*next));

	for (int round = 0; round < 3; round++)
		for (size_t i = 0; i < 5; i++) {
			size_t bytes = strlen(names[i]) + 1; /* with its NUL, if there is room */

			memset(next->name, 'x' + round, sizeof(next->name));
			memcpy(next->name, names[i], bytes < 16 ? bytes : 16);
			call(object, "key_one", 0, 0);
		}
	for (size_t i = 0; i < 5; i++)
		ck_assert_uint_eq(number_of(names[i], "count"), 3);
	check_counted(object, 15);
	end();
}
END_TEST

START_TEST(test_by_task_and_cpu)
{
	struct peat_table_opts opts = opts_by("comm,pid,tid,cpu,key");
	struct bpf_object *object = begin(&opts);
	char comm[16] = "";

	ck_assert_int_eq(prctl(PR_SET_NAME, "count-me"), 0);
	for (int i = 0; i < 10; i++)
		call(object, "key_and_number", 0, 0);
	snprintf(comm, sizeof(comm), "count-me");
	ck_assert_uint_eq(number_of(comm, "count"), 10);
	ck_assert_uint_eq(number_of(comm, "pid"), (uint64_t)getpid());
	ck_assert_uint_eq(number_of(comm, "tid"), (uint64_t)gettid());
	ck_assert_uint_eq(number_of(comm, "cpu"), 0);
	check_counted(object, 10);
	end();
}
END_TEST

/* The name of the running task is not that of the event's task. */
START_TEST(test_comm_of_another_task)
{
	struct peat_table_opts opts = opts_by("comm,key");
	struct bpf_object *object = begin(&opts);
	struct peat_ledger ledger;
	int rows;

	call(object, "key_of_task", 1, 1);
	call(object, "key_of_task", (uint64_t)getpid(), (uint64_t)gettid());
	drain_all(NULL);
	ck_assert_uint_eq(sum_of_counts(&rows), 2);
	ledger = finish(NULL);
	ck_assert_uint_eq(ledger.counted, 2);
	ck_assert_uint_eq(stats_now().counted, 2);
	ck_assert_uint_eq(count_transported(object), 1);
	end();
}
END_TEST

/* Far more keys than cells: what finds no place is transported, and nothing is lost. */
START_TEST(test_more_keys_than_cells)
{
	struct peat_table_opts opts = opts_by("key");
	struct bpf_object *object = begin(&opts);
	struct peat_ledger ledger;
	int rows;

	for (uint64_t i = 0; i < 20000; i++) {
		call(object, "key_and_number", i % 10000, 0);
		if (i % 100 == 0)
			drain(NULL);
	}
	ledger = finish(NULL);
	ck_assert_uint_eq(ledger.emitted, 20000);
	ck_assert_uint_eq(ledger.counted, 20000);
	ck_assert_uint_eq(peat_ledger__lost(&ledger), 0);
	ck_assert_uint_gt(ledger.frames, 0);
	ck_assert_uint_eq(sum_of_counts(&rows), 20000);
	ck_assert_int_eq(rows, 10000);
	end();
}
END_TEST

/* The table is guarded by the first slot: events of another slot are transported. */
START_TEST(test_nested_events_are_transported)
{
	struct peat_table_opts opts = opts_by("key");
	struct bpf_object *object = begin(&opts);
	struct peat_ledger ledger;

	for (int i = 0; i < 5; i++) {
		call(object, "key_nested", 3, 0);
		call(object, "key_and_number", 3, 0);
	}
	ledger = finish(NULL);
	ck_assert_uint_eq(number_of("3", "count"), 10);
	ck_assert_uint_eq(ledger.emitted, 10);
	ck_assert_uint_eq(ledger.counted, 10);
	ck_assert_uint_eq(ledger.discarded, 5);
	ck_assert_uint_eq(count_transported(object), 5);
	end();
}
END_TEST

/* Events of a type without the fields are not counted, and none is returned. */
START_TEST(test_other_types)
{
	struct peat_table_opts opts = opts_by("key");
	struct bpf_object *object = begin(&opts);
	struct peat_ledger ledger;

	call(object, "other_one", 1, 0);
	call(object, "key_and_number", 1, 0);
	ledger = finish(NULL);
	ck_assert_uint_eq(number_of("1", "count"), 1);
	ck_assert_uint_eq(ledger.emitted, 2);
	ck_assert_uint_eq(ledger.counted, 1);
	ck_assert_uint_eq(ledger.filtered, 1);
	ck_assert_uint_eq(ledger.delivered, 0);
	end();
}
END_TEST

/* Programs of two objects fill the same tables, if the key is the same for events of any type. */
START_TEST(test_two_objects)
{
	struct peat_table_opts opts = opts_by("cpu,pid");
	struct bpf_object *first = begin(&opts), *second = add_object(&select_object);

	for (int i = 0; i < 5; i++)
		call(first, "key_and_number", 1, 1);
	for (int i = 0; i < 7; i++)
		call(second, "select_one", sizeof(struct selected), 0);
	for (int i = 0; i < 7; i++)
		call(first, "select_one", sizeof(struct selected), 0);
	drain_all(NULL);
	ck_assert_uint_eq(number_of("0", "count"), 19);
	ck_assert_uint_eq(ledger_now().counted, 19);
	ck_assert_uint_eq(count_transported(first), 5); /* programs count one type of an object */
	end();
}
END_TEST

/* What was counted before the reader ends is in the table afterwards. */
START_TEST(test_reader_ends)
{
	struct peat_table_opts opts = opts_by("key");
	struct bpf_object *object = begin(&opts);

	call(object, "key_and_number", 4, 0);
	close_reader();
	ck_assert_uint_eq(number_of("4", "count"), 1);
	call(object, "key_and_number", 4, 0); /* nobody reads this one now ... */
	open_channel_reader(50, 0);	      /* ... but the next reader */
	ck_assert_uint_eq(number_of("4", "count"), 2);
	ck_assert_uint_eq(ledger_now().counted, 0); /* since this reader was opened */
	call(object, "key_and_number", 4, 0);
	ck_assert_uint_eq(ledger_now().counted, 1);
	end();
}
END_TEST

/* ---- programs that interrupt each other ------------------------------------------------------ */

static void set_flood(struct bpf_object *object, const char *name, uint32_t value)
{
	*(volatile uint32_t *)object__variable(object, name, sizeof(value)) = value;
}

/* Loads the flood, of task, softirq, timer and scheduler at once. */
static struct bpf_object *begin_flood(struct bpf_link *links[5])
{
	static const char *const programs[] = { "flood_task", "flood_softirq", "flood_timer",
						"flood_waking", "flood_switch" };
	struct bpf_object *object = bind_object(object__twin(&flood_object));

	set_flood(object, "flood_pid", (uint32_t)getpid());
	set_flood(object, "flood_syscall", SYS_getpgid);
	object__load(object);
	open_channel_reader(20, 0);
	set_flood(object, "flood_per_call", 20);
	for (size_t i = 0; i < 5; i++)
		links[i] = object__attach(object, programs[i]);
	return object;
}

static void run_flood(void)
{
	uint64_t until_ns = now_ns() + amount__ns(2), read_ns = 0;

	while (now_ns() < until_ns) {
		for (int i = 0; i < 100; i++)
			syscall(SYS_getpgid, 0);
		drain(NULL);
		if (now_ns() - read_ns < 20000000)
			continue;
		ck_assert_int_ge(peat_table__read(table), 0); /* while programs count */
		read_ns = now_ns();
	}
}

static uint64_t tries_of(struct bpf_object *object)
{
	volatile struct flood_count *counts =
		object__variable(object, "flood_counts", sizeof(*counts) * FLOOD_CPUS);
	uint64_t tries = 0;

	for (int cpu = 0; cpu < FLOOD_CPUS; cpu++)
		tries += counts[cpu].tries;
	return tries;
}

/* Each event is filtered, counted once, or lost, and the ledger knows which. */
START_TEST(test_flood_is_filtered_or_counted)
{
	struct peat_table_opts table_opts = opts_by("cpu");
	struct peat_channel_opts opts = PEAT_CHANNEL_OPTS_INIT;
	struct peat_where *where = peat_where__parse("!(number & 8)");
	struct bpf_link *links[5];
	struct bpf_object *object;
	struct peat_ledger ledger;
	int rows;

	opts.where = where;
	opts.table = table = peat_table__new(&table_opts);
	open_channel(&opts);
	object = begin_flood(links);
	run_flood();
	for (size_t i = 0; i < 5; i++)
		bpf_link__destroy(links[i]);
	usleep(50 * 1000);
	ledger = finish(NULL);
	ck_assert_uint_eq(ledger.emitted, tries_of(object));
	ck_assert_uint_eq(sum_of_counts(&rows), ledger.counted);
	ck_assert_uint_eq(ledger.delivered, 0);
	ck_assert_uint_gt(ledger.counted, 1000);
	ck_assert_uint_gt(ledger.filtered, 1000);
	printf("  %llu filtered, %llu counted, %llu lost, %llu frames\n",
	       (unsigned long long)ledger.filtered, (unsigned long long)ledger.counted,
	       (unsigned long long)peat_ledger__lost(&ledger), (unsigned long long)ledger.frames);
	end();
	peat_where__free(where);
}
END_TEST

/* ---------------------------------------------------------------------------------------------- */

static Suite *counts_suite(void)
{
	TCase *tests;
	Suite *suite = harness__suite("counts", 60, &tests);

	tcase_add_test(tests, test_by_number);
	tcase_add_test(tests, test_counts_numbers);
	tcase_add_test(tests, test_counts_into_log2_slots);
	tcase_add_test(tests, test_counts_into_linear_slots);
	tcase_add_test(tests, test_negative_numbers_of_a_histogram);
	tcase_add_test(tests, test_by_text);
	tcase_add_test(tests, test_by_task_and_cpu);
	tcase_add_test(tests, test_comm_of_another_task);
	tcase_add_test(tests, test_more_keys_than_cells);
	tcase_add_test(tests, test_nested_events_are_transported);
	tcase_add_test(tests, test_other_types);
	tcase_add_test(tests, test_two_objects);
	tcase_add_test(tests, test_reader_ends);
	tcase_add_test(tests, test_flood_is_filtered_or_counted);
	return suite;
}

int main(int argc, char **argv)
{
	static const suite_fn suites[] = { counts_suite };

	return harness__main(argc, argv, suites, 1);
}

// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* test_cells.c: tables in plain memory, in which the test counts as programs do. */
#include <errno.h>
#include <semaphore.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include <peat/reader.h>
#include <peat/table.h>

#include "channel/cells.h"
#include "channel/stage.h"
#include "field/fields.h"
#include "support/machine/process.h"
#include "tables/table.h"
#include "unit/fail_alloc.h"
#include "unit/fake_grace_period.h"
#include "unit/suite.h"

#define SLOT_BYTES 4096u
#define CPUS	   2u

static struct cells cells;
static struct stage stage;
static struct peat_table *table;
static unsigned char *pages, *slots;
static size_t page_bytes, mapped_bytes;

/* ---- setting up ------------------------------------------------------------------------------ */

/* `counted` ends a page, and the rest of the table begins the next one. */
static void make_cells(const struct peat_count_by *by)
{
	size_t bytes;

	page_bytes = (size_t)sysconf(_SC_PAGESIZE);
	cells = (struct cells){ .fd = -1, .cpus = CPUS, .by = *by };
	cells__choose_sizes(&cells.by);
	cells.schema = peat_side_band__schema(PEAT_SIDE_BAND_TASK, 0);
	bytes = PEAT_TABLE_HEAD_BYTES + ((size_t)2 << cells.by.half_shift);
	mapped_bytes = 2 * page_bytes + CPUS * bytes;
	pages = mmap(NULL, mapped_bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1,
		     0);
	ck_assert_ptr_ne(pages, MAP_FAILED);
	cells.memory = pages + page_bytes - sizeof(uint64_t);
	cells.element_bytes = bytes;
	cells.collected = calloc(CPUS, sizeof(*cells.collected));
	cells.inactive = calloc(CPUS, sizeof(*cells.inactive));
	ck_assert(cells.collected && cells.inactive);
}

static void setup(void)
{
	struct peat_table_opts opts = PEAT_TABLE_OPTS_INIT;

	make_cells(&(struct peat_count_by){ 0 });
	opts.by = "type";
	table = peat_table__new(&opts);
	ck_assert_ptr_nonnull(table);
	ck_assert_int_ge(peat_table__add_type(table, cells.schema), 0);
	slots = calloc(CPUS * PEAT_SLOTS, SLOT_BYTES);
	ck_assert_ptr_nonnull(slots);
	ck_assert_int_eq(stage__init(&stage, slots, CPUS * PEAT_SLOTS, SLOT_BYTES), 0);
	fake_grace_period__set(NULL, 0);
}

static void free_cells(void)
{
	free(cells.collected);
	free(cells.inactive);
	munmap(pages, mapped_bytes);
}

static void teardown(void)
{
	grace_thread__close(&cells.grace);
	stage.collector = NULL;
	stage__unmap(&stage);
	free(slots);
	free_cells();
	peat_table__free(table);
}

static struct peat_table_head *head(uint32_t cpu)
{
	return (void *)(cells.memory + cpu * cells.element_bytes);
}

/* As peat_count_event(), with an empty key. */
static void count_on(uint32_t cpu)
{
	unsigned char *half = (unsigned char *)head(cpu) + PEAT_TABLE_HEAD_BYTES +
			      ((size_t)(head(cpu)->active & 1) << cells.by.half_shift);

	((struct peat_cell *)(void *)half)->count++;
	head(cpu)->counted++;
}

static void count(void)
{
	count_on(0);
}

static void collect(int result)
{
	ck_assert_int_eq(cells__collect(&cells, &stage, table, -1), result);
}

static uint64_t count_in_table(void)
{
	struct peat_table_row row = { .sz = sizeof(row) };
	const struct peat_field *field;
	uint64_t number, sum = 0;
	uint32_t at;

	ck_assert_int_ge(peat_table__read(table), 0);
	field = peat_schema__find(peat_table__schema(table), "count", &at);
	ck_assert_ptr_nonnull(field);
	while (peat_table__next(table, &row) > 0) {
		ck_assert(peat_field__number(field, (const char *)row.data + at, row.size - at,
					     &number));
		sum += number;
	}
	return sum;
}

/* ---- a program that counts while the reader changes halves ----------------------------------- */

static volatile bool has_changed, has_counted;

/* The store to `active` comes first; then a read of `counted`, if there is one. */
static void on_access(int signal, siginfo_t *info, void *context)
{
	(void)signal;
	(void)context;
	if ((unsigned char *)info->si_addr >= pages + page_bytes && !has_changed) {
		has_changed = true;
		mprotect(pages + page_bytes, mapped_bytes - page_bytes, PROT_READ | PROT_WRITE);
		mprotect(pages, page_bytes, PROT_NONE);
		return;
	}
	mprotect(pages, page_bytes, PROT_READ | PROT_WRITE);
	if (has_changed && !has_counted)
		count();
	has_counted |= has_changed;
}

/* The program counts after `active` has changed, at the first read of `counted` or at the end. */
static void collect_while_counting(void)
{
	struct sigaction action = { .sa_sigaction = on_access, .sa_flags = SA_SIGINFO }, old;

	has_changed = has_counted = false;
	ck_assert_int_eq(sigaction(SIGSEGV, &action, &old), 0);
	ck_assert_int_eq(mprotect(pages + page_bytes, mapped_bytes - page_bytes, PROT_READ), 0);
	collect(0);
	sigaction(SIGSEGV, &old, NULL);
	mprotect(pages, page_bytes, PROT_READ | PROT_WRITE);
	ck_assert(has_changed);
	if (!has_counted)
		count();
}

/* ---- tests ----------------------------------------------------------------------------------- */

static struct peat_slot *first_slot(uint32_t cpu)
{
	return (void *)(slots + cpu * PEAT_SLOTS * SLOT_BYTES);
}

START_TEST(test_collects_each_count_once)
{
	collect(0);
	ck_assert_uint_eq(count_in_table(), 0);
	for (int i = 0; i < 5; i++)
		count();
	collect(0);
	ck_assert_uint_eq(count_in_table(), 5);
	count();
	collect(0);
	collect(0);
	ck_assert_uint_eq(count_in_table(), 6);
	ck_assert_uint_eq(cells__counted(&cells, 0), 6);
	ck_assert_uint_eq(fake_grace_period__waits(), 0);
}
END_TEST

/* All CPUs' counts are moved, from either half, and their slots are unlocked. */
START_TEST(test_all_processors)
{
	for (unsigned i = 1; i <= 6; i++) {
		count_on(i % CPUS);
		count_on(CPUS - 1);
		collect(0);
		ck_assert_uint_eq(count_in_table(), 2 * i);
		for (uint32_t cpu = 0; cpu < CPUS; cpu++)
			ck_assert_uint_eq(first_slot(cpu)->lock, 0);
	}
	ck_assert_uint_eq(cells__counted(&cells, 0), 3);
	ck_assert_uint_eq(cells__counted(&cells, 1), 9);
}
END_TEST

/* Counts that find no memory stay. */
START_TEST(test_no_memory_for_rows)
{
	count();
	count_on(1);
	for (unsigned nth = 1; nth; nth++) {
		int err;

		fail_alloc__begin(nth);
		err = cells__collect(&cells, &stage, table, -1);
		if (!fail_alloc__end()) {
			ck_assert_int_eq(err, 0);
			break;
		}
		ck_assert_int_eq(err, -ENOMEM);
	}
	collect(0);
	ck_assert_uint_eq(count_in_table(), 2);
}
END_TEST

START_TEST(test_count_after_the_change)
{
	count();
	count();
	collect_while_counting();
	collect(0);
	ck_assert_uint_eq(count_in_table(), 3);
}
END_TEST

/* A program that had the slot counts on in the first half, until it ends. */
static void count_in_first_half(void)
{
	head(0)->active ^= 1;
	count();
	head(0)->active ^= 1;
}

START_TEST(test_count_before_the_grace_period)
{
	stage.collector = (void *)1;
	count();
	fake_grace_period__set(count_in_first_half, 0);
	collect(0);
	ck_assert_uint_eq(count_in_table(), 2);
	ck_assert_uint_eq(fake_grace_period__waits(), 1);
	collect(0);
	ck_assert_uint_eq(fake_grace_period__waits(), 1);
}
END_TEST

/* Nothing is moved then, and nothing stays out later. */
START_TEST(test_failed_grace_period)
{
	stage.collector = (void *)1;
	count();
	fake_grace_period__set(count, -ENOMEM);
	collect(-ENOMEM);
	collect(-ENOMEM);
	ck_assert_uint_eq(count_in_table(), 0);
	ck_assert_uint_eq(cells__counted(&cells, 0), 3);
	fake_grace_period__set(NULL, 0);
	collect(0);
	ck_assert_uint_eq(count_in_table(), 3);
}
END_TEST

/* ---- programs that are preempted ------------------------------------------------------------- */

static sem_t may_end;

static unsigned ended;

/* The first one holds the first slot of CPU 0, and counts on in the first half. */
static void end_late(void)
{
	while (sem_wait(&may_end))
		;
	if (!ended++)
		count_in_first_half();
}

static void hold_slot(uint32_t cpu, bool is_held)
{
	first_slot(cpu)->lock = is_held ? cpu * PEAT_SLOTS + 1 : 0;
}

static void begin_preempted(void)
{
	ck_assert_int_eq(sem_init(&may_end, 0, 0), 0);
	fake_grace_period__set(end_late, 0);
	ended = 0;
	hold_slot(0, true);
	count();
	count_on(1);
	ck_assert_int_eq(cells__collect(&cells, &stage, table, 2), 0);
	ck_assert(cells__are_waiting(&cells));
	ck_assert_uint_eq(count_in_table(), 1); /* of CPU 1 */
}

static void end_preempted(unsigned waits)
{
	for (unsigned i = 0; i < waits; i++)
		sem_post(&may_end);
	collect(0);
	ck_assert(!cells__are_waiting(&cells));
	ck_assert_uint_eq(fake_grace_period__waits(), waits);
	ck_assert_uint_eq(count_in_table(), cells__counted(&cells, 0) + cells__counted(&cells, 1));
	sem_destroy(&may_end);
}

START_TEST(test_preempted_program)
{
	begin_preempted();
	for (unsigned i = 2; i < 5; i++) {
		count(); /* in the other half, which stays */
		count_on(1);
		ck_assert_int_eq(cells__collect(&cells, &stage, table, 0), 0);
		ck_assert_uint_eq(count_in_table(), i);
	}
	hold_slot(0, false);
	end_preempted(1);
}
END_TEST

/* It began after the grace period did, which says nothing about it. */
START_TEST(test_second_preempted_program)
{
	begin_preempted();
	hold_slot(1, true);
	count_on(1);
	ck_assert_int_eq(cells__collect(&cells, &stage, table, 0), 0);
	ck_assert_uint_eq(count_in_table(), 1);
	hold_slot(0, false);
	end_preempted(2);
}
END_TEST

/* ---- sizes ----------------------------------------------------------------------------------- */

static void check_sizes(uint32_t mode, uint32_t words, uint32_t cell_shift, uint32_t cells_log2)
{
	struct peat_count_by by = { .mode = mode, .words = words };

	cells__choose_sizes(&by);
	ck_assert_uint_eq(by.cell_shift, cell_shift);
	ck_assert_uint_eq(by.half_shift, cell_shift + cells_log2);
	ck_assert_uint_eq(by.hash_shift, 64 - cells_log2);
}

/* At most 2048 cells, and 256 KiB in a half. */
START_TEST(test_sizes_are_bounded)
{
	check_sizes(PEAT_MODE_COUNT, 0, 3, 1);
	check_sizes(PEAT_MODE_COUNT, 1, 4, 11);
	check_sizes(PEAT_MODE_COUNT, 7, 6, 11);
	check_sizes(PEAT_MODE_COUNT, 8, 7, 11); /* as large as possible */
	check_sizes(PEAT_MODE_NUMBERS, 0, 5, 1);
	check_sizes(PEAT_MODE_NUMBERS, 4, 6, 11);
	check_sizes(PEAT_MODE_NUMBERS, 8, 7, 11);
	check_sizes(PEAT_MODE_LOG2, 0, 10, 1);
	check_sizes(PEAT_MODE_LINEAR, 1, 10, 8);
}
END_TEST

/* ---- keys and numbers ------------------------------------------------------------------------ */

/* An event of a number and texts; words of a key are stored as they are in it. */
struct typed {
	uint8_t one;
	uint16_t two;
	uint32_t four;
	uint64_t eight;
};

#define TYPED_FIELD(member)                                                                        \
	{                                                                                          \
		.name = #member, .kind = PEAT_FIELD_UNSIGNED, .span = 1,                           \
		.offset = offsetof(struct typed, member),                                          \
		.bytes = sizeof(((struct typed *)0)->member)                                       \
	}

static struct peat_field typed_fields[] = { TYPED_FIELD(one), TYPED_FIELD(two), TYPED_FIELD(four),
					    TYPED_FIELD(eight) };

static const struct peat_schema typed = { .name = "typed",
					  .bytes = sizeof(struct typed),
					  .count = 4,
					  .fields = typed_fields,
					  .stacks_fd = -1 };

/* The only row of a table with this key after the cell was collected. */
static struct peat_table_row collect_cell(const char *by, uint32_t values,
					  const struct peat_count_by *of,
					  const struct peat_cell *cell, const uint64_t *words)
{
	struct peat_table_opts opts = { .sz = sizeof(opts), .by = by };
	struct peat_table_row row = { .sz = sizeof(row) };
	size_t counts = of->mode == PEAT_MODE_COUNT	? sizeof(cell->count)
			: of->mode == PEAT_MODE_NUMBERS ? offsetof(struct peat_cell, buckets)
							: sizeof(*cell);
	unsigned char *at;

	free_cells();
	make_cells(of);
	cells.schema = &typed;
	opts.values = values;
	opts.field = values ? "eight" : NULL;
	opts.linear_width = values & PEAT_TABLE_LINEAR ? 10 : 0;
	peat_table__free(table);
	table = peat_table__new(&opts);
	ck_assert_ptr_nonnull(table);
	ck_assert_int_ge(peat_table__add_type(table, &typed), 0);
	at = (unsigned char *)head(0) + PEAT_TABLE_HEAD_BYTES + ((size_t)1 << cells.by.cell_shift);
	memcpy(at, cell, counts);
	if (of->words)
		memcpy(at + counts, words, of->words * sizeof(*words));
	head(0)->counted = cell->count;
	collect(0);
	ck_assert_int_eq(peat_table__read(table), 1);
	ck_assert_int_eq(peat_table__next(table, &row), 1);
	return row;
}

static uint64_t number_of(const struct peat_table_row *row, const char *column)
{
	const struct peat_field *field;
	uint64_t number;
	uint32_t at;

	field = peat_schema__find(peat_table__schema(table), column, &at);
	ck_assert_msg(field != NULL, "%s", column);
	ck_assert(peat_field__number(field, (const char *)row->data + at, row->size - at, &number));
	return number;
}

#define KEY(offset_, width_, kind_)                                                                \
	{                                                                                          \
		.offset = (offset_), .width = (width_), .kind = PEAT_KEY_##kind_                   \
	}
#define KEY_FIELD(member)                                                                          \
	KEY(PEAT_TERM_ORIGIN + offsetof(struct typed, member),                                     \
	    sizeof(((struct typed *)0)->member), NUMBER)

START_TEST(test_key_words_become_fields)
{
	const struct peat_count_by by = {
		.words = 7,
		.key = { KEY(0, 4, CPU), KEY(PEAT_TERM_ORIGIN - 8, 4, NUMBER),
			 KEY(PEAT_TERM_ORIGIN - 4, 4, NUMBER), KEY_FIELD(one), KEY_FIELD(two),
			 KEY_FIELD(four), KEY_FIELD(eight) },
	};
	const uint64_t words[] = { 11, 22, 33, 0x44, 0x5566, 0x778899aa, 0x1122334455667788 };
	const struct peat_cell cell = { .count = 9 };
	struct peat_table_row row =
		collect_cell("cpu,pid,tid,one,two,four,eight", 0, &by, &cell, words);

	ck_assert_uint_eq(number_of(&row, "cpu"), 11);
	ck_assert_uint_eq(number_of(&row, "pid"), 22);
	ck_assert_uint_eq(number_of(&row, "tid"), 33);
	ck_assert_uint_eq(number_of(&row, "one"), 0x44);
	ck_assert_uint_eq(number_of(&row, "two"), 0x5566);
	ck_assert_uint_eq(number_of(&row, "four"), 0x778899aa);
	ck_assert_uint_eq(number_of(&row, "eight"), 0x1122334455667788);
	ck_assert_uint_eq(number_of(&row, "count"), 9);
}
END_TEST

/* The number that says whether the field is there is no word of the key. */
START_TEST(test_key_that_events_can_lack)
{
	const struct peat_count_by by = { .words = 1, .key = { KEY_FIELD(four) } };
	const uint64_t words[] = { 5 };
	const struct peat_cell cell = { .count = 9 };
	struct peat_table_row row;

	typed_fields[2].presence = &typed_fields[0];
	row = collect_cell("four", 0, &by, &cell, words);
	typed_fields[2].presence = NULL;
	ck_assert_uint_eq(number_of(&row, "four"), 5);
	ck_assert_uint_eq(number_of(&row, "count"), 9);
}
END_TEST

START_TEST(test_name_as_key)
{
	const struct peat_count_by by = { .words = 2, .key = { KEY(0, 8, COMM), KEY(8, 8, COMM) } };
	const struct peat_cell cell = { .count = 1 };
	struct peat_table_row row;
	uint64_t words[2];

	memcpy(words, "kworker/u128:07", sizeof(words));
	row = collect_cell("comm", 0, &by, &cell, words);
	ck_assert_ptr_nonnull(memmem(row.data, row.size, "kworker/u128:07", 15));
}
END_TEST

/* Numbers are stored so that larger ones are larger as unsigned numbers. */
START_TEST(test_numbers_in_order_of_unsigned)
{
	const struct peat_count_by by = { .mode = PEAT_MODE_NUMBERS, .flip = 1ULL << 63 };
	const struct peat_cell cell = {
		.count = 2, .sum = 30, .max = 20 ^ 1ULL << 63, .inverted_min = ~(10 ^ 1ULL << 63)
	};
	struct peat_table_row row = collect_cell(
		"", PEAT_TABLE_COUNT | PEAT_TABLE_SUM | PEAT_TABLE_MIN | PEAT_TABLE_MAX, &by, &cell,
		NULL);

	ck_assert_uint_eq(number_of(&row, "count"), 2);
	ck_assert_uint_eq(number_of(&row, "sum"), 30);
	ck_assert_uint_eq(number_of(&row, "min"), 10);
	ck_assert_uint_eq(number_of(&row, "max"), 20);
}
END_TEST

static void check_histogram(enum peat_count_mode mode, uint32_t values)
{
	const struct peat_count_by by = { .mode = mode };
	struct peat_cell cell = { .count = 12, .sum = 99, .max = 70, .inverted_min = ~1ULL };
	struct peat_table_row row;
	const struct peat_field *field;
	uint64_t buckets[PEAT_TABLE_SLOTS];
	uint32_t at;

	cell.buckets[0] = 3;
	cell.buckets[1] = 4;
	cell.buckets[6] = 5;
	row = collect_cell("", values | PEAT_TABLE_SUM, &by, &cell, NULL);
	ck_assert_uint_eq(number_of(&row, "sum"), 99);
	field = peat_schema__find(peat_table__schema(table), "slots", &at);
	ck_assert_ptr_nonnull(field);
	at += field->offset;
	ck_assert_uint_le(at + sizeof(buckets), row.size);
	memcpy(buckets, (const char *)row.data + at, sizeof(buckets));
	ck_assert_uint_eq(buckets[0], 3);
	ck_assert_uint_eq(buckets[1], 4);
	ck_assert_uint_eq(buckets[6], 5);
	ck_assert_uint_eq(buckets[63], 0);
}

START_TEST(test_collects_histograms)
{
	check_histogram(PEAT_MODE_LOG2, PEAT_TABLE_LOG2);
	check_histogram(PEAT_MODE_LINEAR, PEAT_TABLE_LINEAR);
}
END_TEST

/* Leaves bytes where later functions have their variables. */
static __attribute__((noinline)) void fill_stack(void)
{
	volatile unsigned char bytes[8192];

	for (size_t i = 0; i < sizeof(bytes); i++)
		bytes[i] = 0xa5;
}

/* A row has the counts of its mode, and no others that happen to be in memory. */
START_TEST(test_counts_of_each_mode)
{
	static const uint32_t values[] = { PEAT_TABLE_SUM, PEAT_TABLE_MIN, PEAT_TABLE_MAX };
	static const char *const columns[] = { "sum", "min", "max" };
	static const uint64_t numbers[] = { 30, 10, 20 };
	const struct peat_cell cell = { .count = 2, .sum = 30, .max = 20, .inverted_min = ~10ULL };
	struct peat_count_by by = { .mode = PEAT_MODE_COUNT };
	struct peat_table_row row;

	fill_stack();
	row = collect_cell("", 0, &by, &cell, NULL);
	ck_assert_uint_eq(number_of(&row, "count"), 2);
	ck_assert_uint_eq(row.size, sizeof(uint64_t));
	by.mode = PEAT_MODE_NUMBERS;
	for (size_t i = 0; i < 3; i++) {
		fill_stack();
		row = collect_cell("", values[i], &by, &cell, NULL);
		ck_assert_uint_eq(number_of(&row, "count"), 2);
		ck_assert_uint_eq(number_of(&row, columns[i]), numbers[i]);
	}
}
END_TEST

/* ---- the map --------------------------------------------------------------------------------- */

static bool is_mapped(void *memory, size_t bytes)
{
	return !msync(memory, bytes, MS_ASYNC);
}

/* Makes the map of a counting table; false: without privileges. */
static bool open_map(struct cells *made, uint32_t cpus)
{
	int err;

	*made = (struct cells){ .fd = -1 };
	cells__choose_sizes(&made->by);
	err = cells__open(made, cpus);
	if (!err)
		return true;
	ck_assert_int_eq(err, -EPERM);
	cells__close(made);
	return false;
}

START_TEST(test_map_is_mapped_and_closed)
{
	long blocks = fail_alloc__blocks();
	unsigned fds = process__count_fds();
	struct cells made;
	void *memory;
	size_t bytes;

	if (!open_map(&made, CPUS))
		return;
	ck_assert_uint_eq(made.element_bytes, PEAT_TABLE_HEAD_BYTES + 32);
	ck_assert_uint_eq(made.mapped_bytes, page_bytes);
	ck_assert_uint_eq(made.cpus, CPUS);
	ck_assert_uint_eq(cells__counted(&made, CPUS - 1), 0);
	memory = made.memory;
	bytes = made.mapped_bytes;
	ck_assert(is_mapped(memory, bytes));
	cells__close(&made);
	ck_assert(!is_mapped(memory, bytes));
	ck_assert_int_eq(made.fd, -1);
	ck_assert_uint_eq(cells__counted(&made, 0), 0);
	ck_assert_int_eq(fail_alloc__blocks(), blocks);
	ck_assert_uint_eq(process__count_fds(), fds);
	ck_assert_int_eq(cells__collect(&made, &stage, table, -1), 0);
	cells__close(&made);
}
END_TEST

/* The tables of these CPUs end with a page. */
START_TEST(test_whole_pages)
{
	struct cells made;

	if (!open_map(&made, (uint32_t)page_bytes / 32))
		return;
	ck_assert_uint_eq(made.element_bytes, 160);
	ck_assert_uint_eq(made.mapped_bytes, 5 * page_bytes);
	cells__close(&made);
}
END_TEST

START_TEST(test_refused_map)
{
	struct cells made = { .fd = -1 };

	cells__choose_sizes(&made.by);
	ck_assert_int_lt(cells__open(&made, 0), 0);
	cells__close(&made);
}
END_TEST

/* Both arrays are needed. */
START_TEST(test_no_memory)
{
	struct cells made;
	int err;

	if (!open_map(&made, CPUS))
		return;
	cells__close(&made);
	for (unsigned nth = 1; nth <= 2; nth++) {
		cells__choose_sizes(&made.by);
		fail_alloc__begin(nth);
		err = cells__open(&made, CPUS);
		if (fail_alloc__end())
			ck_assert_int_eq(err, -ENOMEM);
		cells__close(&made);
	}
}
END_TEST

SUITE(10)
{
	tcase_add_checked_fixture(tests, setup, teardown);
	tcase_add_test(tests, test_collects_each_count_once);
	tcase_add_test(tests, test_all_processors);
	tcase_add_test(tests, test_no_memory_for_rows);
	tcase_add_test(tests, test_count_after_the_change);
	tcase_add_test(tests, test_count_before_the_grace_period);
	tcase_add_test(tests, test_failed_grace_period);
	tcase_add_test(tests, test_preempted_program);
	tcase_add_test(tests, test_second_preempted_program);
	tcase_add_test(tests, test_sizes_are_bounded);
	tcase_add_test(tests, test_key_words_become_fields);
	tcase_add_test(tests, test_key_that_events_can_lack);
	tcase_add_test(tests, test_name_as_key);
	tcase_add_test(tests, test_numbers_in_order_of_unsigned);
	tcase_add_test(tests, test_collects_histograms);
	tcase_add_test(tests, test_counts_of_each_mode);
	tcase_add_test(tests, test_map_is_mapped_and_closed);
	tcase_add_test(tests, test_whole_pages);
	tcase_add_test(tests, test_refused_map);
	tcase_add_test(tests, test_no_memory);
}

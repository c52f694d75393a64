// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* test_cells.c: tables in plain memory, in which the test counts as programs do. */
#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include <peat/reader.h>
#include <peat/table.h>

#include "channel/cells.h"
#include "channel/stage.h"
#include "schema/fields.h"
#include "tables/table.h"
#include "unit/fake_grace_period.h"
#include "unit/suite.h"

#define SLOT_BYTES 4096u

static struct cells cells;
static struct stage stage;
static struct peat_table *table;
static unsigned char *pages, *slots;
static size_t page_bytes, mapped_bytes;

/* ---- setting up ------------------------------------------------------------------------------ */

/* `counted` ends a page, and the rest of the table begins the next one. */
static void make_cells(void)
{
	size_t bytes;

	page_bytes = (size_t)sysconf(_SC_PAGESIZE);
	cells = (struct cells){ .fd = -1, .cpus = 1 };
	cells__choose_sizes(&cells.by);
	cells.schema = peat_kind__schema(PEAT_KIND_TASK, 0);
	bytes = PEAT_TABLE_HEAD_BYTES + ((size_t)2 << cells.by.half_shift);
	mapped_bytes = 2 * page_bytes + bytes;
	pages = mmap(NULL, mapped_bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1,
		     0);
	ck_assert_ptr_ne(pages, MAP_FAILED);
	cells.memory = pages + page_bytes - sizeof(uint64_t);
	cells.element_bytes = bytes;
	cells.collected = calloc(1, sizeof(*cells.collected));
	cells.is_switched = calloc(1, sizeof(*cells.is_switched));
	ck_assert(cells.collected && cells.is_switched);
}

static void setup(void)
{
	struct peat_table_opts opts = PEAT_TABLE_OPTS_INIT;

	make_cells();
	opts.by = "type";
	table = peat_table__new(&opts);
	ck_assert_ptr_nonnull(table);
	ck_assert_int_ge(peat_table__add_type(table, cells.schema), 0);
	slots = calloc(PEAT_SLOTS, SLOT_BYTES);
	ck_assert_ptr_nonnull(slots);
	ck_assert_int_eq(stage__init(&stage, slots, PEAT_SLOTS, SLOT_BYTES), 0);
	fake_grace_period__set(NULL, 0);
}

static void teardown(void)
{
	stage.collector = NULL;
	stage__unmap(&stage);
	free(slots);
	free(cells.collected);
	free(cells.is_switched);
	munmap(pages, mapped_bytes);
	peat_table__free(table);
}

static struct peat_table_head *head(void)
{
	return (void *)cells.memory;
}

/* As peat_count_event(), with an empty key. */
static void count(void)
{
	unsigned char *half = cells.memory + PEAT_TABLE_HEAD_BYTES +
			      ((size_t)(head()->active & 1) << cells.by.half_shift);

	((struct peat_cell *)(void *)half)->count++;
	head()->counted++;
}

static void collect(int result)
{
	ck_assert_int_eq(cells__collect(&cells, &stage, table), result);
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
		ck_assert(peat_field__number(field, (const char *)row.data + at, row.bytes - at,
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

START_TEST(test_collecting)
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
	head()->active ^= 1;
	count();
	head()->active ^= 1;
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

SUITE(10)
{
	tcase_add_checked_fixture(tests, setup, teardown);
	tcase_add_test(tests, test_collecting);
	tcase_add_test(tests, test_count_after_the_change);
	tcase_add_test(tests, test_count_before_the_grace_period);
	tcase_add_test(tests, test_failed_grace_period);
}

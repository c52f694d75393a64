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
#include "schema/fields.h"
#include "tables/table.h"
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
static void make_cells(void)
{
	size_t bytes;

	page_bytes = (size_t)sysconf(_SC_PAGESIZE);
	cells = (struct cells){ .fd = -1, .cpus = CPUS };
	cells__choose_sizes(&cells.by);
	cells.schema = peat_kind__schema(PEAT_KIND_TASK, 0);
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

	make_cells();
	opts.by = "type";
	table = peat_table__new(&opts);
	ck_assert_ptr_nonnull(table);
	ck_assert_int_ge(peat_table__add_type(table, cells.schema), 0);
	slots = calloc(CPUS * PEAT_SLOTS, SLOT_BYTES);
	ck_assert_ptr_nonnull(slots);
	ck_assert_int_eq(stage__init(&stage, slots, CPUS * PEAT_SLOTS, SLOT_BYTES), 0);
	fake_grace_period__set(NULL, 0);
}

static void teardown(void)
{
	grace_thread__close(&cells.grace);
	stage.collector = NULL;
	stage__unmap(&stage);
	free(slots);
	free(cells.collected);
	free(cells.inactive);
	munmap(pages, mapped_bytes);
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
	struct peat_slot *slot = (void *)(slots + cpu * PEAT_SLOTS * SLOT_BYTES);

	slot->lock = is_held ? cpu * PEAT_SLOTS + 1 : 0;
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

SUITE(10)
{
	tcase_add_checked_fixture(tests, setup, teardown);
	tcase_add_test(tests, test_collecting);
	tcase_add_test(tests, test_count_after_the_change);
	tcase_add_test(tests, test_count_before_the_grace_period);
	tcase_add_test(tests, test_failed_grace_period);
	tcase_add_test(tests, test_preempted_program);
	tcase_add_test(tests, test_second_preempted_program);
}

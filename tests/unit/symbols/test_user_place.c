// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* test_user_place.c: the mapping of an address, from records or from /proc. */
#include <string.h>
#include <unistd.h>

#include "symbols/symbols.h"
#include "unit/suite.h"

static struct peat_symbols *make(bool recorded)
{
	struct peat_symbols_opts opts = PEAT_SYMBOLS_OPTS_INIT;
	struct peat_symbols *symbols;

	opts.recorded = recorded;
	symbols = peat_symbols__new(&opts);
	ck_assert_ptr_nonnull(symbols);
	return symbols;
}

static void map(struct peat_symbols *symbols, const char *path, uint64_t begin, uint64_t pgoff)
{
	const struct peat_record record = { .type = PEAT_RECORD_MMAP2,
					    .mmap = { .pid = 7,
						      .tid = 7,
						      .addr = begin,
						      .len = 0x1000,
						      .pgoff = pgoff,
						      .filename = path } };
	const struct peat_event event = { .kind = PEAT_EVENT_RECORD,
					  .time_ns = 10,
					  .record = &record };

	ck_assert_int_eq(peat_symbols__follow(symbols, &event), 0);
}

START_TEST(test_records_place_files)
{
	struct peat_symbols *symbols = make(true);
	struct user_place place;

	map(symbols, "/file", 0x10000, 0x5000);
	map(symbols, "//anon", 0x20000, 0x20000);
	ck_assert(user_place__find(symbols, 7, 20, 0x10123, &place));
	ck_assert_uint_eq(place.file_offset, 0x5123);
	ck_assert(!place.is_live);
	ck_assert_uint_eq(user_place__of_file(&place).begin, 0x10000);
	ck_assert(user_place__find(symbols, 7, 20, 0x20123, &place));
	ck_assert_uint_eq(place.file_offset, 0x123);
	ck_assert(!user_place__find(symbols, 7, 20, 0x30000, &place));
	ck_assert(!user_place__find(symbols, 8, 20, 0x10123, &place));
	peat_symbols__free(symbols);
}
END_TEST

/* Names of recordings never come from a process of today. */
START_TEST(test_recorded_alone)
{
	struct peat_symbols *symbols = make(true);
	struct user_place place;
	uint32_t self = (uint32_t)getpid();

	ck_assert(!user_place__find(symbols, self, 0, (uintptr_t)make, &place));
	peat_symbols__free(symbols);
	symbols = make(false);
	ck_assert(user_place__find(symbols, self, 0, (uintptr_t)make, &place));
	ck_assert(place.is_live);
	ck_assert(!user_place__find(symbols, PEAT_NO_TASK, 0, (uintptr_t)make, &place));
	peat_symbols__free(symbols);
}
END_TEST

START_TEST(test_table_is_kept)
{
	struct peat_symbols *symbols = make(false);
	struct symbol_table *table;
	struct user_place place;

	ck_assert(user_place__find(symbols, (uint32_t)getpid(), 0, (uintptr_t)make, &place));
	table = user_place__table(symbols, &place);
	ck_assert_ptr_nonnull(table);
	ck_assert_ptr_eq(user_place__table(symbols, &place), table);
	peat_symbols__free(symbols);
}
END_TEST

SUITE(10)
{
	tcase_add_test(tests, test_records_place_files);
	tcase_add_test(tests, test_recorded_alone);
	tcase_add_test(tests, test_table_is_kept);
}

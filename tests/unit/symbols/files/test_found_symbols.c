// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* test_found_symbols.c: symbols that were found last. */
#include "symbols/files/found_symbols.h"

#include "support/machine/harness.h"
#include "unit/suite.h"

/* Only their addresses are used. */
static char tables[2], symbols[2];

#define TABLE(i)  ((const struct symbol_table *)(const void *)&tables[i])
#define SYMBOL(i) ((struct elf_symbol *)(void *)&symbols[i])

static struct found_symbols found;

static void put(int table, uint64_t offset, bool is_return, int symbol)
{
	struct found_symbol *slot = found_symbols__slot(&found, TABLE(table), offset, is_return);

	ck_assert_ptr_nonnull(slot);
	*slot = (struct found_symbol){ TABLE(table), offset, is_return, SYMBOL(symbol), offset };
}

static bool has(int table, uint64_t offset, bool is_return)
{
	return found_symbol__is(found_symbols__slot(&found, TABLE(table), offset, is_return),
				TABLE(table), offset, is_return);
}

START_TEST(test_slots_by_table_and_offset)
{
	ck_assert(!has(0, 0x1000, false));
	put(0, 0x1000, false, 1);
	ck_assert(has(0, 0x1000, false));
	ck_assert_ptr_eq(found_symbols__slot(&found, TABLE(0), 0x1000, false)->symbol, SYMBOL(1));
	ck_assert(!has(0, 0x1000, true));
	ck_assert(!has(1, 0x1000, false));
	ck_assert(!has(0, 0x1001, false));
	found_symbols__clear(&found);
	ck_assert(!has(0, 0x1000, false));
	found_symbols__clear(&found);
}
END_TEST

/* Far more offsets than slots: each has the last one that was put there. */
START_TEST(test_last_symbol_overwrites)
{
	unsigned kept = 0;

	for (uint64_t i = 0; i < 100000; i++) {
		put(i & 1, 8 * i, i & 2, 0);
		ck_assert(has(i & 1, 8 * i, i & 2));
	}
	for (uint64_t i = 0; i < 100000; i++)
		kept += has(i & 1, 8 * i, i & 2);
	ck_assert_uint_gt(kept, 1000);
	ck_assert_uint_lt(kept, 100000);
	found_symbols__clear(&found);
}
END_TEST

SUITE(4)
{
	tcase_add_test(tests, test_slots_by_table_and_offset);
	tcase_add_test(tests, test_last_symbol_overwrites);
}

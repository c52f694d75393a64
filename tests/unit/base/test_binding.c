// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* test_binding.c: the symbols for bindings give the same results as the inline functions. */
#include <string.h>

/* The headers' inline functions have other names here: the library's are declared below. */
#define peat_ledger__lost    inline_ledger__lost
#define peat_words__at	     inline_words__at
#define peat_read__at	     inline_read__at
#define peat_branches__bits  inline_branches__bits
#define peat_branches__at    inline_branches__at
#define peat_sample__weights inline_sample__weights
#include <peat/peat.h>
#undef peat_ledger__lost
#undef peat_words__at
#undef peat_read__at
#undef peat_branches__bits
#undef peat_branches__at
#undef peat_sample__weights

#include "unit/suite.h"

uint64_t peat_ledger__lost(const struct peat_ledger *ledger);
uint64_t peat_words__at(const struct peat_words *words, uint64_t i);
struct peat_read_value peat_read__at(const struct peat_read *read, uint64_t i);
uint64_t peat_branches__bits(const struct peat_branches *b, uint64_t flags, unsigned int first,
			     unsigned int width);
struct peat_branch peat_branches__at(const struct peat_branches *b, uint64_t i);
void peat_sample__weights(const struct peat_sample *sample, uint32_t *var1, uint16_t *var2,
			  uint16_t *var3);

static const uint64_t numbers[] = { 11, 22, 0x0123456789abcdef, 44, 55, UINT64_MAX };
static const struct peat_words words = { numbers, 6, false }, swapped = { numbers, 6, true };

START_TEST(test_words_match_inline)
{
	for (uint64_t i = 0; i < 6; i++) {
		ck_assert(peat_words__at(&words, i) == inline_words__at(&words, i));
		ck_assert(peat_words__at(&swapped, i) == inline_words__at(&swapped, i));
	}
	ck_assert(peat_words__at(&words, 1) == 22);
}
END_TEST

START_TEST(test_read_values_match_fields)
{
	struct peat_read read = { .format = PEAT_READ_GROUP | PEAT_READ_ID | PEAT_READ_LOST,
				  .count = 2,
				  .group = words };
	struct peat_read_value value = peat_read__at(&read, 1);

	ck_assert(value.value == 44 && value.id == 55 && value.lost == UINT64_MAX);
	read = (struct peat_read){ .count = 1, .only = { 7, 8, 9 } };
	value = peat_read__at(&read, 0);
	ck_assert(value.value == 7 && value.id == 8 && value.lost == 9);
}
END_TEST

START_TEST(test_branches_match_inline)
{
	struct peat_branches branches = { .nr = 2, .entries = words };
	struct peat_branch branch = peat_branches__at(&branches, 0);
	struct peat_branch same = inline_branches__at(&branches, 0);

	ck_assert(branch.from == 11 && branch.to == 22);
	ck_assert(branch.cycles == same.cycles && branch.type == same.type);
	ck_assert(branch.cycles == 0xbcde);
	ck_assert(peat_branches__bits(&branches, 0xf0, 4, 4) == 0xf);
	branches.big_endian = true;
	ck_assert(peat_branches__bits(&branches, 0xf0, 4, 4) ==
		  inline_branches__bits(&branches, 0xf0, 4, 4));
}
END_TEST

START_TEST(test_weights_are_split)
{
	struct peat_sample sample = { .weight = 0x1111222233334444 };
	uint32_t var1 = 0;
	uint16_t var2 = 0, var3 = 0;

	peat_sample__weights(&sample, &var1, &var2, &var3);
	ck_assert_uint_eq(var1, 0x33334444);
	ck_assert_uint_eq(var2, 0x2222);
	ck_assert_uint_eq(var3, 0x1111);
}
END_TEST

START_TEST(test_ledger_lost_matches_inline)
{
	struct peat_ledger ledger = { .sz = sizeof(ledger),
				      .emitted = 100,
				      .corrupt = 1,
				      .lost_ring_full = 2,
				      .lost_other = 4,
				      .discarded = 8 };

	ck_assert(peat_ledger__lost(&ledger) == 7);
	ck_assert(inline_ledger__lost(&ledger) == 7);
}
END_TEST

START_TEST(test_constants_match_macros)
{
	ck_assert_str_eq(peat_version(), PEAT_VERSION);
	ck_assert(peat_default_latency_ms == PEAT_DEFAULT_LATENCY_MS);
	ck_assert(peat_default_batch_bytes == PEAT_DEFAULT_BATCH_BYTES);
	ck_assert(peat_default_slot_bytes == PEAT_DEFAULT_SLOT_BYTES);
	ck_assert(peat_default_replay_memory_bytes == PEAT_DEFAULT_REPLAY_MEMORY_BYTES);
	ck_assert(peat_default_queue_bytes == PEAT_DEFAULT_QUEUE_BYTES);
}
END_TEST

SUITE(10)
{
	tcase_add_test(tests, test_words_match_inline);
	tcase_add_test(tests, test_read_values_match_fields);
	tcase_add_test(tests, test_branches_match_inline);
	tcase_add_test(tests, test_weights_are_split);
	tcase_add_test(tests, test_ledger_lost_matches_inline);
	tcase_add_test(tests, test_constants_match_macros);
}

// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* test_presence.c: terms reject events in which a field of the expression or the table is absent.
 */
#include "terms_event.h"
#include "where/presence.h"

static struct peat_field has_number, has_big, number, big;

/* `tiny` has a bit for `number` and two bits for `big`. */
static void setup_fields(void)
{
	setup();
	has_number = field_of(PEAT_FIELD_UNSIGNED, OFFSET(tiny), 1);
	has_number.bits = 1;
	has_big = has_number;
	has_big.bit_offset = 3;
	has_big.bits = 2;
	number = field_of(PEAT_FIELD_UNSIGNED, OFFSET(number), 4);
	number.presence = &has_number;
	big = field_of(PEAT_FIELD_UNSIGNED, OFFSET(big), 8);
	big.presence = &has_big;
}

static bool passes_with(struct where_test *test, uint8_t tiny)
{
	memory.data.tiny = tiny;
	return passes(test);
}

START_TEST(test_absent_fields_are_rejected)
{
	struct where_test equal = test_of(WHERE_EQUAL, &number);
	struct where_test inverse = { .op = WHERE_NOT, .a = &equal };

	memory.data.number = 7;
	equal.value = 7;
	ck_assert(passes_with(&equal, 1));
	ck_assert_int_eq(part, WHERE_ALL);
	ck_assert(!passes_with(&equal, 0xfe));
	ck_assert(!passes_with(&inverse, 0xfe));
	memory.data.number = 8;
	ck_assert(passes_with(&inverse, 1));
	ck_assert_int_eq(part, WHERE_ALL);
}
END_TEST

/* Also if another test is true: an event that lacks a field does not match. */
START_TEST(test_absent_beside_another_test)
{
	struct where_test one = test_of(WHERE_EQUAL, &number), other = test_of(WHERE_EQUAL, &big);
	struct where_test either = both(WHERE_OR, &one, &other);

	memory.data.number = 0;
	memory.data.big = 1;
	ck_assert(passes_with(&either, 1 | 8));
	ck_assert_int_eq(part, WHERE_ALL);
	ck_assert(passes_with(&either, 1 | 16));
	ck_assert(!passes_with(&either, 1));
	ck_assert(!passes_with(&either, 8));
	ck_assert(!passes_with(&either, 0xe6));
}
END_TEST

/* A comparison whose result is known. */
START_TEST(test_absent_with_known_result)
{
	struct where_test always = test_of(WHERE_TRUE, &number);

	ck_assert(passes_with(&always, 1));
	ck_assert_int_eq(part, WHERE_ALL);
	ck_assert(!passes_with(&always, 2));
}
END_TEST

START_TEST(test_presence_is_tested_once)
{
	struct where_test above = test_of(WHERE_LESS, &number), below = above;
	struct where_test inverse = { .op = WHERE_NOT, .a = &above }, range;

	above.value = 5;
	below.value = 10;
	range = both(WHERE_AND, &inverse, &below);
	memory.data.number = 7;
	ck_assert(passes_with(&range, 1));
	ck_assert_uint_eq(terms.begin, PEAT_TERMS - 3);
	ck_assert(!passes_with(&range, 0));
}
END_TEST

/* The reader tests presences that no term can. */
START_TEST(test_presence_that_programs_cannot_test)
{
	struct where_test equal = test_of(WHERE_EQUAL, &number);

	has_number.is_signed = true;
	ck_assert(passes_with(&equal, 0));
	ck_assert_int_eq(part, WHERE_PART);
	has_number = field_of(PEAT_FIELD_SIGNED, OFFSET(small), 1);
	has_number.is_signed = true;
	ck_assert(!passes_with(&equal, 0));
	ck_assert_int_eq(part, WHERE_ALL);
	memory.data.small = -1;
	ck_assert(passes_with(&equal, 0));
	has_number.offset = UINT16_MAX - 8;
	ck_assert(passes_with(&equal, 0));
	ck_assert_int_eq(part, WHERE_NOTHING);
}
END_TEST

START_TEST(test_events_without_presence)
{
	struct where_test equal = test_of(WHERE_EQUAL, &number);

	has_number = field_of(PEAT_FIELD_UNSIGNED, OFFSET(wide), 8);
	memory.data.wide = 1;
	ck_assert(passes(&equal));
	ck_assert_uint_eq(terms.types[0].bytes, OFFSET(wide) + 8);
	ck_assert_uint_eq(run_terms(&terms, TYPE, &memory.data, OFFSET(wide), ""), PEAT_TERM_OPEN);
}
END_TEST

START_TEST(test_full_terms_leave_it_to_the_reader)
{
	struct where_test tests[PEAT_TERMS], ors[PEAT_TERMS], *all = &tests[0];
	struct peat_field other = field_of(PEAT_FIELD_UNSIGNED, OFFSET(big), 8);

	for (uint32_t i = 0; i < PEAT_TERMS; i++) {
		tests[i] = test_of(WHERE_EQUAL, i ? &other : &number);
		tests[i].value = 1000 + i;
		if (i) {
			ors[i] = both(WHERE_OR, &tests[i], all);
			all = &ors[i];
		}
	}
	memory.data.number = 1000;
	ck_assert(passes_with(all, 1));
	ck_assert_uint_eq(terms.begin, 0);
	ck_assert_int_eq(part, WHERE_PART);
	ck_assert(passes_with(all, 0));
	ck_assert(!where_presence__require(&terms, TYPE, &big, 0));
}
END_TEST

/* ---- tables ---------------------------------------------------------------------------------- */

static bool passes_terms(uint8_t tiny)
{
	memory.data.tiny = tiny;
	return run_terms(&terms, TYPE, &memory.data, sizeof(memory.data), "") == PEAT_TERM_PASS;
}

START_TEST(test_required_without_expression)
{
	where_terms__init(&terms, true, true);
	ck_assert(where_presence__require(&terms, TYPE, &number, 0));
	ck_assert(where_presence__require(&terms, TYPE, &big, 0));
	ck_assert(where_presence__require(&terms, TYPE, &number, 0));
	ck_assert_uint_eq(terms.type_count, 1);
	ck_assert_uint_eq(terms.begin, PEAT_TERMS - 2);
	ck_assert_uint_eq(terms.types[0].bytes, OFFSET(tiny) + 1);
	ck_assert(passes_terms(1 | 8));
	ck_assert(!passes_terms(1));
	ck_assert(!passes_terms(8));
}
END_TEST

START_TEST(test_required_before_expression)
{
	struct where_test equal = test_of(WHERE_EQUAL, &number);

	equal.value = 7;
	memory.data.number = 7;
	ck_assert(passes_with(&equal, 1));
	ck_assert(where_presence__require(&terms, TYPE, &big, 0));
	ck_assert_uint_eq(terms.type_count, 1);
	ck_assert_uint_eq(terms.types[0].bytes, OFFSET(number) + 4);
	ck_assert(passes_terms(1 | 16));
	ck_assert(!passes_terms(1));
	memory.data.number = 8;
	ck_assert(!passes_terms(1 | 16));
}
END_TEST

START_TEST(test_required_of_too_many_types)
{
	where_terms__init(&terms, true, true);
	for (uint32_t i = 0; i < PEAT_TERM_TYPES; i++)
		ck_assert(where_presence__require(&terms, TYPE + i, &number, 0));
	ck_assert(!where_presence__require(&terms, TYPE + PEAT_TERM_TYPES, &number, 0));
	ck_assert_uint_eq(terms.begin, PEAT_TERMS - 1);
	ck_assert(where_presence__require(&terms, TYPE, &big, 0));
	ck_assert(!where_presence__require(&terms, TYPE, &big, UINT16_MAX - 7));
}
END_TEST

SUITE(10)
{
	tcase_add_checked_fixture(tests, setup_fields, NULL);
	tcase_add_test(tests, test_absent_fields_are_rejected);
	tcase_add_test(tests, test_absent_beside_another_test);
	tcase_add_test(tests, test_absent_with_known_result);
	tcase_add_test(tests, test_presence_is_tested_once);
	tcase_add_test(tests, test_presence_that_programs_cannot_test);
	tcase_add_test(tests, test_events_without_presence);
	tcase_add_test(tests, test_full_terms_leave_it_to_the_reader);
	tcase_add_test(tests, test_required_without_expression);
	tcase_add_test(tests, test_required_before_expression);
	tcase_add_test(tests, test_required_of_too_many_types);
}

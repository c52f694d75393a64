// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* test_count_text.c: counts and weights for people. */
#include "stacks/count_text.h"
#include "unit/suite.h"

static void check_text(struct strbuf *out, const char *wanted)
{
	strbuf__char(out, 0);
	ck_assert_str_eq(out->bytes, wanted);
	out->count = 0;
}

START_TEST(test_groups_digits_of_counts)
{
	struct strbuf out = { 0 };

	count_text__put_grouped(&out, 0);
	check_text(&out, "0");
	count_text__put_grouped(&out, 999);
	check_text(&out, "999");
	count_text__put_grouped(&out, 1000);
	check_text(&out, "1,000");
	count_text__put_grouped(&out, 12045006);
	check_text(&out, "12,045,006");
	count_text__put_samples(&out, 1);
	check_text(&out, "1 sample");
	count_text__put_samples(&out, 0);
	check_text(&out, "0 samples");
	strbuf__free(&out);
}
END_TEST

START_TEST(test_weights_have_units)
{
	struct peat_field unit = { .kind = PEAT_FIELD_DURATION };
	struct strbuf out = { 0 };

	count_text__put_weight(&out, &unit, 1500000);
	check_text(&out, "1.5ms");
	unit.kind = PEAT_FIELD_SIZE;
	count_text__put_weight(&out, &unit, 4096);
	check_text(&out, "4.0K");
	unit.kind = PEAT_FIELD_UNSIGNED;
	count_text__put_weight(&out, &unit, 1500000);
	check_text(&out, "1,500,000");
	strbuf__free(&out);
}
END_TEST

SUITE(10)
{
	tcase_add_test(tests, test_groups_digits_of_counts);
	tcase_add_test(tests, test_weights_have_units);
}

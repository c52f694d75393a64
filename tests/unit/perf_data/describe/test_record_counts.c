// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* test_record_counts.c: the counts of a recording's records. */
#include "perf_data/describe/record_counts.h"
#include "unit/suite.h"

static void add(struct record_counts *counts, uint32_t type, unsigned times)
{
	const struct perf_entry entry = { .type = type };

	for (unsigned i = 0; i < times; i++)
		ck_assert_int_eq(record_counts__add(counts, &entry), 0);
}

static void check_emitted(const struct record_counts *counts, struct emit emit, struct strbuf *out,
			  const char *wanted)
{
	const struct perf_attrs attrs = { 0 };

	emit__begin(&emit, NULL, false);
	ck_assert_int_eq(record_counts__emit(counts, &attrs, &emit), 0);
	emit__end(&emit, false);
	strbuf__char(out, 0);
	ck_assert_msg(strstr(out->bytes, wanted), "no '%s' in '%s'", wanted, out->bytes);
	strbuf__free(out);
}

START_TEST(test_unknown_types_by_number)
{
	struct record_counts counts;
	struct strbuf out = { 0 };

	record_counts__init(&counts);
	add(&counts, PEAT_RECORD_COMM, 1);
	add(&counts, 4000000000, 2);
	add(&counts, 63, 1);
	add(&counts, 4000000000, 1);
	check_emitted(&counts, emit__json(&out), &out,
		      "\"records\":{\"COMM\":1,\"4000000000\":3,\"63\":1},\"unknown\":4,");
	check_emitted(&counts, emit__lines(&out), &out,
		      "             3  4000000000\n             1  63\n"
		      "             4  unknown\n");
	record_counts__free(&counts);
}
END_TEST

START_TEST(test_too_many_unknown_types)
{
	struct record_counts counts;
	struct strbuf out = { 0 };

	record_counts__init(&counts);
	for (uint32_t i = 0; i < RECORD_COUNTS_UNKNOWN + 2; i++)
		add(&counts, 1000 + i, 2);
	check_emitted(&counts, emit__json(&out), &out, "\"1015\":2},\"unknown\":36,");
	record_counts__free(&counts);
}
END_TEST

SUITE(10)
{
	tcase_add_test(tests, test_unknown_types_by_number);
	tcase_add_test(tests, test_too_many_unknown_types);
}

// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* test_choose_samples.c: samples that are chosen by the names of their tasks, early and late. */
#include <stdio.h>

#include <peat/recording.h>
#include <peat/where.h>

#include "unit/replay/replay_maker.h"
#include "unit/suite.h"
#include "support/perf/stock_perf.h"

/* More names than a replay keeps. */
#define RENAMES 70000u

/* A pass reports its progress after every 16,384 records. */
#define REPORTS 4

static void save(const char *path, struct maker *m)
{
	FILE *file = fopen(path, "we");

	ck_assert_ptr_nonnull(file);
	ck_assert_uint_eq(fwrite(m->at, 1, m->len, file), m->len);
	ck_assert_int_eq(fclose(file), 0);
	free(m->at);
}

static uint64_t reported, in_first_pass;

static void check_progress(void *arg, uint64_t done, uint64_t all)
{
	(void)arg;
	ck_assert_uint_ge(done, reported);
	ck_assert_uint_le(done, all);
	in_first_pass += done < all / 2;
	reported = done;
}

/* Rewrites "file" with the samples that match.  Both passes report their progress. */
static void choose(const char *expression, uint64_t kept, uint64_t left_out)
{
	uint64_t was_kept = 0, was_left_out = 0;
	struct peat_where *where = peat_where__parse(expression);
	const struct peat_rewrite_opts opts = { .sz = sizeof(opts),
						.progress = check_progress,
						.where = where,
						.kept = &was_kept,
						.left_out = &was_left_out };

	ck_assert_ptr_nonnull(where);
	reported = in_first_pass = 0;
	ck_assert_int_eq(peat_recording__rewrite("file", "made", &opts), 0);
	peat_where__free(where);
	ck_assert_uint_eq(in_first_pass, REPORTS);
	ck_assert_uint_gt(reported, 0);
	ck_assert_uint_eq(was_kept, kept);
	ck_assert_uint_eq(was_left_out, left_out);
}

/* The last sample comes before the record of its name. */
START_TEST(test_names_at_any_time)
{
	struct maker m = { .swapped = 0 };
	size_t data = begin_made_file(&m);
	char name[12];

	make_name(&m, (struct made_at){ 10, 0, 7 }, "early");
	make_event(&m, 100, (struct made_at){ 11, 0, 7 }, 1);
	for (uint32_t i = 0; i < RENAMES; i++) {
		snprintf(name, sizeof(name), "%u", i);
		make_name(&m, (struct made_at){ 20 + i, 0, 7 }, name);
	}
	make_event(&m, 100, (struct made_at){ 20 + RENAMES, 0, 7 }, 2);
	make_event(&m, 100, (struct made_at){ 20 + RENAMES, 0, 8 }, 3);
	make_name(&m, (struct made_at){ 19 + RENAMES, 0, 8 }, "late");
	end_made_file(&m, data);
	save("file", &m);
	choose("comm == early", 1, 2);
	choose("comm == late", 1, 2);
	choose("comm == 69999", 1, 2);
	choose("comm == other", 0, 3);
}
END_TEST

SUITE(60)
{
	tcase_add_checked_fixture(tests, stock_perf__setup, stock_perf__teardown);
	tcase_add_test(tests, test_names_at_any_time);
}

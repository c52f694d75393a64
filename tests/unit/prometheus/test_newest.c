// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* test_newest.c: the newest batch of each source. */
#include <errno.h>
#include <stdio.h>

#include "prometheus/newest.h"
#include "unit/fail_alloc.h"
#include "unit/suite.h"

static void count_release(void *arg)
{
	++*(int *)arg;
}

static struct peat_batch *batch_of(const char *source, int *released)
{
	struct peat_batch_opts opts = {
		.sz = sizeof(opts), .source = source, .release = count_release, .arg = released
	};
	struct peat_batch *batch = peat_batch__new(&opts);

	ck_assert_ptr_nonnull(batch);
	return batch;
}

static void keep(struct newest *newest, struct peat_batch *batch)
{
	ck_assert_int_eq(newest__keep(newest, batch), 0);
	peat_batch__unref(batch);
}

START_TEST(test_keeps_one_batch_of_source)
{
	struct peat_batch **batches;
	struct newest newest;
	int released = 0;
	size_t count;

	newest__init(&newest);
	keep(&newest, batch_of("a", &released));
	keep(&newest, batch_of("b", &released));
	batches = newest__hold(&newest, &count);
	ck_assert_uint_eq(count, 2);
	ck_assert_str_eq(peat_batch__source(batches[0]), "a");
	keep(&newest, batch_of("a", &released));
	ck_assert_int_eq(released, 0);
	newest__release(batches, count);
	ck_assert_int_eq(released, 1);
	newest__free(&newest);
	ck_assert_int_eq(released, 3);
}
END_TEST

START_TEST(test_many_sources)
{
	struct newest newest;
	int released = 0;
	char name[16];

	newest__init(&newest);
	for (int i = 0; i < 200; i++) {
		snprintf(name, sizeof(name), "%d", i % 100);
		keep(&newest, batch_of(name, &released));
	}
	ck_assert_uint_eq(newest.count, 100);
	ck_assert_int_eq(released, 100);
	newest__free(&newest);
}
END_TEST

START_TEST(test_without_memory)
{
	struct peat_batch *batch;
	struct newest newest;
	int released = 0, err = 0;
	size_t count;

	newest__init(&newest);
	batch = batch_of("a", &released);
	fail_alloc__begin(1);
	err = newest__keep(&newest, batch);
	if (fail_alloc__end())
		ck_assert_int_eq(err, -ENOMEM);
	fail_alloc__begin(1);
	struct peat_batch **batches = newest__hold(&newest, &count);
	if (fail_alloc__end())
		ck_assert_ptr_null(batches);
	newest__release(batches, count);
	peat_batch__unref(batch);
	newest__free(&newest);
	ck_assert_int_eq(released, 1);
}
END_TEST

SUITE(10)
{
	tcase_add_test(tests, test_keeps_one_batch_of_source);
	tcase_add_test(tests, test_many_sources);
	tcase_add_test(tests, test_without_memory);
}

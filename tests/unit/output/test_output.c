// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* test_output.c: batches that are settled. */
#include <peat/output.h>

#include "unit/suite.h"

static struct {
	void *arg;
	struct peat_batch *batch;
	uint64_t refused;
	const char *why;
	unsigned calls;
} seen;

static void note(void *arg, struct peat_batch *batch, uint64_t refused, const char *why)
{
	seen.arg = arg;
	seen.batch = batch;
	seen.refused = refused;
	seen.why = why;
	seen.calls++;
}

START_TEST(test_settled_batch_is_reported)
{
	struct peat_batch_opts opts = { .sz = sizeof(opts), .source = "exec" };
	struct peat_batch *batch = peat_batch__new(&opts);
	struct peat_output output = { .sz = sizeof(output), .settled = note, .arg = &seen };

	peat_output__settle(&output, batch, 3, "HTTP 400");
	ck_assert_uint_eq(seen.calls, 1);
	ck_assert_ptr_eq(seen.arg, &seen);
	ck_assert_ptr_eq(seen.batch, batch);
	ck_assert_uint_eq(seen.refused, 3);
	ck_assert_str_eq(seen.why, "HTTP 400");
	/* The reference is the caller's still. */
	ck_assert_str_eq(peat_batch__source(batch), "exec");
	peat_output__settle(&output, batch, 0, NULL);
	ck_assert_uint_eq(seen.calls, 2);
	ck_assert_ptr_null(seen.why);
	peat_batch__unref(batch);
}
END_TEST

SUITE(10)
{
	tcase_add_test(tests, test_settled_batch_is_reported);
}

// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* test_points.c: points of a batch: copied whole, in order, or refused. */
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <peat/batch.h>
#include <peat/log.h>

#include "unit/fail_alloc.h"
#include "unit/suite.h"

static char message[256];

static void keep(enum peat_log_level level, const char *text)
{
	(void)level;
	snprintf(message, sizeof(message), "%s", text);
}

static struct peat_batch *new_batch(void)
{
	struct peat_batch_opts opts = { .sz = sizeof(opts), .source = "exec", .bytes = 1 };
	struct peat_batch *batch = peat_batch__new(&opts);

	ck_assert_ptr_nonnull(batch);
	return batch;
}

/* A histogram whose memory is the test's. */
struct example {
	char name[16], unit[8], doc[32], label[8], value[8];
	struct peat_label labels[1];
	struct peat_bucket buckets[3];
	struct peat_point point;
};

static void make_example(struct example *e)
{
	*e = (struct example){ .name = "exec.latency",
			       .unit = "ns",
			       .doc = "time of a call",
			       .label = "comm",
			       .value = "ls",
			       .labels = { { e->label, e->value } },
			       .buckets = { { 1.5, 1 }, { 3, 0 }, { INFINITY, 6 } } };
	e->point = (struct peat_point){ .sz = sizeof(e->point),
					.kind = PEAT_POINT_HISTOGRAM,
					.label_count = 1,
					.bucket_count = 3,
					.name = e->name,
					.unit = e->unit,
					.doc = e->doc,
					.labels = e->labels,
					.start_ns = 1,
					.time_ns = 2,
					.count = 7,
					.value = 12.5,
					.buckets = e->buckets };
}

static void check_example(const struct peat_point *point)
{
	ck_assert_int_eq(point->kind, PEAT_POINT_HISTOGRAM);
	ck_assert_str_eq(point->name, "exec.latency");
	ck_assert_str_eq(point->unit, "ns");
	ck_assert_str_eq(point->doc, "time of a call");
	ck_assert_uint_eq(point->label_count, 1);
	ck_assert_str_eq(point->labels[0].name, "comm");
	ck_assert_str_eq(point->labels[0].value, "ls");
	ck_assert_uint_eq(point->start_ns, 1);
	ck_assert_uint_eq(point->time_ns, 2);
	ck_assert_uint_eq(point->count, 7);
	ck_assert(point->value == 12.5);
	ck_assert_uint_eq(point->bucket_count, 3);
	ck_assert(point->buckets[0].upper == 1.5 && point->buckets[0].count == 1);
	ck_assert(point->buckets[1].upper == 3 && point->buckets[1].count == 0);
	ck_assert(point->buckets[2].upper == INFINITY && point->buckets[2].count == 6);
}

static int add_counter(struct peat_batch *batch, uint64_t count)
{
	struct peat_point point = {
		.sz = sizeof(point), .kind = PEAT_POINT_COUNTER, .name = "events", .count = count
	};

	return peat_batch__add_point(batch, &point);
}

START_TEST(test_points_are_copied_whole)
{
	struct peat_batch_cursor at = PEAT_BATCH_START;
	struct peat_batch *batch = new_batch();
	struct peat_point point = { .sz = sizeof(point) };
	struct example e;

	make_example(&e);
	ck_assert_int_eq(peat_batch__add_point(batch, &e.point), 0);
	memset(&e, 0xff, sizeof(e));
	ck_assert(peat_batch__next_point(batch, &at, &point));
	check_example(&point);
	ck_assert_uint_eq(point.sz, sizeof(point));
	ck_assert(!peat_batch__next_point(batch, &at, &point));
	peat_batch__unref(batch);
}
END_TEST

/* The size of a batch is that of its events. */
START_TEST(test_points_come_in_order)
{
	struct peat_batch_cursor at = PEAT_BATCH_START;
	struct peat_batch *batch = new_batch();
	struct peat_point point = { .sz = sizeof(point) };
	uint64_t empty = peat_batch__bytes(batch);

	ck_assert(!peat_batch__next_point(batch, &at, &point));
	for (uint64_t i = 0; i < 1000; i++)
		ck_assert_int_eq(add_counter(batch, i), 0);
	ck_assert_uint_eq(peat_batch__points(batch), 1000);
	ck_assert_uint_eq(peat_batch__events(batch), 0);
	ck_assert_uint_ge(peat_batch__bytes(batch), empty + 1000 * sizeof(point));
	for (uint64_t i = 0; i < 1000; i++) {
		ck_assert(peat_batch__next_point(batch, &at, &point));
		ck_assert_str_eq(point.name, "events");
		ck_assert_uint_eq(point.count, i);
		ck_assert_ptr_null(point.unit);
		ck_assert_ptr_null(point.doc);
		ck_assert_uint_eq(point.label_count, 0);
	}
	ck_assert(!peat_batch__next_point(batch, &at, &point));
	peat_batch__unref(batch);
}
END_TEST

START_TEST(test_gauge_without_a_value)
{
	struct peat_batch_cursor at = PEAT_BATCH_START;
	struct peat_batch *batch = new_batch();
	struct peat_point point = {
		.sz = sizeof(point), .kind = PEAT_POINT_GAUGE, .name = "depth", .value = NAN
	};

	ck_assert_int_eq(peat_batch__add_point(batch, &point), 0);
	point.value = 0;
	ck_assert(peat_batch__next_point(batch, &at, &point));
	ck_assert_int_eq(point.kind, PEAT_POINT_GAUGE);
	ck_assert(isnan(point.value));
	peat_batch__unref(batch);
}
END_TEST

/* ---- refused points -------------------------------------------------------------------------- */

static void check_refused(const struct example *e, const char *why)
{
	struct peat_batch *batch = new_batch();

	peat_set_print(keep);
	message[0] = '\0';
	errno = 0;
	ck_assert_int_eq(peat_batch__add_point(batch, &e->point), -EINVAL);
	ck_assert_int_eq(errno, EINVAL);
	ck_assert_msg(strstr(message, why), "%s", message);
	ck_assert_uint_eq(peat_batch__points(batch), 0);
	peat_batch__unref(batch);
}

START_TEST(test_point_needs_a_name)
{
	struct example e;

	make_example(&e);
	e.point.name = NULL;
	check_refused(&e, "peat_batch__add_point(): a point: it has no name");
	e.point.name = "";
	check_refused(&e, "it has no name");
}
END_TEST

START_TEST(test_label_needs_name_and_value)
{
	struct example e;

	make_example(&e);
	e.labels[0].value = NULL;
	check_refused(&e, "exec.latency: a label has no name or no value");
	e.labels[0] = (struct peat_label){ NULL, e.value };
	check_refused(&e, "exec.latency: a label has no name or no value");
}
END_TEST

START_TEST(test_kind_has_to_be_known)
{
	struct example e;

	make_example(&e);
	e.point.kind = PEAT_POINT_HISTOGRAM + 1;
	check_refused(&e, "exec.latency: its kind is unknown");
}
END_TEST

static const struct {
	struct peat_bucket buckets[3];
	uint32_t count;
} bad_buckets[] = {
	{ { { 1, 1 }, { 3, 0 }, { INFINITY, 6 } }, 0 }, /* none */
	{ { { 3, 1 }, { 1, 0 }, { INFINITY, 6 } }, 3 }, /* not in order */
	{ { { 1, 1 }, { 1, 0 }, { INFINITY, 6 } }, 3 }, /* twice */
	{ { { 1, 1 }, { NAN, 0 }, { INFINITY, 6 } }, 3 },
	{ { { NAN, 1 }, { 3, 0 }, { INFINITY, 6 } }, 3 },
	{ { { 1, 1 }, { 3, 0 }, { 5, 6 } }, 3 },	       /* not of all numbers */
	{ { { 1, 1 }, { 3, 6 } }, 2 },			       /* the same */
	{ { { -INFINITY, 7 } }, 1 },			       /* the same */
	{ { { 1, 1 }, { 3, 0 }, { INFINITY, 5 } }, 3 },	       /* another count */
	{ { { 1, 1 }, { INFINITY, 0 }, { INFINITY, 6 } }, 3 }, /* twice */
};

START_TEST(test_buckets_are_validated)
{
	struct example e;

	make_example(&e);
	e.point.buckets = bad_buckets[_i].buckets;
	e.point.bucket_count = bad_buckets[_i].count;
	check_refused(&e, "exec.latency: its buckets");
}
END_TEST

START_TEST(test_size_of_a_point)
{
	struct peat_batch_cursor at = PEAT_BATCH_START;
	struct peat_batch *batch = new_batch();
	struct peat_point point = { 0 };
	struct example e;

	make_example(&e);
	e.point.sz = 0;
	check_refused(&e, "peat_batch__add_point()");
	ck_assert_int_eq(add_counter(batch, 1), 0);
	ck_assert(!peat_batch__next_point(batch, &at, &point));
	peat_batch__unref(batch);
}
END_TEST

START_TEST(test_point_without_memory_is_left_out)
{
	struct peat_batch *batch = new_batch();
	unsigned failed = 0;
	struct example e;

	make_example(&e);
	for (uint64_t n = 0; n < 200; n++) {
		int err;

		fail_alloc__begin(1);
		err = peat_batch__add_point(batch, &e.point);
		if (fail_alloc__end()) {
			ck_assert_int_eq(err, -ENOMEM);
			ck_assert_uint_eq(peat_batch__points(batch), n);
			failed++;
			err = peat_batch__add_point(batch, &e.point);
		}
		ck_assert_int_eq(err, 0);
	}
	for (struct peat_batch_cursor at = PEAT_BATCH_START; at.at < 200;) {
		struct peat_point point = { .sz = sizeof(point) };

		ck_assert(peat_batch__next_point(batch, &at, &point));
		check_example(&point);
	}
#ifndef __SANITIZE_ADDRESS__
	ck_assert_uint_gt(failed, 2);
#else
	(void)failed;
#endif
	peat_batch__unref(batch);
}
END_TEST

SUITE(10)
{
	tcase_add_test(tests, test_points_are_copied_whole);
	tcase_add_test(tests, test_points_come_in_order);
	tcase_add_test(tests, test_gauge_without_a_value);
	tcase_add_test(tests, test_point_needs_a_name);
	tcase_add_test(tests, test_label_needs_name_and_value);
	tcase_add_test(tests, test_kind_has_to_be_known);
	tcase_add_loop_test(tests, test_buckets_are_validated, 0,
			    sizeof(bad_buckets) / sizeof(*bad_buckets));
	tcase_add_test(tests, test_size_of_a_point);
	tcase_add_test(tests, test_point_without_memory_is_left_out);
}

// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* test_metrics.c: the points of sources, of the agent, and of the output itself. */
#include <errno.h>

#include "prometheus/metrics.h"
#include "unit/prometheus/points.h"
#include "unit/fail_alloc.h"
#include "unit/suite.h"

static struct metrics metrics;
static int collect_result;

static int collect(void *arg, struct peat_batch *points)
{
	struct peat_point point = POINT(PEAT_POINT_COUNTER, "peat.lost", .doc = "L.", .count = 7,
					LABELS({ "cause", "nested" }));

	ck_assert_ptr_eq(arg, &metrics);
	return peat_batch__add_point(points, &point) ?: collect_result;
}

static void write_points(const char *source, uint64_t count)
{
	struct peat_batch_opts opts = { .sz = sizeof(opts), .source = source };
	struct peat_batch *batch = peat_batch__new(&opts);

	for (char value[] = "a"; *value < 'd'; ++*value) {
		struct peat_point point =
			POINT(PEAT_POINT_COUNTER, "calls", .doc = "C.", .count = count,
			      LABELS({ "source", source }, { "comm", value }));

		ck_assert_int_eq(peat_batch__add_point(batch, &point), 0);
	}
	ck_assert_int_eq(newest__keep(&metrics.newest, batch), 0);
	peat_batch__unref(batch);
}

static void setup(void)
{
	metrics = (struct metrics){ .sets = { .most = 4, .most_bytes = 100000 } };
	metrics.collect = collect;
	metrics.arg = &metrics;
	newest__init(&metrics.newest);
	collect_result = 0;
}

static void teardown(void)
{
	newest__free(&metrics.newest);
	label_sets__free(&metrics.sets);
}

static const char expected[] =
	"# HELP peat_lost_total L.\n"
	"# TYPE peat_lost_total counter\n"
	"peat_lost_total{cause=\"nested\"} 7\n"
	"# HELP calls_total C.\n"
	"# TYPE calls_total counter\n"
	"calls_total{source=\"x\",comm=\"a\"} 5\n"
	"calls_total{source=\"x\",comm=\"b\"} 5\n"
	"calls_total{source=\"x\",comm=\"c\"} 5\n"
	"calls_total{source=\"y\",comm=\"a\"} 100\n"
	"calls_total{source=\"other\",comm=\"other\"} 200\n"
	"# HELP peat_prometheus_label_sets Label sets of sources that have series of their own.\n"
	"# TYPE peat_prometheus_label_sets gauge\n"
	"peat_prometheus_label_sets 4\n"
	"# HELP peat_prometheus_label_sets_limit Most label sets that have series of their own.\n"
	"# TYPE peat_prometheus_label_sets_limit gauge\n"
	"peat_prometheus_label_sets_limit 4\n"
	"# HELP peat_prometheus_points_in_other Points of this answer that were added to series "
	"with the labels other.\n"
	"# TYPE peat_prometheus_points_in_other gauge\n"
	"peat_prometheus_points_in_other 2\n"
	"# HELP peat_prometheus_points_refused Points left out: their metric has another type or "
	"unit.\n"
	"# TYPE peat_prometheus_points_refused gauge\n"
	"peat_prometheus_points_refused 0\n";

START_TEST(test_points_of_all_sources)
{
	struct strbuf out = { 0 };

	write_points("x", 1);
	write_points("y", 100);
	write_points("x", 5);
	for (int i = 0; i < 2; i++) {
		ck_assert_int_eq(metrics__append(&metrics, &out, false), 0);
		strbuf__char(&out, 0);
		ck_assert_str_eq(out.bytes, expected);
		strbuf__free(&out);
	}
}
END_TEST

START_TEST(test_errors_of_answers)
{
	struct strbuf out = { 0 };
	long blocks;
	int err;

	write_points("x", 1);
	collect_result = -EBUSY;
	ck_assert_int_eq(metrics__append(&metrics, &out, false), -EBUSY);
	ck_assert_uint_eq(out.count, 0);
	collect_result = 0;
	ck_assert_int_eq(metrics__append(&metrics, &out, false), 0);
	strbuf__free(&out);
	blocks = fail_alloc__blocks();
	for (unsigned nth = 1; nth; nth++) {
		fail_alloc__begin(nth);
		err = metrics__append(&metrics, &out, false);
		strbuf__free(&out);
		if (!fail_alloc__end())
			break;
		ck_assert_int_eq(err, -ENOMEM);
		ck_assert_int_eq(fail_alloc__blocks(), blocks);
	}
	ck_assert_int_eq(err, 0);
}
END_TEST

SUITE(10)
{
	tcase_add_checked_fixture(tests, setup, teardown);
	tcase_add_test(tests, test_points_of_all_sources);
	tcase_add_test(tests, test_errors_of_answers);
}

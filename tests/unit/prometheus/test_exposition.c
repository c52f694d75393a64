// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* test_exposition.c: metrics in both formats. */
#include <stdio.h>

#include "prometheus/exposition.h"
#include "unit/prometheus/points.h"
#include "unit/suite.h"

static struct label_sets sets;
static struct families families;

static void setup(void)
{
	sets = (struct label_sets){ .most = 100, .most_bytes = 100000 };
	families = (struct families){ .sets = &sets };
}

static void teardown(void)
{
	families__free(&families);
	label_sets__free(&sets);
}

static void add(const struct peat_point *point)
{
	ck_assert_int_eq(families__add(&families, point, false), 0);
}

static void check(bool is_openmetrics, const char *expected)
{
	struct strbuf out = { 0 };

	exposition__append(&out, &families, is_openmetrics);
	strbuf__char(&out, 0);
	ck_assert(!out.failed);
	ck_assert_str_eq(out.bytes, expected);
	strbuf__free(&out);
}

START_TEST(test_counters_in_both_formats)
{
	struct peat_point lost = POINT(PEAT_POINT_COUNTER, "peat.lost", .unit = "{event}",
				       .doc = "Events \"lost\"\n\\.", .count = UINT64_MAX,
				       LABELS({ "cause", "ring_full" }));
	struct peat_point time = POINT(PEAT_POINT_COUNTER, "run", .unit = "ns", .doc = "Time.",
				       .count = UINT64_C(18446744073000000001));

	add(&lost);
	add(&time);
	check(false, "# HELP peat_lost_total Events \"lost\"\\n\\\\.\n"
		     "# TYPE peat_lost_total counter\n"
		     "peat_lost_total{cause=\"ring_full\"} 18446744073709551615\n"
		     "# HELP run_seconds_total Time.\n"
		     "# TYPE run_seconds_total counter\n"
		     "run_seconds_total 18446744073.000000001\n");
	check(true, "# HELP peat_lost Events \\\"lost\\\"\\n\\\\.\n"
		    "# TYPE peat_lost counter\n"
		    "peat_lost_total{cause=\"ring_full\"} 18446744073709551615\n"
		    "# HELP run_seconds Time.\n"
		    "# TYPE run_seconds counter\n"
		    "# UNIT run_seconds seconds\n"
		    "run_seconds_total 18446744073.000000001\n"
		    "# EOF\n");
}
END_TEST

static void check_gauge(const char *unit, double value, const char *expected)
{
	struct peat_point point =
		POINT(PEAT_POINT_GAUGE, "g", .unit = unit, .doc = "D.", .value = value);
	char text[128];

	teardown();
	setup();
	add(&point);
	snprintf(text, sizeof(text), "# HELP g%s D.\n# TYPE g%s gauge\ng%s %s\n",
		 unit ? "_seconds" : "", unit ? "_seconds" : "", unit ? "_seconds" : "", expected);
	check(false, text);
}

START_TEST(test_numbers_of_gauges)
{
	check_gauge(NULL, 0, "0");
	check_gauge(NULL, 0.1, "0.1");
	check_gauge(NULL, -17, "-17");
	check_gauge(NULL, 1e300, "1e+300");
	check_gauge(NULL, 0.1 + 0.2, "0.30000000000000004");
	check_gauge(NULL, 9007199254740992, "9007199254740992");
	check_gauge(NULL, NAN, "NaN");
	check_gauge(NULL, INFINITY, "+Inf");
	check_gauge(NULL, -INFINITY, "-Inf");
	check_gauge("ns", 1500000, "0.0015");
	check_gauge("s", 2, "2");
}
END_TEST

START_TEST(test_histograms_in_both_formats)
{
	struct peat_point latency = POINT(
		PEAT_POINT_HISTOGRAM, "latency", .unit = "ns", .count = 6, .value = 3500000000,
		BUCKETS({ 1000, 1 }, { 1e9, 2 }, { INFINITY, 3 }), LABELS({ "a", "b" }));
	struct peat_point size =
		POINT(PEAT_POINT_HISTOGRAM, "size", .unit = "By", .doc = "Sizes.", .count = 3,
		      .value = NAN, BUCKETS({ 4096, 1 }, { INFINITY, 2 }));

	add(&latency);
	add(&size);
	check(false, "# HELP latency_seconds latency\n"
		     "# TYPE latency_seconds histogram\n"
		     "latency_seconds_bucket{a=\"b\",le=\"1e-06\"} 1\n"
		     "latency_seconds_bucket{a=\"b\",le=\"1\"} 3\n"
		     "latency_seconds_bucket{a=\"b\",le=\"+Inf\"} 6\n"
		     "latency_seconds_sum{a=\"b\"} 3.5\n"
		     "latency_seconds_count{a=\"b\"} 6\n"
		     "# HELP size_bytes Sizes.\n"
		     "# TYPE size_bytes histogram\n"
		     "size_bytes_bucket{le=\"4096\"} 1\n"
		     "size_bytes_bucket{le=\"+Inf\"} 3\n"
		     "size_bytes_count 3\n");
	check(true, "# HELP latency_seconds latency\n"
		    "# TYPE latency_seconds histogram\n"
		    "# UNIT latency_seconds seconds\n"
		    "latency_seconds_bucket{a=\"b\",le=\"1e-06\"} 1\n"
		    "latency_seconds_bucket{a=\"b\",le=\"1.0\"} 3\n"
		    "latency_seconds_bucket{a=\"b\",le=\"+Inf\"} 6\n"
		    "latency_seconds_sum{a=\"b\"} 3.5\n"
		    "latency_seconds_count{a=\"b\"} 6\n"
		    "# HELP size_bytes Sizes.\n"
		    "# TYPE size_bytes histogram\n"
		    "# UNIT size_bytes bytes\n"
		    "size_bytes_bucket{le=\"4096.0\"} 1\n"
		    "size_bytes_bucket{le=\"+Inf\"} 3\n"
		    "# EOF\n");
}
END_TEST

SUITE(10)
{
	tcase_add_checked_fixture(tests, setup, teardown);
	tcase_add_test(tests, test_counters_in_both_formats);
	tcase_add_test(tests, test_numbers_of_gauges);
	tcase_add_test(tests, test_histograms_in_both_formats);
}

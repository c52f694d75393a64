// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* test_names.c: names of metrics, and labels. */
#include "prometheus/names.h"
#include "unit/prometheus/points.h"
#include "unit/suite.h"

static char text[512];

static const char *take(struct strbuf *out)
{
	ck_assert(!out->failed && out->count < sizeof(text));
	memcpy(text, out->bytes ?: "", out->count);
	text[out->count] = 0;
	strbuf__free(out);
	return text;
}

static const char *metric(enum peat_point_kind kind, const char *name, const char *unit)
{
	struct peat_point point = POINT(kind, name, .unit = unit);
	struct strbuf out = { 0 };

	strbuf__text(&out, "seconds_");
	names__metric(&out, &point);
	return take(&out) + strlen("seconds_");
}

START_TEST(test_names_of_metrics)
{
	ck_assert_str_eq(metric(PEAT_POINT_COUNTER, "peat.events.lost", "{event}"),
			 "peat_events_lost");
	ck_assert_str_eq(metric(PEAT_POINT_COUNTER, "peat.events.total", NULL), "peat_events");
	ck_assert_str_eq(metric(PEAT_POINT_GAUGE, "peat.total", NULL), "peat_total");
	ck_assert_str_eq(metric(PEAT_POINT_GAUGE, "1st.\xc3\xa4-b", ""), "_1st____b");
	ck_assert_str_eq(metric(PEAT_POINT_GAUGE, "total", "1"), "total");
	ck_assert_str_eq(metric(PEAT_POINT_COUNTER, "total", NULL), "total");
}
END_TEST

START_TEST(test_units_of_metrics)
{
	ck_assert_str_eq(metric(PEAT_POINT_COUNTER, "run.time", "ns"), "run_time_seconds");
	ck_assert_str_eq(metric(PEAT_POINT_GAUGE, "age", "s"), "age_seconds");
	ck_assert_str_eq(metric(PEAT_POINT_GAUGE, "queue", "By"), "queue_bytes");
	ck_assert_str_eq(metric(PEAT_POINT_GAUGE, "queue.bytes", "By"), "queue_bytes");
	ck_assert_str_eq(metric(PEAT_POINT_COUNTER, "queue_bytes_total", "By"), "queue_bytes");
	ck_assert_str_eq(metric(PEAT_POINT_GAUGE, "bytes", "By"), "bytes_bytes");
	ck_assert_str_eq(metric(PEAT_POINT_GAUGE, "clock", "Hz"), "clock_Hz");
	ck_assert_ptr_null(names__unit("{event}"));
	ck_assert_ptr_null(names__unit(NULL));
}
END_TEST

static const char *labels(const struct peat_point *point, bool is_other)
{
	struct strbuf out = { 0 }, used = { 0 };

	names__labels(&out, &used, point, is_other);
	strbuf__free(&used);
	return take(&out);
}

START_TEST(test_names_of_labels)
{
	struct peat_point point =
		POINT(PEAT_POINT_GAUGE, "a",
		      LABELS({ "a.b", "1" }, { "a_b", "2" }, { "a-b", "3" }, { "__name__", "4" },
			     { "le", "5" }, { "", "6" }, { "2", "7" }));
	struct peat_point none = POINT(PEAT_POINT_GAUGE, "a");

	ck_assert_str_eq(labels(&point, false),
			 "a_b=\"1\",a_b_=\"2\",a_b__=\"3\",label__name__=\"4\",le_=\"5\",_=\"6\","
			 "_2=\"7\"");
	ck_assert_str_eq(labels(&none, false), "");
}
END_TEST

START_TEST(test_values_of_labels)
{
	struct peat_point point =
		POINT(PEAT_POINT_GAUGE, "a",
		      LABELS({ "a", "\"x\\y\nz\"" }, { "b", "\xff\xc3\xa4\xc3" }, { "c", "" }));

	ck_assert_str_eq(labels(&point, false),
			 "a=\"\\\"x\\\\y\\nz\\\"\",b=\"\xef\xbf\xbd\xc3\xa4\xef\xbf\xbd\",c=\"\"");
	ck_assert_str_eq(labels(&point, true), "a=\"other\",b=\"other\",c=\"other\"");
}
END_TEST

START_TEST(test_escapes_of_help)
{
	struct strbuf out = { 0 };

	names__escape(&out, "a \"b\"\n\\", 0);
	ck_assert_str_eq(take(&out), "a \"b\"\\n\\\\");
}
END_TEST

SUITE(10)
{
	tcase_add_test(tests, test_names_of_metrics);
	tcase_add_test(tests, test_units_of_metrics);
	tcase_add_test(tests, test_names_of_labels);
	tcase_add_test(tests, test_values_of_labels);
	tcase_add_test(tests, test_escapes_of_help);
}

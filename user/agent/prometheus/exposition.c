// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* prometheus/exposition.c: writes metrics in the formats of Prometheus. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "field/field_text.h"
#include "prometheus/exposition.h"
#include "prometheus/names.h"

#define NS_DIGITS 9

/* The shortest decimal that is read as the same number. */
static void append_double(struct strbuf *out, double value)
{
	static const char *const formats[] = { "%.15g", "%.16g", "%.17g" };
	char text[40];
	size_t i = 0;

	if (isnan(value) || isinf(value)) {
		strbuf__text(out, isnan(value) ? "NaN" : value > 0 ? "+Inf" : "-Inf");
		return;
	}
	/* snprintf() and strtod() use the same locale. */
	for (; i < 2; i++) {
		snprintf(text, sizeof(text), formats[i], value);
		if (!(strtod(text, NULL) < value) && !(strtod(text, NULL) > value))
			break;
	}
	field_text__append_float(out, formats[i], value);
}

static double in_base_unit(const struct family *family, double value)
{
	return family->is_ns ? value / 1e9 : value;
}

/* An integer, or an integer of nanoseconds in seconds: exact. */
static void append_count(struct strbuf *out, const struct family *family, uint64_t count)
{
	if (family->is_ns)
		strbuf__seconds(out, count, NS_DIGITS);
	else
		strbuf__unsigned(out, count);
}

/* NAME_SUFFIX{LABELS} and a blank. */
static void append_sample(struct strbuf *out, const struct series *series, const char *suffix)
{
	strbuf__text(out, series->family->name);
	strbuf__text(out, suffix);
	if (*series->labels) {
		strbuf__char(out, '{');
		strbuf__text(out, series->labels);
		strbuf__char(out, '}');
	}
	strbuf__char(out, ' ');
}

static void append_bucket(struct strbuf *out, const struct series *series, double upper,
			  uint64_t count, bool is_openmetrics)
{
	size_t at;

	strbuf__text(out, series->family->name);
	strbuf__text(out, "_bucket{");
	strbuf__text(out, series->labels);
	strbuf__text(out, *series->labels ? ",le=\"" : "le=\"");
	at = out->count;
	append_double(out, in_base_unit(series->family, upper));
	/* OpenMetrics writes bounds as floats: "1.0". */
	if (is_openmetrics && !out->failed &&
	    strspn(out->bytes + at, "-0123456789") == out->count - at)
		strbuf__text(out, ".0");
	strbuf__text(out, "\"} ");
	strbuf__unsigned(out, count);
	strbuf__char(out, '\n');
}

static void append_histogram(struct strbuf *out, const struct series *series, bool is_openmetrics)
{
	uint64_t count = 0;

	for (uint32_t i = 0; i < series->buckets.count; i++) {
		count += series->buckets.at[i].count;
		append_bucket(out, series, series->buckets.at[i].upper, count, is_openmetrics);
	}
	if (!isnan(series->value)) {
		append_sample(out, series, "_sum");
		append_double(out, in_base_unit(series->family, series->value));
		strbuf__char(out, '\n');
	} else if (is_openmetrics) {
		return; /* no count without a sum there */
	}
	append_sample(out, series, "_count");
	strbuf__unsigned(out, count);
	strbuf__char(out, '\n');
}

static void append_series(struct strbuf *out, const struct series *series, bool is_openmetrics)
{
	switch (series->family->kind) {
	case PEAT_POINT_HISTOGRAM:
		append_histogram(out, series, is_openmetrics);
		return;
	case PEAT_POINT_COUNTER:
		append_sample(out, series, "_total");
		append_count(out, series->family, series->count);
		break;
	case PEAT_POINT_GAUGE:
		append_sample(out, series, "");
		append_double(out, in_base_unit(series->family, series->value));
		break;
	}
	strbuf__char(out, '\n');
}

static void append_comment(struct strbuf *out, const char *word, const struct family *family,
			   bool is_openmetrics)
{
	strbuf__text(out, "# ");
	strbuf__text(out, word);
	strbuf__char(out, ' ');
	strbuf__text(out, family->name);
	/* Only OpenMetrics knows counters and their samples by two names. */
	if (family->kind == PEAT_POINT_COUNTER && !is_openmetrics)
		strbuf__text(out, "_total");
	strbuf__char(out, ' ');
}

static void append_head(struct strbuf *out, const struct family *family, bool is_openmetrics)
{
	static const char *const kinds[] = {
		[PEAT_POINT_COUNTER] = "counter\n",
		[PEAT_POINT_GAUGE] = "gauge\n",
		[PEAT_POINT_HISTOGRAM] = "histogram\n",
	};

	append_comment(out, "HELP", family, is_openmetrics);
	names__escape(out, family->doc, is_openmetrics ? '"' : 0);
	strbuf__char(out, '\n');
	append_comment(out, "TYPE", family, is_openmetrics);
	strbuf__text(out, kinds[family->kind]);
	if (!is_openmetrics || !family->suffix)
		return;
	append_comment(out, "UNIT", family, is_openmetrics);
	strbuf__text(out, family->suffix);
	strbuf__char(out, '\n');
}

void exposition__append(struct strbuf *out, const struct families *families, bool is_openmetrics)
{
	for (const struct family *family = families->first; family; family = family->next) {
		append_head(out, family, is_openmetrics);
		for (const struct series *series = family->first; series; series = series->next)
			append_series(out, series, is_openmetrics);
	}
	if (is_openmetrics)
		strbuf__text(out, "# EOF\n");
}

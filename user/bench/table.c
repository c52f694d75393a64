// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* table.c: medians, quartiles and ratios, printed as text or JSON. */
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "table.h"
#include "cli/cli.h"
#include "cli/base/messages.h"
#include "cli/base/json_text.h"

/* ---- rows ------------------------------------------------------------------------------------ */

static bool is_in(const struct bench_row *row, const struct bench_place *place)
{
	return !strcmp(row->workload, place->workload) &&
	       !strcmp(row->transport, place->transport) && !strcmp(row->setting, place->setting);
}

static struct bench_row *find_row(const struct bench_table *table, const struct bench_place *place,
				  const char *metric)
{
	for (size_t i = table->count; i-- > 0;)
		if (is_in(&table->rows[i], place) && !strcmp(table->rows[i].metric, metric))
			return &table->rows[i];
	return NULL;
}

static struct bench_row *append_row(struct bench_table *table)
{
	size_t room = table->room ? table->room * 2 : 256;
	struct bench_row *rows = table->rows;

	if (table->count == table->room) {
		rows = realloc(rows, room * sizeof(*rows));
		if (!rows)
			return NULL;
		table->rows = rows;
		table->room = room;
	}
	rows[table->count] = (struct bench_row){ .count = 0 };
	return &rows[table->count++];
}

void bench_table__add(struct bench_table *table, const struct bench_place *place,
		      const char *metric, const char *unit, double value)
{
	struct bench_row *row = find_row(table, place, metric);

	if (!row) {
		row = append_row(table);
		if (!row) {
			messages__print("cannot add a result: no memory");
			exit(EXIT_FAILED);
		}
		snprintf(row->workload, sizeof(row->workload), "%s", place->workload);
		snprintf(row->setting, sizeof(row->setting), "%s", place->setting);
		row->transport = place->transport;
		row->metric = metric;
		row->unit = unit;
	}
	if (row->count < BENCH_ROUNDS_MAX)
		row->rounds[row->count++] = value;
}

void bench_table__free(struct bench_table *table)
{
	free(table->rows);
	*table = (struct bench_table){ 0 };
}

/* ---- statistics ------------------------------------------------------------------------------ */

static int compare_rows(const void *one, const void *other)
{
	double a = *(const double *)one, b = *(const double *)other;

	return (a > b) - (a < b);
}

/* Interpolates between the two values next to that part of the sorted ones. */
static double quantile(const double *sorted, size_t count, double part)
{
	double at = (double)(count - 1) * part;
	size_t below = (size_t)at;

	if (below + 1 >= count)
		return sorted[count - 1];
	return sorted[below] + (at - (double)below) * (sorted[below + 1] - sorted[below]);
}

struct bench_spread bench_table__spread(const double *values, size_t count)
{
	double sorted[BENCH_VALUES_MAX];

	if (!count || count > BENCH_VALUES_MAX)
		return (struct bench_spread){ 0 };
	memcpy(sorted, values, count * sizeof(*values));
	qsort(sorted, count, sizeof(*sorted), compare_rows);
	return (struct bench_spread){ .median = quantile(sorted, count, 0.5),
				      .p25 = quantile(sorted, count, 0.25),
				      .p75 = quantile(sorted, count, 0.75) };
}

/* The first transport with this metric in the same workload. */
static const struct bench_row *find_reference(const struct bench_table *table,
					      const struct bench_row *row)
{
	for (size_t i = 0; i < table->count; i++)
		if (!strcmp(table->rows[i].workload, row->workload) &&
		    !strcmp(table->rows[i].metric, row->metric))
			return &table->rows[i];
	return row;
}

bool bench_table__ratio(const struct bench_table *table, const struct bench_row *row, double *ratio)
{
	const struct bench_row *reference = find_reference(table, row);
	double ratios[BENCH_ROUNDS_MAX];
	size_t count = row->count < reference->count ? row->count : reference->count, used = 0;

	/* A difference can be negative in a round that another task disturbed. */
	for (size_t i = 0; i < count; i++)
		if (reference->rounds[i] > 0)
			ratios[used++] = row->rounds[i] / reference->rounds[i];
	*ratio = bench_table__spread(ratios, used).median;
	return used > count / 2;
}

/* ---- text ------------------------------------------------------------------------------------ */

/* Three significant digits at most: the numbers are no more precise. */
static void print_number(char *text, size_t room, double value)
{
	int decimals = fabs(value) < 9.995 ? 2 : fabs(value) < 99.95 ? 1 : 0;

	if (fabs(value) < 0.005)
		value = 0;
	snprintf(text, room, "%.*f", decimals, value);
}

/* A line of the table, assembled before it is printed. */
struct line {
	char text[512];
	size_t bytes;
};

__attribute__((format(printf, 2, 3))) static void append_text(struct line *line, const char *format,
							      ...)
{
	size_t room = sizeof(line->text) - line->bytes;
	va_list args;
	int bytes;

	va_start(args, format);
	bytes = vsnprintf(line->text + line->bytes, room, format, args);
	va_end(args);
	if (bytes > 0)
		line->bytes += (size_t)bytes < room ? (size_t)bytes : room - 1;
}

static void print_line(struct line *line)
{
	while (line->bytes && line->text[line->bytes - 1] == ' ')
		line->bytes--;
	printf("%.*s\n", (int)line->bytes, line->text);
	line->bytes = 0;
}

static void append_cell(struct line *line, const struct bench_table *table,
			const struct bench_row *row)
{
	struct bench_spread spread = bench_table__spread(row->rounds, row->count);
	char median[24], p25[24], p75[24], ratio[24] = "", range[56];
	double of_first;

	print_number(median, sizeof(median), spread.median);
	print_number(p25, sizeof(p25), spread.p25);
	print_number(p75, sizeof(p75), spread.p75);
	if (bench_table__ratio(table, row, &of_first)) {
		print_number(ratio + 1, sizeof(ratio) - 1, of_first);
		*ratio = 'x';
	}
	snprintf(range, sizeof(range), "%s-%s", p25, p75);
	append_text(line, "  %8s %-13s %7s", median, range, ratio);
}

static bool is_same_line(const struct bench_row *one, const struct bench_row *other)
{
	return !strcmp(one->workload, other->workload) && one->transport == other->transport &&
	       !strcmp(one->setting, other->setting);
}

static bool begins_line(const struct bench_table *table, size_t i)
{
	return i == table->shown || !is_same_line(&table->rows[i - 1], &table->rows[i]);
}

/* Prints the metrics of the line that begins at row i, with their units. */
static void print_heading(const struct bench_table *table, size_t i)
{
	struct line line = { .bytes = 0 };
	char cell[64];

	append_text(&line, "%-44s", table->rows[i].workload);
	for (size_t j = i; j < table->count && (j == i || !begins_line(table, j)); j++) {
		snprintf(cell, sizeof(cell), "%s, %s", table->rows[j].metric, table->rows[j].unit);
		append_text(&line, "  %-30s", cell);
	}
	print_line(&line);
}

/* Whether the metrics differ from those of the line before. */
static bool needs_heading(const struct bench_table *table, size_t i)
{
	size_t before = i;

	if (i == table->shown || strcmp(table->rows[i - 1].workload, table->rows[i].workload) != 0)
		return true;
	while (!begins_line(table, --before))
		;
	return strcmp(table->rows[before].metric, table->rows[i].metric) != 0;
}

void bench_table__print(struct bench_table *table, const char *title)
{
	struct line line = { .bytes = 0 };

	printf("\n%s\n\n", title);
	for (size_t i = table->shown; i < table->count; i++) {
		const struct bench_row *row = &table->rows[i];

		if (begins_line(table, i)) {
			if (i > table->shown)
				print_line(&line);
			if (needs_heading(table, i))
				print_heading(table, i);
			append_text(&line, "%-13s %-30s", row->transport, row->setting);
		}
		append_cell(&line, table, row);
	}
	print_line(&line);
	fflush(stdout);
	table->shown = table->count;
}

/* ---- JSON ------------------------------------------------------------------------------------ */

static void print_json_row(const struct bench_table *table, const struct bench_row *row)
{
	struct bench_spread spread = bench_table__spread(row->rounds, row->count);
	double ratio;

	json_text__member("{", "workload", row->workload);
	json_text__member(",", "transport", row->transport);
	json_text__member(",", "setting", row->setting);
	json_text__member(",", "metric", row->metric);
	json_text__member(",", "unit", row->unit);
	printf(",\"rounds\":%zu", row->count);
	printf(",\"median\":%.6g,\"p25\":%.6g,\"p75\":%.6g,\"ratio\":", spread.median, spread.p25,
	       spread.p75);
	if (bench_table__ratio(table, row, &ratio))
		printf("%.6g}", ratio);
	else
		printf("null}");
}

void bench_table__print_json(const struct bench_table *table)
{
	for (size_t i = 0; i < table->count; i++) {
		fputs(i ? ",\n " : "[", stdout);
		print_json_row(table, &table->rows[i]);
	}
	putchar(']');
}

// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* stat_print.c: prints counts like perf stat, or for programs. */
#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "cli/base/json_text.h"
#include "cli/stat/stat_print.h"
#include "cli/base/terminal_text.h"

#define NAME_WIDTH   25
#define UNIT_WIDTH   4
#define METRIC_WIDTH 36
#define PLACE_WIDTH  7

/* ---- values ---------------------------------------------------------------------------------- */

static const char *status_text(enum peat_counter_status status)
{
	return status == PEAT_COUNTER_NOT_SUPPORTED ? "<not supported>" : "<not counted>";
}

static const char *unit_of(const struct stat_row *row)
{
	return stat_rows__is_clock(row) ? "msec" : row->value.unit ? row->value.unit : "";
}

static double amount_of(const struct stat_row *row)
{
	return row->value.amount / (stat_rows__is_clock(row) ? 1e6 : 1);
}

/* Inserts a comma after each three digits before the point. */
static void group_digits(char *out, size_t room, const char *digits)
{
	size_t whole = strspn(digits, "0123456789"), used = 0;

	for (size_t i = 0; digits[i] && used + 2 < room; i++) {
		if (i && i < whole && (whole - i) % 3 == 0)
			out[used++] = ',';
		out[used++] = digits[i];
	}
	out[used] = '\0';
}

/* The mean of whole numbers is rounded, as perf does. */
static bool is_whole(const struct stat_row *row)
{
	double difference = amount_of(row) - (double)row->value.scaled;

	return !row->value.unit && (row->is_mean ? fabs(difference) <= 0.5 : difference == 0);
}

/* Whole numbers without a point. */
static void value_text(const struct stat_row *row, bool grouped, char *text, size_t room)
{
	char digits[64];

	if (row->value.status != PEAT_COUNTER_COUNTED) {
		snprintf(text, room, "%s", status_text(row->value.status));
		return;
	}
	if (is_whole(row))
		snprintf(digits, sizeof(digits), "%" PRIu64, row->value.scaled);
	else
		snprintf(digits, sizeof(digits), "%.2f", amount_of(row));
	if (grouped)
		group_digits(text, room, digits);
	else
		snprintf(text, room, "%s", digits);
}

/* A rate as perf prints it: 1087.0 is 1.087 K/sec. */
static double shown_metric(const struct stat_metric *metric, char *unit, size_t room)
{
	static const char prefixes[] = " KMGT";
	double number = metric->number;
	unsigned step = 0;

	while (metric->is_rate && number >= 1000 && prefixes[step + 1]) {
		number /= 1000;
		step++;
	}
	snprintf(unit, room, "%.1s%s", step ? &prefixes[step] : "", metric->unit);
	return number;
}

/* ---- places ---------------------------------------------------------------------------------- */

static void core_text(const struct cpu_place *place, char *text, size_t room)
{
	if (place->core < 0)
		snprintf(text, room, "S*-D*-C*");
	else
		snprintf(text, room, "S%d-D%d-C%d", place->socket, place->die, place->core);
}

/* The CPU, core, socket or thread of a row, as perf writes it.  A star: of none. */
static void place_text(const struct stat_row *row, enum stat_by by, char *text, size_t room)
{
	*text = '\0';
	if (by == STAT_BY_CORE)
		core_text(&row->place, text, room);
	else if (by == STAT_BY_CPU && row->value.cpu >= 0)
		snprintf(text, room, "CPU%d", row->value.cpu);
	else if (by == STAT_BY_SOCKET && row->place.socket >= 0)
		snprintf(text, room, "S%d", row->place.socket);
	else if (by == STAT_BY_THREAD && row->comm)
		snprintf(text, room, "%s-%d", row->comm, row->value.tid);
	else if (by != STAT_BY_EVENT)
		snprintf(text, room, "%s*",
			 by == STAT_BY_CPU	? "CPU"
			 : by == STAT_BY_SOCKET ? "S"
						: "");
}

#define PLACE_BYTES 96

static bool has_cpu_count(enum stat_by by)
{
	return by == STAT_BY_CORE || by == STAT_BY_SOCKET;
}

/* ---- text ------------------------------------------------------------------------------------ */

static size_t widest(const struct stat_rows *rows, bool names, size_t least)
{
	for (size_t i = 0; i < rows->count; i++) {
		size_t width = strlen(names ? rows->at[i].value.name : unit_of(&rows->at[i]));

		if (width > least)
			least = width;
	}
	return least;
}

static void metric_text(const struct stat_row *row, char *text, size_t room)
{
	char unit[64];
	double number;

	*text = '\0';
	if (!row->metric.unit)
		return;
	number = shown_metric(&row->metric, unit, sizeof(unit));
	if (row->metric.is_percent)
		snprintf(text, room, "# %8.2f%% %s", number, unit);
	else
		snprintf(text, room, "# %8.3f %s", number, unit);
}

/* The widths of columns. */
struct widths {
	int place, unit, name;
};

static int widest_place(const struct stat_print *print, const struct stat_rows *rows)
{
	size_t most = PLACE_WIDTH;

	for (size_t i = 0; print->by != STAT_BY_EVENT && i < rows->count; i++) {
		char text[PLACE_BYTES];
		size_t columns;

		place_text(&rows->at[i], print->by, text, sizeof(text));
		columns = terminal_text__columns(text);
		most = columns > most ? columns : most;
	}
	return (int)most;
}

static void print_line(const struct stat_print *print, const struct stat_row *row,
		       struct widths widths)
{
	char value[64], metric[96];
	bool is_partial = row->value.running_ns && row->value.running_ns < row->value.enabled_ns;
	bool has_end = is_partial || row->has_deviation;

	value_text(row, true, value, sizeof(value));
	metric_text(row, metric, sizeof(metric));
	terminal_text__print(print->out, "%18s %-*s %-*s", value, widths.unit, unit_of(row),
			     *metric || has_end ? widths.name : 0, row->value.name);
	if (*metric || has_end)
		fprintf(print->out, " %-*s", has_end ? METRIC_WIDTH : 0, metric);
	if (row->has_deviation)
		fprintf(print->out, " ( +-%6.2f%% )", row->deviation_percent);
	if (is_partial)
		fprintf(print->out, " (%.2f%%)", stat_rows__percent(row));
	fputc('\n', print->out);
}

static void print_title(const struct stat_print *print, uint64_t runs)
{
	fputs("\n Performance counter stats for ", print->out);
	terminal_text__put(print->out, print->title, 0);
	if (runs < print->wanted_runs)
		fprintf(print->out, " (%" PRIu64 " of %" PRIu64 " runs)", runs, print->wanted_runs);
	else if (runs > 1)
		fprintf(print->out, " (%" PRIu64 " runs)", runs);
	fputs(":\n\n", print->out);
}

static void print_interval_heading(const struct stat_print *print, int place_width)
{
	static const char *const places[] = {
		[STAT_BY_CPU] = "CPU",
		[STAT_BY_CORE] = "core",
		[STAT_BY_SOCKET] = "socket",
		[STAT_BY_THREAD] = "thread",
	};

	fputs("#           time ", print->out);
	if (print->by != STAT_BY_EVENT)
		fprintf(print->out, "%-*s ", place_width, places[print->by]);
	if (has_cpu_count(print->by))
		fputs("CPUs ", print->out);
	fputs("            counts unit events\n", print->out);
}

static void print_heading(struct stat_print *print, const struct stat_times *times, int place_width)
{
	if (print->has_heading)
		return;
	print->has_heading = true;
	if (print->intervals)
		print_interval_heading(print, place_width);
	else
		print_title(print, times->runs);
}

static void print_place(const struct stat_print *print, const struct stat_row *row, int width)
{
	char text[PLACE_BYTES];

	if (print->by == STAT_BY_EVENT)
		return;
	place_text(row, print->by, text, sizeof(text));
	terminal_text__put(print->out, text, (size_t)width);
	fputc(' ', print->out);
	if (has_cpu_count(print->by))
		fprintf(print->out, "%4u ", row->cpus);
}

static void print_times(const struct stat_print *print, const struct stat_times *times)
{
	fprintf(print->out, "\n%18.9f ", (double)times->elapsed_ns / 1e9);
	if (times->runs > 1)
		fprintf(print->out, "+- %.9f ", times->deviation_s);
	fputs("seconds time elapsed", print->out);
	if (times->runs > 1)
		fprintf(print->out, "  ( +-%6.2f%% )", times->deviation_percent);
	fputc('\n', print->out);
	if (times->has_command)
		fprintf(print->out, "\n%18.9f seconds user\n%18.9f seconds sys\n", times->user_s,
			times->sys_s);
	fputc('\n', print->out);
}

static void print_text(struct stat_print *print, const struct stat_rows *rows,
		       const struct stat_times *times)
{
	const struct widths widths = { widest_place(print, rows),
				       (int)widest(rows, false, UNIT_WIDTH),
				       (int)widest(rows, true, NAME_WIDTH) };

	print_heading(print, times, widths.place);
	for (size_t i = 0; i < rows->count; i++) {
		if (print->intervals)
			fprintf(print->out, "%16.9f ", (double)times->since_ns / 1e9);
		print_place(print, &rows->at[i], widths.place);
		print_line(print, &rows->at[i], widths);
	}
	if (!print->intervals)
		print_times(print, times);
}

/* ---- fields ---------------------------------------------------------------------------------- */

/* Without a star. */
static void print_place_fields(const struct stat_print *print, const struct stat_row *row)
{
	char text[PLACE_BYTES];

	if (print->by == STAT_BY_EVENT)
		return;
	place_text(row, print->by, text, sizeof(text));
	if (!strchr(text, '*') || row->comm)
		terminal_text__put(print->out, text, 0);
	fputs(print->separator, print->out);
	if (has_cpu_count(print->by))
		fprintf(print->out, "%u%s", row->cpus, print->separator);
}

/* The fields and their order are those of perf stat -x. */
static void print_fields(const struct stat_print *print, const struct stat_row *row,
			 const struct stat_times *times)
{
	const char *by = print->separator;
	char value[64], unit[64] = "";
	double metric;

	if (print->intervals)
		fprintf(print->out, "%.9f%s", (double)times->since_ns / 1e9, by);
	print_place_fields(print, row);
	value_text(row, false, value, sizeof(value));
	fprintf(print->out, "%s%s%s%s%s%s", value, by, unit_of(row), by, row->value.name, by);
	if (print->wanted_runs > 1)
		fprintf(print->out, "%.2f%%%s", row->deviation_percent, by);
	fprintf(print->out, "%" PRIu64 "%s%.2f%s", row->value.running_ns, by,
		row->value.status == PEAT_COUNTER_COUNTED ? stat_rows__percent(row) : 100, by);
	if (row->metric.unit) {
		metric = shown_metric(&row->metric, unit, sizeof(unit));
		fprintf(print->out, row->metric.is_percent ? "%.2f" : "%.3f", metric);
	}
	fprintf(print->out, "%s%s\n", by, unit);
}

/* ---- JSON ------------------------------------------------------------------------------------ */

static void print_string(const struct stat_print *print, const char *name, const char *text)
{
	fprintf(print->out, ",\"%s\":", name);
	json_text__print_to(print->out, text);
}

static void print_json_place(const struct stat_print *print, const struct stat_row *row)
{
	if (row->value.cpu >= 0)
		fprintf(print->out, ",\"cpu\":%d", row->value.cpu);
	if (print->by == STAT_BY_CORE && row->place.core >= 0)
		fprintf(print->out, ",\"socket\":%d,\"die\":%d,\"core\":%d", row->place.socket,
			row->place.die, row->place.core);
	if (print->by == STAT_BY_SOCKET && row->place.socket >= 0)
		fprintf(print->out, ",\"socket\":%d", row->place.socket);
	if (has_cpu_count(print->by))
		fprintf(print->out, ",\"cpus\":%u", row->cpus);
	if (!row->comm)
		return;
	fprintf(print->out, ",\"tid\":%d", row->value.tid);
	print_string(print, "comm", row->comm);
}

/* Numbers that are unknown are null. */
static void print_json_number(const struct stat_print *print, const char *name, bool is_known,
			      double number)
{
	if (is_known)
		fprintf(print->out, ",\"%s\":%.15g", name, number);
	else
		fprintf(print->out, ",\"%s\":null", name);
}

static void print_json_deviation(const struct stat_print *print, const struct stat_row *row)
{
	if (!row->is_mean)
		return;
	print_json_number(print, "deviation", row->has_deviation, row->deviation);
	print_json_number(print, "deviation_percent", row->has_deviation, row->deviation_percent);
}

static void print_json_runs(const struct stat_print *print, const struct stat_times *times)
{
	if (!times->runs)
		return;
	fprintf(print->out, ",\"runs\":%" PRIu64, times->runs);
	print_json_number(print, "seconds_deviation", times->runs > 1, times->deviation_s);
	print_json_number(print, "seconds_deviation_percent", times->runs > 1,
			  times->deviation_percent);
}

static void print_json_row(const struct stat_print *print, const struct stat_row *row)
{
	static const char *const statuses[] = { "counted", "not counted", "not supported" };
	const struct peat_counter_value *value = &row->value;

	fputs("{\"event\":", print->out);
	json_text__print_to(print->out, value->name);
	print_json_place(print, row);
	print_string(print, "status", statuses[value->status]);
	if (value->status == PEAT_COUNTER_COUNTED)
		fprintf(print->out,
			",\"count\":%" PRIu64 ",\"scaled\":%" PRIu64 ",\"amount\":%.15g",
			value->value, value->scaled, value->amount);
	else
		fputs(",\"count\":null,\"scaled\":null,\"amount\":null", print->out);
	print_json_deviation(print, row);
	print_string(print, "unit", value->unit);
	fprintf(print->out,
		",\"enabled_ns\":%" PRIu64 ",\"running_ns\":%" PRIu64 ",\"running_percent\":%.2f",
		value->enabled_ns, value->running_ns, stat_rows__percent(row));
	if (value->group != PEAT_COUNTER_NO_GROUP)
		fprintf(print->out, ",\"group\":%u", value->group);
	if (row->metric.unit) {
		fprintf(print->out, ",\"metric\":%.15g", row->metric.number);
		print_string(print, "metric_unit", row->metric.unit);
	}
	fputc('}', print->out);
}

static void print_json(const struct stat_print *print, const struct stat_rows *rows,
		       const struct stat_times *times)
{
	fprintf(print->out, "{\"type\":\"stat\",\"time_ns\":%" PRIu64 ",\"seconds\":%.9f",
		times->now_ns, (double)times->elapsed_ns / 1e9);
	print_json_runs(print, times);
	if (times->has_command)
		fprintf(print->out, ",\"user_seconds\":%.6f,\"sys_seconds\":%.6f", times->user_s,
			times->sys_s);
	fputs(",\"events\":[", print->out);
	for (size_t i = 0; i < rows->count; i++) {
		if (i)
			fputc(',', print->out);
		print_json_row(print, &rows->at[i]);
	}
	fputs("]}\n", print->out);
}

void stat_print__rows(struct stat_print *print, const struct stat_rows *rows,
		      const struct stat_times *times)
{
	if (print->json)
		print_json(print, rows, times);
	else if (!print->separator)
		print_text(print, rows, times);
	for (size_t i = 0; print->separator && i < rows->count; i++)
		print_fields(print, &rows->at[i], times);
	fflush(print->out);
}

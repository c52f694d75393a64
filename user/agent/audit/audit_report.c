// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* audit/audit_report.c: prints an audit as text and as JSON. */
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include <peat/text.h>

#include "audit/audit.h"
#include "base/errors.h"
#include "base/json_value.h"

/* Gaps that the text names; JSON has all of them. */
#define GAPS_IN_TEXT 8

static char *finish(struct strbuf *out)
{
	strbuf__char(out, '\0');
	if (!out->failed)
		return out->bytes;
	strbuf__free(out);
	return fail_null(-ENOMEM);
}

/* The i-th range of numbers that are missing below the greatest.  False: there is none. */
static bool read_gap(const struct ranges *numbers, size_t *i, uint64_t *next, struct range *gap)
{
	for (; *i < numbers->count; (*i)++) {
		const struct range *range = &numbers->ranges[*i];
		uint64_t first = *next;

		*next = range->last + 1;
		if (range->first == first)
			continue;
		*gap = (struct range){ first, range->first - 1 };
		(*i)++;
		return true;
	}
	return false;
}

/* ---- text ------------------------------------------------------------------------------------ */

__attribute__((format(printf, 2, 3))) static void print(struct strbuf *out, const char *format, ...)
{
	char line[512];
	va_list args;

	va_start(args, format);
	vsnprintf(line, sizeof(line), format, args);
	va_end(args);
	strbuf__text(out, line);
}

/* Hosts choose their names: nothing that a terminal obeys. */
static void print_name(struct strbuf *out, const char *name)
{
	char escaped[4 * PIECE_NAME_MAX + 1];

	peat_text__escape(escaped, sizeof(escaped), name, strlen(name));
	strbuf__text(out, escaped);
}

static void print_date(struct strbuf *out, uint64_t ns)
{
	time_t second = (time_t)(ns / 1000000000);
	char date[32];
	struct tm tm;

	if (gmtime_r(&second, &tm) && strftime(date, sizeof(date), "%Y-%m-%dT%H:%M:%SZ", &tm))
		strbuf__text(out, date);
	else
		strbuf__unsigned(out, ns);
}

static void print_gaps(struct strbuf *out, const struct ranges *numbers)
{
	struct range gap;
	uint64_t next = 1;
	size_t i = 0;

	for (unsigned n = 0; read_gap(numbers, &i, &next, &gap); n++) {
		if (n == GAPS_IN_TEXT) {
			strbuf__text(out, ", ...");
			return;
		}
		print(out, "%s%llu", n ? ", " : ": ", (unsigned long long)gap.first);
		if (gap.last != gap.first)
			print(out, "-%llu", (unsigned long long)gap.last);
	}
}

static void print_arrived(struct strbuf *out, const struct audit_row *row,
			  const struct audit_sums *sums)
{
	print_name(out, row->host);
	strbuf__char(out, ' ');
	print_name(out, row->source);
	strbuf__text(out, ", run of ");
	print_date(out, row->run);
	print(out, ": %llu", (unsigned long long)sums->arrived);
	if (sums->has_ledger && row->delivered >= sums->arrived && row->delivered)
		print(out, " of %llu", (unsigned long long)row->delivered);
	print(out, " events arrived, in %llu pieces", (unsigned long long)row->pieces);
	if (row->points)
		print(out, ", %llu measurements", (unsigned long long)row->points);
	if (row->repeated)
		print(out, ", %llu of them again", (unsigned long long)row->repeated);
	if (sums->gaps) {
		print(out, ", %llu are missing", (unsigned long long)sums->gaps);
		print_gaps(out, &row->numbers);
	}
	strbuf__char(out, '\n');
}

static void print_losses(struct strbuf *out, const struct audit_row *row,
			 const struct audit_sums *sums)
{
	const struct {
		const char *text;
		uint64_t events;
	} places[] = {
		{ "dropped by the queue or the spool of the agent", sums->dropped },
		{ "refused by the server", sums->refused },
		{ "acknowledged by the server, and lost in the stream", sums->lost_in_stream },
		{ "missing, and lost nowhere that the agent knows of", sums->unexplained },
		{ "waiting in the agent", sums->waiting },
	};
	bool any = sums->lost;

	if (sums->lost)
		print(out, "  %llu lost before the agent read them",
		      (unsigned long long)sums->lost);
	for (uint32_t i = 0; i < row->cause_count; i++)
		if (row->causes[i].events) {
			strbuf__text(out, " (");
			print_name(out, row->causes[i].name);
			print(out, " %llu)", (unsigned long long)row->causes[i].events);
		}
	strbuf__text(out, sums->lost ? "\n" : "");
	for (size_t i = 0; i < sizeof(places) / sizeof(*places); i++)
		if (places[i].events) {
			print(out, "  %llu %s\n", (unsigned long long)places[i].events,
			      places[i].text);
			any = true;
		}
	if (!any)
		strbuf__text(out, "  complete: the ledger of the agent agrees\n");
}

static void print_row(struct strbuf *out, const struct audit *audit, const struct audit_row *row)
{
	struct audit_sums sums;

	audit__sum(audit, row, &sums);
	print_arrived(out, row, &sums);
	if (sums.has_ledger)
		print_losses(out, row, &sums);
	else if (row->flow_count)
		strbuf__text(out,
			     "  the agent has several outputs: name the one that leads here\n");
	else if (sums.arrived)
		strbuf__text(out, "  the agent sent no ledger: events after the last one that "
				  "arrived may be missing\n");
}

static void print_others(struct strbuf *out, const struct audit_others *others)
{
	if (others->misnamed)
		print(out, "%llu pieces refused: their subject is of another host or source\n",
		      (unsigned long long)others->misnamed);
	if (others->left_out)
		print(out, "%llu pieces not in this audit: too many hosts, runs, sources or gaps\n",
		      (unsigned long long)others->left_out);
}

char *audit__text(const struct audit *audit)
{
	const struct audit_row *row = NULL;
	struct strbuf out = { 0 };

	while ((row = audit__next(audit, row)))
		print_row(&out, audit, row);
	print_others(&out, audit__others(audit));
	return finish(&out);
}

/* ---- JSON ------------------------------------------------------------------------------------ */

static void put_name(struct strbuf *out, const char *before, const char *name)
{
	strbuf__text(out, before);
	json_value__name(out, name);
	strbuf__char(out, ':');
}

static void put_text(struct strbuf *out, const char *before, const char *name, const char *text)
{
	put_name(out, before, name);
	json_value__string(out, text, strlen(text));
}

static void put_number(struct strbuf *out, const char *name, uint64_t number)
{
	put_name(out, ",", name);
	strbuf__unsigned(out, number);
}

static void put_gaps(struct strbuf *out, const struct ranges *numbers)
{
	struct range gap;
	uint64_t next = 1;
	size_t i = 0;
	bool any = false;

	strbuf__text(out, ",\"gaps\":[");
	while (read_gap(numbers, &i, &next, &gap)) {
		strbuf__text(out, any ? ",[" : "[");
		strbuf__unsigned(out, gap.first);
		strbuf__char(out, ',');
		strbuf__unsigned(out, gap.last);
		strbuf__char(out, ']');
		any = true;
	}
	strbuf__char(out, ']');
}

static void put_ledger(struct strbuf *out, const struct audit_row *row,
		       const struct audit_sums *sums)
{
	put_number(out, "delivered", row->delivered);
	put_number(out, "lost", sums->lost);
	strbuf__text(out, ",\"causes\":{");
	for (uint32_t i = 0; i < row->cause_count; i++) {
		put_name(out, i ? "," : "", row->causes[i].name);
		strbuf__unsigned(out, row->causes[i].events);
	}
	strbuf__char(out, '}');
	put_number(out, "dropped", sums->dropped);
	put_number(out, "refused", sums->refused);
	put_number(out, "waiting", sums->waiting);
	put_number(out, "lost_in_stream", sums->lost_in_stream);
	put_number(out, "unexplained", sums->unexplained);
}

static void put_row(struct strbuf *out, const struct audit *audit, const struct audit_row *row)
{
	struct audit_sums sums;

	audit__sum(audit, row, &sums);
	put_text(out, "{", "host", row->host);
	put_text(out, ",", "source", row->source);
	put_number(out, "run", row->run);
	put_number(out, "events", sums.arrived);
	put_number(out, "points", row->points);
	put_number(out, "pieces", row->pieces);
	put_number(out, "repeated", row->repeated);
	put_number(out, "missing", sums.gaps);
	put_gaps(out, &row->numbers);
	strbuf__text(out, sums.has_ledger ? ",\"ledger\":true" : ",\"ledger\":false");
	if (sums.has_ledger)
		put_ledger(out, row, &sums);
	strbuf__text(out, "}\n");
}

static void put_others(struct strbuf *out, const struct audit_others *others)
{
	if (!others->misnamed && !others->left_out)
		return;
	strbuf__text(out, "{\"pieces_refused\":");
	strbuf__unsigned(out, others->misnamed);
	put_number(out, "pieces_left_out", others->left_out);
	strbuf__text(out, "}\n");
}

char *audit__json(const struct audit *audit)
{
	const struct audit_row *row = NULL;
	struct strbuf out = { 0 };

	while ((row = audit__next(audit, row)))
		put_row(&out, audit, row);
	put_others(&out, audit__others(audit));
	return finish(&out);
}

// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* audit/audit_report.c: prints an audit as text and as JSON. */
#include <stdio.h>
#include <string.h>
#include <time.h>

#include <peat/text.h>

#include "audit/audit.h"
#include "base/emit.h"

/* Gaps that the text names; JSON has all of them. */
#define GAPS_IN_TEXT 8

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

/* Escapes the name, which a host chose, for a terminal. */
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
		strbuf__print(out, "%s%llu", n ? ", " : ": ", (unsigned long long)gap.first);
		if (gap.last != gap.first)
			strbuf__print(out, "-%llu", (unsigned long long)gap.last);
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
	strbuf__print(out, ": %llu", (unsigned long long)sums->arrived);
	if (sums->has_ledger && row->delivered >= sums->arrived && row->delivered)
		strbuf__print(out, " of %llu", (unsigned long long)row->delivered);
	strbuf__print(out, " events arrived, in %llu pieces", (unsigned long long)row->pieces);
	if (row->points)
		strbuf__print(out, ", %llu measurements", (unsigned long long)row->points);
	if (row->repeated)
		strbuf__print(out, ", %llu of them again", (unsigned long long)row->repeated);
	if (sums->gaps) {
		strbuf__print(out, ", %llu are missing", (unsigned long long)sums->gaps);
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
		strbuf__print(out, "  %llu lost before the agent read them",
			      (unsigned long long)sums->lost);
	for (uint32_t i = 0; i < row->cause_count; i++)
		if (row->causes[i].events) {
			strbuf__text(out, " (");
			print_name(out, row->causes[i].name);
			strbuf__print(out, " %llu)", (unsigned long long)row->causes[i].events);
		}
	strbuf__text(out, sums->lost ? "\n" : "");
	for (size_t i = 0; i < sizeof(places) / sizeof(*places); i++)
		if (places[i].events) {
			strbuf__print(out, "  %llu %s\n", (unsigned long long)places[i].events,
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
		strbuf__print(out,
			      "%llu pieces refused: their subject is of another host or source\n",
			      (unsigned long long)others->misnamed);
	if (others->left_out)
		strbuf__print(
			out,
			"%llu pieces not in this audit: too many hosts, runs, sources or gaps\n",
			(unsigned long long)others->left_out);
}

char *audit__text(const struct audit *audit)
{
	const struct audit_row *row = NULL;
	struct strbuf out = { 0 };

	while ((row = audit__next(audit, row)))
		print_row(&out, audit, row);
	print_others(&out, audit__others(audit));
	return strbuf__string(&out);
}

/* ---- JSON ------------------------------------------------------------------------------------ */

static void emit_gaps(struct emit *emit, const struct ranges *numbers)
{
	struct range gap;
	uint64_t next = 1;
	size_t i = 0;

	emit__begin(emit, "gaps", true);
	while (read_gap(numbers, &i, &next, &gap)) {
		emit__begin(emit, NULL, true);
		emit__unsigned(emit, NULL, gap.first);
		emit__unsigned(emit, NULL, gap.last);
		emit__end(emit, true);
	}
	emit__end(emit, true);
}

static void emit_ledger(struct emit *emit, const struct audit_row *row,
			const struct audit_sums *sums)
{
	emit__unsigned(emit, "delivered", row->delivered);
	emit__unsigned(emit, "lost", sums->lost);
	emit__begin(emit, "causes", false);
	for (uint32_t i = 0; i < row->cause_count; i++)
		emit__unsigned(emit, row->causes[i].name, row->causes[i].events);
	emit__end(emit, false);
	emit__unsigned(emit, "dropped", sums->dropped);
	emit__unsigned(emit, "refused", sums->refused);
	emit__unsigned(emit, "waiting", sums->waiting);
	emit__unsigned(emit, "lost_in_stream", sums->lost_in_stream);
	emit__unsigned(emit, "unexplained", sums->unexplained);
}

static void emit_row(struct emit *emit, const struct audit *audit, const struct audit_row *row)
{
	struct audit_sums sums;

	audit__sum(audit, row, &sums);
	emit__begin(emit, NULL, false);
	emit__text(emit, "host", row->host);
	emit__text(emit, "source", row->source);
	emit__unsigned(emit, "run", row->run);
	emit__unsigned(emit, "events", sums.arrived);
	emit__unsigned(emit, "points", row->points);
	emit__unsigned(emit, "pieces", row->pieces);
	emit__unsigned(emit, "repeated", row->repeated);
	emit__unsigned(emit, "missing", sums.gaps);
	emit_gaps(emit, &row->numbers);
	emit__bool(emit, "ledger", sums.has_ledger);
	if (sums.has_ledger)
		emit_ledger(emit, row, &sums);
	emit__end(emit, false);
	strbuf__char(emit->out, '\n');
}

static void emit_others(struct emit *emit, const struct audit_others *others)
{
	if (!others->misnamed && !others->left_out)
		return;
	emit__begin(emit, NULL, false);
	emit__unsigned(emit, "pieces_refused", others->misnamed);
	emit__unsigned(emit, "pieces_left_out", others->left_out);
	emit__end(emit, false);
	strbuf__char(emit->out, '\n');
}

char *audit__json(const struct audit *audit)
{
	const struct audit_row *row = NULL;
	struct strbuf out = { 0 };
	struct emit emit = emit__json(&out);

	while ((row = audit__next(audit, row)))
		emit_row(&emit, audit, row);
	emit_others(&emit, audit__others(audit));
	return strbuf__string(&out);
}

// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* ledger/ledger_alerts.c: finds troubles of sources and outputs, and makes alerts of them. */
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include <peat/text.h>

#include "base/monotonic.h"
#include "base/strbuf.h"
#include "batch/own_alert.h"
#include "ledger/agent_ledger.h"
#include "ledger/causes.h"

struct look {
	struct peat_batch *alerts;
	uint64_t now_ns, interval_ns;
};

/* False: no memory or no room; the next look finds the trouble again. */
__attribute__((format(printf, 5, 6))) static bool send(struct look *look, const char *kind,
						       const char *name, uint64_t count,
						       const char *format, ...)
{
	struct own_alert alert = { .count = count };
	char text[300];
	va_list args;

	va_start(args, format);
	vsnprintf(text, sizeof(text), format, args);
	va_end(args);
	snprintf(alert.kind, sizeof(alert.kind), "%s", kind);
	snprintf(alert.name, sizeof(alert.name), "%s", name);
	peat_text__escape(alert.message, sizeof(alert.message), text, strlen(text));
	return !own_alert__add(look->alerts, &alert);
}

static bool is_due(const struct look *look, uint64_t last_ns)
{
	return !last_ns || look->now_ns >= last_ns + look->interval_ns;
}

/* ---- losses ---------------------------------------------------------------------------------- */

/* ": ring_full 10, nested 2", as many as there is room for. */
static void list_causes(const struct cause causes[CAUSES], const uint64_t before[CAUSES],
			char *text, size_t room)
{
	size_t count = 0;

	*text = '\0';
	for (int i = 0; i < CAUSES && count < room; i++)
		if (causes[i].events > before[i])
			count += (size_t)snprintf(
				text + count, room - count, "%s%s %llu", count ? ", " : ": ",
				causes[i].name, (unsigned long long)(causes[i].events - before[i]));
}

/* The causes are read at another moment than counts->lost: their sum fits to the message. */
static uint64_t count_lost(const struct source_counts *counts, const struct cause causes[CAUSES])
{
	uint64_t lost = 0;

	if (!counts->has_ledger)
		return counts->lost;
	for (int i = 0; i < CAUSES; i++)
		lost += causes[i].events;
	return lost;
}

static void look_at_losses(struct look *look, struct source_row *row,
			   const struct source_counts *counts)
{
	struct alerted *alerted = &row->alerted;
	struct cause causes[CAUSES];
	uint64_t all, lost;
	char text[160];

	causes__read(counts, causes);
	all = count_lost(counts, causes);
	lost = all > alerted->lost ? all - alerted->lost : 0;
	if (!lost || !is_due(look, alerted->lost_ns))
		return;
	list_causes(causes, alerted->causes, text, sizeof(text));
	if (!send(look, "lost", row->name, lost, "source %s: %llu event%s lost%s", row->name,
		  (unsigned long long)lost, lost == 1 ? " was" : "s were", text))
		return;
	alerted->lost_ns = look->now_ns;
	alerted->lost = all;
	for (int i = 0; i < CAUSES; i++)
		alerted->causes[i] = causes[i].events;
}

static void look_at_drops(struct look *look, struct flow_row *row)
{
	const struct flow_counts counts = flow__read(&row->flow);
	uint64_t dropped = counts.dropped - row->alerted_dropped;

	if (!dropped || !is_due(look, row->alerted_ns))
		return;
	if (!send(look, "dropped", row->output, dropped, "output %s: %llu event%s of %s %s dropped",
		  row->output, (unsigned long long)dropped, dropped == 1 ? "" : "s", row->source,
		  dropped == 1 ? "was" : "were"))
		return;
	row->alerted_ns = look->now_ns;
	row->alerted_dropped = counts.dropped;
}

/* ---- health ---------------------------------------------------------------------------------- */

/* An end of trouble is due at once, if its start was sent. */
static void look_at_health(struct look *look, struct alerted *alerted, const char *name,
			   const char *what, const char *why)
{
	if (*why && !alerted->is_failing && is_due(look, alerted->failed_ns)) {
		alerted->is_failing = send(look, "failing", name, 0, "%s", why);
		alerted->failed_ns = alerted->is_failing ? look->now_ns : alerted->failed_ns;
	} else if (!*why && alerted->is_failing) {
		alerted->is_failing =
			!send(look, "working", name, 0, "%s %s works again", what, name);
	}
}

static void look_at_source(struct look *look, struct source_row *row)
{
	struct source_counts counts;
	char why[256] = "";
	uint64_t triggers;

	agent_ledger__read_source(row, &counts);
	look_at_losses(look, row, &counts);
	triggers = counts.triggers - row->alerted.triggers;
	if (triggers && send(look, "triggered", row->name, triggers,
			     "flight recorder %s: triggered %llu time%s", row->name,
			     (unsigned long long)triggers, triggers == 1 ? "" : "s"))
		row->alerted.triggers = counts.triggers;
	if (!row->pipeline)
		row->alerted.is_failing = false;
	else if (pipeline__is_healthy(row->pipeline, why, sizeof(why)))
		*why = '\0';
	look_at_health(look, &row->alerted, row->name, "pipeline", why);
}

static void look_at_output(struct look *look, struct output_row *row)
{
	char why[256] = "";

	if (!row->worker)
		row->alerted.is_failing = false;
	else if (worker__is_healthy(row->worker, why, sizeof(why)))
		*why = '\0';
	look_at_health(look, &row->alerted, row->name, "output", why);
}

void agent_ledger__add_alerts(struct agent_ledger *ledger, const char *own, uint64_t interval_ns,
			      struct peat_batch *alerts)
{
	struct look look = { alerts, monotonic_ns(), interval_ns };

	for (size_t i = 0; i < ledger->source_count; i++)
		look_at_source(&look, &ledger->sources[i]);
	for (size_t i = 0; i < ledger->output_count; i++)
		look_at_output(&look, &ledger->outputs[i]);
	for (size_t i = 0; i < ledger->flow_count; i++)
		if (strcmp(ledger->flows[i]->source, own) != 0)
			look_at_drops(&look, ledger->flows[i]);
}

int agent_ledger__add_refusal(const char *why, struct peat_batch *alerts)
{
	struct look look = { .alerts = alerts };

	return send(&look, "reload", "", 0,
		    "the configuration was not loaded, everything runs as before: %s", why)
		       ? 0
		       : -ENOMEM;
}

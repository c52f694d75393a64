// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* ledger/ledger_status.c: the ledger as text and as JSON. */
#include <stdarg.h>
#include <stdio.h>
#include <time.h>

#include "base/errors.h"
#include "base/json_value.h"
#include "base/strbuf.h"
#include "ledger/agent_ledger.h"
#include "ledger/causes.h"

static char *finish(struct strbuf *text)
{
	strbuf__char(text, '\0');
	if (!text->failed)
		return text->bytes;
	strbuf__free(text);
	return fail_null(-ENOMEM);
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

static void print_source(struct strbuf *out, const struct source_row *row)
{
	struct source_counts counts;
	struct cause causes[CAUSES];

	agent_ledger__read_source(row, &counts);
	causes__read(&counts, causes);
	print(out, "source %s:", row->name);
	if (counts.has_ledger)
		print(out, " emitted %llu", (unsigned long long)counts.ledger.emitted);
	print(out, " delivered %llu lost %llu", (unsigned long long)counts.delivered,
	      (unsigned long long)(counts.lost + counts.agent_died));
	for (int i = 0; i < CAUSES; i++)
		if (causes[i].events)
			print(out, " (%s%s %llu)", causes[i].name,
			      i == CAUSE_AGENT_DIED ? " at most" : "",
			      (unsigned long long)causes[i].events);
	if (counts.ledger.filtered)
		print(out, " filtered %llu", (unsigned long long)counts.ledger.filtered);
	if (counts.ledger.counted)
		print(out, " counted %llu", (unsigned long long)counts.ledger.counted);
	if (counts.ledger.overwritten)
		print(out, " overwritten %llu", (unsigned long long)counts.ledger.overwritten);
	if (counts.handed_over)
		print(out, " handed over %llu", (unsigned long long)counts.handed_over);
	if (counts.skipped)
		print(out, " skipped runs %llu", (unsigned long long)counts.skipped);
	print(out, "%s\n", row->pipeline ? "" : " (ended)");
}

static void print_flow(struct strbuf *out, const struct flow_row *row)
{
	const struct flow_counts counts = flow__read(&row->flow);

	print(out,
	      "%s to %s: offered %llu acknowledged %llu waiting %llu dropped %llu refused %llu",
	      row->source, row->output, (unsigned long long)counts.offered,
	      (unsigned long long)counts.acknowledged, (unsigned long long)counts.waiting,
	      (unsigned long long)counts.dropped, (unsigned long long)counts.refused);
	if (counts.spooled)
		print(out, " spooled %llu", (unsigned long long)counts.spooled);
	if (counts.agent_died)
		print(out, " agent_died at most %llu", (unsigned long long)counts.agent_died);
	strbuf__char(out, '\n');
}

static void print_spool(struct strbuf *out, const struct worker_counts *counts)
{
	const struct spool_counts *spool = &counts->spool;

	print(out, ", spool %llu of %llu bytes", (unsigned long long)spool->bytes,
	      (unsigned long long)spool->most_bytes);
	if (spool->damaged_bytes)
		print(out, " (%llu bytes damaged, %llu events lost)",
		      (unsigned long long)spool->damaged_bytes, (unsigned long long)spool->lost);
	if (counts->spool_err == -EAGAIN)
		print(out, ", spool full");
	else if (counts->spool_err)
		print(out, ", spool error: %s", strerror(-counts->spool_err));
}

static void print_output(struct strbuf *out, const struct output_row *row)
{
	struct worker_counts counts;

	if (!row->worker)
		return;
	worker__read_counts(row->worker, &counts);
	print(out, "output %s: queue %llu of %llu bytes", row->name,
	      (unsigned long long)counts.queue.bytes, (unsigned long long)counts.queue.most_bytes);
	if (counts.spool.most_bytes)
		print_spool(out, &counts);
	print(out, "%s%s%s\n", counts.is_failing ? ", failing" : "",
	      *counts.why ? ", last refusal: " : "", counts.why);
}

static void print_agents(struct strbuf *out, const struct agent_ledger *ledger)
{
	time_t start = (time_t)(ledger->start_ns / 1000000000);
	char since[32];
	struct tm tm;

	if (!gmtime_r(&start, &tm) || !strftime(since, sizeof(since), "%FT%TZ", &tm))
		return;
	print(out, "counts of %llu agents since %s\n", (unsigned long long)ledger->agents, since);
}

char *agent_ledger__text(const struct agent_ledger *ledger)
{
	struct strbuf out = { 0 };

	if (ledger->agents > 1)
		print_agents(&out, ledger);
	for (size_t i = 0; i < ledger->source_count; i++)
		print_source(&out, &ledger->sources[i]);
	for (size_t i = 0; i < ledger->flow_count; i++)
		print_flow(&out, ledger->flows[i]);
	for (size_t i = 0; i < ledger->output_count; i++)
		print_output(&out, &ledger->outputs[i]);
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

static void put_source(struct strbuf *out, const struct source_row *row)
{
	struct source_counts counts;
	struct cause causes[CAUSES];

	agent_ledger__read_source(row, &counts);
	causes__read(&counts, causes);
	put_text(out, "{", "source", row->name);
	strbuf__text(out, row->pipeline ? ",\"runs\":true" : ",\"runs\":false");
	if (counts.has_ledger)
		put_number(out, "emitted", counts.ledger.emitted);
	put_number(out, "delivered", counts.delivered);
	put_number(out, "lost", counts.lost + counts.agent_died);
	strbuf__text(out, ",\"causes\":{");
	for (int i = 0; i < CAUSES; i++) {
		put_name(out, i ? "," : "", causes[i].name);
		strbuf__unsigned(out, causes[i].events);
	}
	strbuf__char(out, '}');
	if (counts.has_ledger)
		put_number(out, "in_rings",
			   counts.ledger.held + counts.ledger.staged + counts.ledger.in_ring);
	put_number(out, "filtered", counts.ledger.filtered);
	put_number(out, "counted", counts.ledger.counted);
	put_number(out, "overwritten", counts.ledger.overwritten);
	put_number(out, "handed_over", counts.handed_over);
	put_number(out, "offered", counts.offered);
	put_number(out, "skipped", counts.skipped);
	strbuf__char(out, '}');
}

static void put_flow(struct strbuf *out, const struct flow_row *row)
{
	const struct flow_counts counts = flow__read(&row->flow);

	put_text(out, "{", "source", row->source);
	put_text(out, ",", "output", row->output);
	put_number(out, "offered", counts.offered);
	put_number(out, "dropped", counts.dropped);
	put_number(out, "waiting", counts.waiting);
	put_number(out, "spooled", counts.spooled);
	put_number(out, "acknowledged", counts.acknowledged);
	put_number(out, "refused", counts.refused);
	put_number(out, "agent_died", counts.agent_died);
	strbuf__char(out, '}');
}

static void put_spool(struct strbuf *out, const struct spool_counts *spool)
{
	put_number(out, "spool_bytes", spool->bytes);
	put_number(out, "spool_limit", spool->most_bytes);
	put_number(out, "spool_segments", spool->segments);
	put_number(out, "spool_damaged_bytes", spool->damaged_bytes);
	put_number(out, "spool_lost", spool->lost);
	put_number(out, "spool_errors", spool->errors);
}

static void put_output(struct strbuf *out, const struct output_row *row)
{
	struct worker_counts counts = { 0 };

	if (row->worker)
		worker__read_counts(row->worker, &counts);
	put_text(out, "{", "output", row->name);
	strbuf__text(out, row->worker ? ",\"runs\":true" : ",\"runs\":false");
	strbuf__text(out, counts.is_failing ? ",\"failing\":true" : ",\"failing\":false");
	put_number(out, "queue_bytes", counts.queue.bytes);
	put_number(out, "queue_limit", counts.queue.most_bytes);
	put_number(out, "blocked_ns", counts.queue.blocked_ns);
	if (counts.spool.most_bytes)
		put_spool(out, &counts.spool);
	put_text(out, ",", "why", counts.why);
	strbuf__char(out, '}');
}

char *agent_ledger__json(const struct agent_ledger *ledger)
{
	struct strbuf out = { 0 };

	strbuf__text(&out, "{\"start_ns\":");
	strbuf__unsigned(&out, ledger->start_ns);
	put_number(&out, "agents", ledger->agents ?: 1);
	strbuf__text(&out, ",\"sources\":[");
	for (size_t i = 0; i < ledger->source_count; i++) {
		strbuf__text(&out, i ? "," : "");
		put_source(&out, &ledger->sources[i]);
	}
	strbuf__text(&out, "],\"flows\":[");
	for (size_t i = 0; i < ledger->flow_count; i++) {
		strbuf__text(&out, i ? "," : "");
		put_flow(&out, ledger->flows[i]);
	}
	strbuf__text(&out, "],\"outputs\":[");
	for (size_t i = 0; i < ledger->output_count; i++) {
		strbuf__text(&out, i ? "," : "");
		put_output(&out, &ledger->outputs[i]);
	}
	strbuf__text(&out, "]}");
	return finish(&out);
}

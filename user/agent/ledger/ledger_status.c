// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* ledger/ledger_status.c: the ledger as text and as JSON. */
#include <errno.h>
#include <string.h>
#include <time.h>

#include "base/emit.h"
#include "base/strbuf.h"
#include "ledger/agent_ledger.h"
#include "ledger/causes.h"

/* ---- text ------------------------------------------------------------------------------------ */

static void print_source(struct strbuf *out, const struct source_row *row)
{
	struct source_counts counts;
	struct cause causes[CAUSES];

	agent_ledger__read_source(row, &counts);
	causes__read(&counts, causes);
	strbuf__print(out, "source %s:", row->name);
	if (counts.has_ledger)
		strbuf__print(out, " emitted %llu", (unsigned long long)counts.ledger.emitted);
	strbuf__print(out, " delivered %llu lost %llu", (unsigned long long)counts.delivered,
		      (unsigned long long)(counts.lost + counts.agent_died));
	for (int i = 0; i < CAUSES; i++)
		if (causes[i].events)
			strbuf__print(out, " (%s%s %llu)", causes[i].name,
				      i == CAUSE_AGENT_DIED ? " at most" : "",
				      (unsigned long long)causes[i].events);
	if (counts.ledger.filtered)
		strbuf__print(out, " filtered %llu", (unsigned long long)counts.ledger.filtered);
	if (counts.ledger.counted)
		strbuf__print(out, " counted %llu", (unsigned long long)counts.ledger.counted);
	if (counts.ledger.overwritten)
		strbuf__print(out, " overwritten %llu",
			      (unsigned long long)counts.ledger.overwritten);
	if (counts.handed_over)
		strbuf__print(out, " handed over %llu", (unsigned long long)counts.handed_over);
	if (counts.skipped)
		strbuf__print(out, " skipped runs %llu", (unsigned long long)counts.skipped);
	strbuf__print(out, "%s\n", row->pipeline ? "" : " (ended)");
}

static void print_flow(struct strbuf *out, const struct flow_row *row)
{
	const struct flow_counts counts = flow__read(&row->flow);

	strbuf__print(
		out,
		"%s to %s: offered %llu acknowledged %llu waiting %llu dropped %llu refused %llu",
		row->source, row->output, (unsigned long long)counts.offered,
		(unsigned long long)counts.acknowledged, (unsigned long long)counts.waiting,
		(unsigned long long)counts.dropped, (unsigned long long)counts.refused);
	if (counts.spooled)
		strbuf__print(out, " spooled %llu", (unsigned long long)counts.spooled);
	if (counts.agent_died)
		strbuf__print(out, " agent_died at most %llu",
			      (unsigned long long)counts.agent_died);
	strbuf__char(out, '\n');
}

static void print_spool(struct strbuf *out, const struct worker_counts *counts)
{
	const struct spool_counts *spool = &counts->spool;

	strbuf__print(out, ", spool %llu of %llu bytes", (unsigned long long)spool->bytes,
		      (unsigned long long)spool->most_bytes);
	if (spool->damaged_bytes)
		strbuf__print(out, " (%llu bytes damaged, %llu events lost)",
			      (unsigned long long)spool->damaged_bytes,
			      (unsigned long long)spool->lost);
	if (counts->spool_err == -EAGAIN)
		strbuf__print(out, ", spool full");
	else if (counts->spool_err)
		strbuf__print(out, ", spool error: %s", strerror(-counts->spool_err));
}

static void print_output(struct strbuf *out, const struct output_row *row)
{
	struct worker_counts counts;

	if (!row->worker)
		return;
	worker__read_counts(row->worker, &counts);
	strbuf__print(out, "output %s: queue %llu of %llu bytes", row->name,
		      (unsigned long long)counts.queue.bytes,
		      (unsigned long long)counts.queue.most_bytes);
	if (counts.spool.most_bytes)
		print_spool(out, &counts);
	strbuf__print(out, "%s%s%s\n", counts.is_failing ? ", failing" : "",
		      *counts.why ? ", last refusal: " : "", counts.why);
}

static void print_agents(struct strbuf *out, const struct agent_ledger *ledger)
{
	time_t start = (time_t)(ledger->start_ns / 1000000000);
	char since[32];
	struct tm tm;

	if (!gmtime_r(&start, &tm) || !strftime(since, sizeof(since), "%FT%TZ", &tm))
		return;
	strbuf__print(out, "counts of %llu agents since %s\n", (unsigned long long)ledger->agents,
		      since);
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
	return strbuf__string(&out);
}

/* ---- JSON ------------------------------------------------------------------------------------ */

static void emit_source(struct emit *emit, const struct source_row *row)
{
	struct source_counts counts;
	struct cause causes[CAUSES];

	agent_ledger__read_source(row, &counts);
	causes__read(&counts, causes);
	emit__begin(emit, NULL, false);
	emit__text(emit, "source", row->name);
	emit__bool(emit, "runs", row->pipeline);
	if (counts.has_ledger)
		emit__unsigned(emit, "emitted", counts.ledger.emitted);
	emit__unsigned(emit, "delivered", counts.delivered);
	emit__unsigned(emit, "lost", counts.lost + counts.agent_died);
	emit__begin(emit, "causes", false);
	for (int i = 0; i < CAUSES; i++)
		emit__unsigned(emit, causes[i].name, causes[i].events);
	emit__end(emit, false);
	if (counts.has_ledger)
		emit__unsigned(emit, "in_rings",
			       counts.ledger.held + counts.ledger.staged + counts.ledger.in_ring);
	emit__unsigned(emit, "filtered", counts.ledger.filtered);
	emit__unsigned(emit, "counted", counts.ledger.counted);
	emit__unsigned(emit, "overwritten", counts.ledger.overwritten);
	emit__unsigned(emit, "handed_over", counts.handed_over);
	emit__unsigned(emit, "offered", counts.offered);
	emit__unsigned(emit, "skipped", counts.skipped);
	emit__end(emit, false);
}

static void emit_flow(struct emit *emit, const struct flow_row *row)
{
	const struct flow_counts counts = flow__read(&row->flow);

	emit__begin(emit, NULL, false);
	emit__text(emit, "source", row->source);
	emit__text(emit, "output", row->output);
	emit__unsigned(emit, "offered", counts.offered);
	emit__unsigned(emit, "dropped", counts.dropped);
	emit__unsigned(emit, "waiting", counts.waiting);
	emit__unsigned(emit, "spooled", counts.spooled);
	emit__unsigned(emit, "acknowledged", counts.acknowledged);
	emit__unsigned(emit, "refused", counts.refused);
	emit__unsigned(emit, "agent_died", counts.agent_died);
	emit__end(emit, false);
}

static void emit_spool(struct emit *emit, const struct spool_counts *spool)
{
	emit__unsigned(emit, "spool_bytes", spool->bytes);
	emit__unsigned(emit, "spool_limit", spool->most_bytes);
	emit__unsigned(emit, "spool_segments", spool->segments);
	emit__unsigned(emit, "spool_damaged_bytes", spool->damaged_bytes);
	emit__unsigned(emit, "spool_lost", spool->lost);
	emit__unsigned(emit, "spool_errors", spool->errors);
}

static void emit_output(struct emit *emit, const struct output_row *row)
{
	struct worker_counts counts = { 0 };

	if (row->worker)
		worker__read_counts(row->worker, &counts);
	emit__begin(emit, NULL, false);
	emit__text(emit, "output", row->name);
	emit__bool(emit, "runs", row->worker);
	emit__bool(emit, "failing", counts.is_failing);
	emit__unsigned(emit, "queue_bytes", counts.queue.bytes);
	emit__unsigned(emit, "queue_limit", counts.queue.most_bytes);
	emit__unsigned(emit, "blocked_ns", counts.queue.blocked_ns);
	if (counts.spool.most_bytes)
		emit_spool(emit, &counts.spool);
	emit__text(emit, "why", counts.why);
	emit__end(emit, false);
}

char *agent_ledger__json(const struct agent_ledger *ledger)
{
	struct strbuf out = { 0 };
	struct emit emit = emit__json(&out);

	emit__begin(&emit, NULL, false);
	emit__unsigned(&emit, "start_ns", ledger->start_ns);
	emit__unsigned(&emit, "agents", ledger->agents ?: 1);
	emit__begin(&emit, "sources", true);
	for (size_t i = 0; i < ledger->source_count; i++)
		emit_source(&emit, &ledger->sources[i]);
	emit__end(&emit, true);
	emit__begin(&emit, "flows", true);
	for (size_t i = 0; i < ledger->flow_count; i++)
		emit_flow(&emit, ledger->flows[i]);
	emit__end(&emit, true);
	emit__begin(&emit, "outputs", true);
	for (size_t i = 0; i < ledger->output_count; i++)
		emit_output(&emit, &ledger->outputs[i]);
	emit__end(&emit, true);
	emit__end(&emit, false);
	return strbuf__string(&out);
}

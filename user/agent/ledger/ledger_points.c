// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* ledger/ledger_points.c: the ledger as points. */
#include <errno.h>
#include <time.h>

#include "ledger/agent_ledger.h"
#include "ledger/causes.h"

/* Points that are being added. */
struct adding {
	struct peat_batch *points;
	uint64_t start_ns, now_ns;
	int err; /* the first one */
};

static void add(struct adding *adding, struct peat_point point, const struct peat_label *labels,
		uint32_t label_count)
{
	int err;

	point.sz = sizeof(point);
	point.labels = labels;
	point.label_count = label_count;
	point.start_ns = adding->start_ns;
	point.time_ns = adding->now_ns;
	err = peat_batch__add_point(adding->points, &point);
	adding->err = adding->err ?: err;
}

static void add_count(struct adding *adding, const char *name, const char *doc, uint64_t count,
		      const struct peat_label *labels, uint32_t label_count)
{
	add(adding,
	    (struct peat_point){ .kind = PEAT_POINT_COUNTER,
				 .name = name,
				 .unit = "{event}",
				 .doc = doc,
				 .count = count },
	    labels, label_count);
}

static void add_gauge(struct adding *adding, const char *name, const char *unit, const char *doc,
		      uint64_t value, const struct peat_label *labels, uint32_t label_count)
{
	add(adding,
	    (struct peat_point){ .kind = PEAT_POINT_GAUGE,
				 .name = name,
				 .unit = unit,
				 .doc = doc,
				 .value = (double)value },
	    labels, label_count);
}

static void add_losses(struct adding *adding, const struct source_row *row,
		       const struct source_counts *counts)
{
	struct cause causes[CAUSES];

	causes__read(counts, causes);
	for (int i = 0; counts->has_ledger && i < CAUSES; i++) {
		const struct peat_label labels[] = { { "source", row->name },
						     { "cause", causes[i].name } };

		add_count(adding, "peat.source.lost", "events lost before they were read",
			  causes[i].events, labels, 2);
	}
	if (!counts->has_ledger) {
		const struct peat_label labels[] = { { "source", row->name },
						     { "cause", "ring_full" } };

		add_count(adding, "peat.source.lost", "events lost before they were read",
			  counts->lost, labels, 2);
	}
}

static void add_programs(struct adding *adding, const struct source_row *row)
{
	struct peat_program_stats stats = { .sz = sizeof(stats) };

	for (uint32_t i = 0; row->pipeline && pipeline__program(row->pipeline, i, &stats) > 0;
	     i++) {
		const struct peat_label labels[] = { { "source", row->name },
						     { "program", stats.name } };

		add(adding,
		    (struct peat_point){ .kind = PEAT_POINT_COUNTER,
					 .name = "peat.program.misses",
					 .unit = "{run}",
					 .doc = "runs of a program that the kernel skipped",
					 .count = stats.misses },
		    labels, 2);
		if (!stats.runs)
			continue;
		add(adding,
		    (struct peat_point){ .kind = PEAT_POINT_COUNTER,
					 .name = "peat.program.runs",
					 .unit = "{run}",
					 .doc = "runs of a program",
					 .count = stats.runs },
		    labels, 2);
		add(adding,
		    (struct peat_point){ .kind = PEAT_POINT_COUNTER,
					 .name = "peat.program.time",
					 .unit = "ns",
					 .doc = "time in which a program ran",
					 .count = stats.run_ns },
		    labels, 2);
	}
}

static void add_source(struct adding *adding, const struct source_row *row)
{
	const struct peat_label label = { "source", row->name };
	struct source_counts counts;

	agent_ledger__read_source(row, &counts);
	if (counts.has_ledger)
		add_count(adding, "peat.source.emitted", "events that programs emitted",
			  counts.ledger.emitted, &label, 1);
	add_losses(adding, row, &counts);
	add_count(adding, "peat.source.filtered", "events that an expression left out",
		  counts.ledger.filtered, &label, 1);
	add_count(adding, "peat.source.overwritten",
		  "events that a flight recorder kept, and no trigger asked for",
		  counts.ledger.overwritten, &label, 1);
	add_count(adding, "peat.source.counted", "events counted in a table", counts.ledger.counted,
		  &label, 1);
	add_count(adding, "peat.source.delivered", "events read", counts.delivered, &label, 1);
	add_count(adding, "peat.source.skipped", "runs of programs that the kernel skipped",
		  counts.skipped, &label, 1);
	add_programs(adding, row);
}

static void add_flow(struct adding *adding, const struct flow_row *row)
{
	const struct peat_label labels[] = { { "source", row->source }, { "output", row->output } };
	const struct flow_counts counts = flow__read(&row->flow);

	add_count(adding, "peat.output.offered", "events and points offered to an output",
		  counts.offered, labels, 2);
	add_count(adding, "peat.output.dropped", "those that its queue or spool dropped",
		  counts.dropped, labels, 2);
	add_count(adding, "peat.output.acknowledged", "those that arrived", counts.acknowledged,
		  labels, 2);
	add_count(adding, "peat.output.agent_died",
		  "at most, those that waited when an agent was killed", counts.agent_died, labels,
		  2);
	add_count(adding, "peat.output.refused", "those that the output or a server refused",
		  counts.refused, labels, 2);
	add_count(adding, "peat.output.former.offered", "those that a former agent left",
		  atomic_load(&row->flow.former.offered), labels, 2);
	add_count(adding, "peat.output.former.dropped", "those of a former agent that were dropped",
		  atomic_load(&row->flow.former.dropped), labels, 2);
	add_count(adding, "peat.output.former.acknowledged", "those of a former agent that arrived",
		  atomic_load(&row->flow.former.acknowledged), labels, 2);
	add_count(adding, "peat.output.former.refused", "those of a former agent that were refused",
		  atomic_load(&row->flow.former.refused), labels, 2);
	add_gauge(adding, "peat.output.spooled", "{event}", "those that are in its spool",
		  counts.spooled, labels, 2);
}

static void add_spool(struct adding *adding, const struct spool_counts *counts,
		      const struct peat_label *label)
{
	add_gauge(adding, "peat.spool.bytes", "By", "disk space of a spool", counts->bytes, label,
		  1);
	add_gauge(adding, "peat.spool.limit", "By", "the most of that disk space",
		  counts->most_bytes, label, 1);
	add(adding,
	    (struct peat_point){ .kind = PEAT_POINT_COUNTER,
				 .name = "peat.spool.damaged",
				 .unit = "By",
				 .doc = "bytes of a spool that were no whole batch",
				 .count = counts->damaged_bytes },
	    label, 1);
	add_count(adding, "peat.spool.lost", "events and points that these bytes are known to be",
		  counts->lost, label, 1);
	add(adding,
	    (struct peat_point){ .kind = PEAT_POINT_COUNTER,
				 .name = "peat.spool.errors",
				 .unit = "{error}",
				 .doc = "failed writes and reads of a spool",
				 .count = counts->errors },
	    label, 1);
}

static void add_output(struct adding *adding, const struct output_row *row)
{
	const struct peat_label label = { "output", row->name };
	struct worker_counts counts;

	if (!row->worker)
		return;
	worker__read_counts(row->worker, &counts);
	add_gauge(adding, "peat.queue.bytes", "By", "memory of batches that are not acknowledged",
		  counts.queue.bytes, &label, 1);
	add_gauge(adding, "peat.queue.limit", "By", "the most of that memory",
		  counts.queue.most_bytes, &label, 1);
	add_gauge(adding, "peat.output.failing", NULL, "1: the output does not work",
		  counts.is_failing, &label, 1);
	add(adding,
	    (struct peat_point){ .kind = PEAT_POINT_COUNTER,
				 .name = "peat.queue.blocked",
				 .unit = "ns",
				 .doc = "time in which sources waited for room",
				 .count = counts.queue.blocked_ns },
	    &label, 1);
	if (counts.spool.most_bytes)
		add_spool(adding, &counts.spool, &label);
}

int agent_ledger__collect(const struct agent_ledger *ledger, struct peat_batch *points)
{
	struct adding adding = { .points = points, .start_ns = ledger->start_ns };
	struct timespec now;

	clock_gettime(CLOCK_REALTIME, &now);
	adding.now_ns = (uint64_t)now.tv_sec * 1000000000 + (uint64_t)now.tv_nsec;
	for (size_t i = 0; i < ledger->source_count; i++)
		add_source(&adding, &ledger->sources[i]);
	for (size_t i = 0; i < ledger->flow_count; i++)
		add_flow(&adding, ledger->flows[i]);
	for (size_t i = 0; i < ledger->output_count; i++)
		add_output(&adding, &ledger->outputs[i]);
	return adding.err;
}

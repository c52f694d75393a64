/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * ledger/agent_ledger.h: one ledger, from programs to acknowledgements:
 *
 *	emitted = lost + filtered + counted + overwritten + delivered + what is in the rings
 *		+ lost with agents that were killed
 *	delivered = handed over + offered to each output
 *	offered = dropped + waiting + spooled + acknowledged + refused
 *		+ lost with agents that were killed
 *
 * Sources and outputs keep their rows when they end, or begin again.
 */
#ifndef PEAT_LEDGER_AGENT_LEDGER_H
#define PEAT_LEDGER_AGENT_LEDGER_H

#include "ledger/causes.h"
#include "pipeline/pipeline.h"
#include "queue/flow.h"
#include "worker/worker.h"

/* The state of a source or an output of which alerts were made. */
struct alerted {
	bool is_failing;
	uint64_t failed_ns, lost_ns; /* times of these alerts; 0: none */
	uint64_t lost, causes[CAUSES], triggers;
};

/* A source: a pipeline's name. */
struct source_row {
	char *name;
	struct pipeline *pipeline;  /* NULL: it does not run */
	struct source_counts ended; /* of its pipelines that have ended */
	bool has_run;
	struct alerted alerted;
};

/* The events that a pipeline offers to an output. */
struct flow_row {
	char *source, *output;
	bool is_spooled; /* a spool has events of it, also if the source does not run */
	struct flow flow;
	uint64_t alerted_ns, alerted_dropped;
};

struct output_row {
	char *name;
	struct worker *worker; /* NULL: it does not run */
	bool has_run;
	struct alerted alerted;
};

struct agent_ledger {
	struct source_row *sources;
	struct flow_row **flows; /* each stays where it is */
	struct output_row *outputs;
	size_t source_count, flow_count, output_count;
	uint64_t start_ns; /* of the first agent that has counted, since 1970 */
	uint64_t agents;   /* that have counted, with this one; 0: the counts are not kept */
};

/* Find a row, or make it.  NULL and errno: ENOMEM. */
struct source_row *agent_ledger__source(struct agent_ledger *ledger, const char *name);
struct output_row *agent_ledger__output(struct agent_ledger *ledger, const char *name);
struct flow *agent_ledger__flow(struct agent_ledger *ledger, const char *source,
				const char *output);

/*
 * The same for events that a former agent left in a spool: the row stays.  It is made only if
 * `makes`; NULL: there is none.
 */
struct flow *agent_ledger__spooled_flow(struct agent_ledger *ledger, const char *source,
					const char *output, bool makes);

/* The counts of a source, with its pipelines that have ended. */
void agent_ledger__read_source(const struct source_row *row, struct source_counts *counts);

/* The pipeline of the row has ended: keeps its counts.  It is to be freed by the caller. */
void agent_ledger__end_source(struct source_row *row);

/* Removes the rows of sources and outputs that have never run. */
void agent_ledger__remove_unused(struct agent_ledger *ledger);

/* 0 or -ENOMEM. */
int agent_ledger__collect(const struct agent_ledger *ledger, struct peat_batch *points);

/*
 * Adds alerts about troubles since the last call: losses, dropped events and new failures at most
 * once an interval for each source, flow and output.  Dropped alerts of the source `own` are not
 * counted.  Trouble that finds no memory is found again by the next call.
 */
void agent_ledger__add_alerts(struct agent_ledger *ledger, const char *own, uint64_t interval_ns,
			      struct peat_batch *alerts);

/* Adds the alert that a configuration was not loaded.  0 or a negative errno. */
int agent_ledger__add_refusal(const char *why, struct peat_batch *alerts);

/* To be freed.  NULL and errno: ENOMEM. */
char *agent_ledger__text(const struct agent_ledger *ledger);
char *agent_ledger__json(const struct agent_ledger *ledger);

void agent_ledger__free(struct agent_ledger *ledger);

#endif /* PEAT_LEDGER_AGENT_LEDGER_H */

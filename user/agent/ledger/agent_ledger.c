// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* ledger/agent_ledger.c: keeps the rows of sources, outputs, and what passes between them. */
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/errors.h"
#include "ledger/agent_ledger.h"

struct source_row *agent_ledger__source(struct agent_ledger *ledger, const char *name)
{
	struct source_row row = { 0 };

	for (size_t i = 0; i < ledger->source_count; i++)
		if (!strcmp(ledger->sources[i].name, name))
			return &ledger->sources[i];
	if (!ARRAY_RESERVE_NEXT(ledger->sources, ledger->source_count))
		return fail_null(-ENOMEM);
	row.name = strdup(name);
	if (!row.name)
		return fail_null(-ENOMEM);
	ledger->sources[ledger->source_count] = row;
	return &ledger->sources[ledger->source_count++];
}

struct output_row *agent_ledger__output(struct agent_ledger *ledger, const char *name)
{
	struct output_row row = { 0 };

	for (size_t i = 0; i < ledger->output_count; i++)
		if (!strcmp(ledger->outputs[i].name, name))
			return &ledger->outputs[i];
	if (!ARRAY_RESERVE_NEXT(ledger->outputs, ledger->output_count))
		return fail_null(-ENOMEM);
	row.name = strdup(name);
	if (!row.name)
		return fail_null(-ENOMEM);
	ledger->outputs[ledger->output_count] = row;
	return &ledger->outputs[ledger->output_count++];
}

static struct flow_row *new_flow(const char *source, const char *output)
{
	struct flow_row *row = calloc(1, sizeof(*row));

	if (!row)
		return NULL;
	row->source = strdup(source);
	row->output = strdup(output);
	if (row->source && row->output)
		return row;
	free(row->source);
	free(row->output);
	free(row);
	return NULL;
}

static struct flow_row *find_flow(const struct agent_ledger *ledger, const char *source,
				  const char *output)
{
	for (size_t i = 0; i < ledger->flow_count; i++)
		if (!strcmp(ledger->flows[i]->source, source) &&
		    !strcmp(ledger->flows[i]->output, output))
			return ledger->flows[i];
	return NULL;
}

static struct flow_row *get_flow(struct agent_ledger *ledger, const char *source,
				 const char *output)
{
	struct flow_row *row = find_flow(ledger, source, output);

	if (row)
		return row;
	if (!ARRAY_RESERVE_NEXT(ledger->flows, ledger->flow_count))
		return fail_null(-ENOMEM);
	row = new_flow(source, output);
	if (!row)
		return fail_null(-ENOMEM);
	ledger->flows[ledger->flow_count++] = row;
	return row;
}

struct flow *agent_ledger__flow(struct agent_ledger *ledger, const char *source, const char *output)
{
	struct flow_row *row = get_flow(ledger, source, output);

	return row ? &row->flow : NULL;
}

struct flow *agent_ledger__spooled_flow(struct agent_ledger *ledger, const char *source,
					const char *output, bool makes)
{
	struct flow_row *row =
		makes ? get_flow(ledger, source, output) : find_flow(ledger, source, output);

	if (!row)
		return NULL;
	row->is_spooled = true;
	return &row->flow;
}

/* ---- counts of sources ----------------------------------------------------------------------- */

void agent_ledger__read_source(const struct source_row *row, struct source_counts *counts)
{
	*counts = row->ended;
	counts->ledger.sz = sizeof(counts->ledger);
	if (row->pipeline) {
		struct source_counts now;

		pipeline__read_counts(row->pipeline, &now);
		source_counts__add(counts, &now);
	}
}

void agent_ledger__end_source(struct source_row *row)
{
	struct source_counts sum;

	agent_ledger__read_source(row, &sum);
	row->ended = sum;
	row->pipeline = NULL;
}

static void free_flow(struct flow_row *row)
{
	free(row->source);
	free(row->output);
	free(row);
}

static bool has_source_run(const struct agent_ledger *ledger, const char *name)
{
	for (size_t i = 0; i < ledger->source_count; i++)
		if (!strcmp(ledger->sources[i].name, name))
			return ledger->sources[i].has_run;
	return false;
}

void agent_ledger__remove_unused(struct agent_ledger *ledger)
{
	size_t kept = 0;

	for (size_t i = 0; i < ledger->flow_count; i++)
		if (ledger->flows[i]->is_spooled ||
		    has_source_run(ledger, ledger->flows[i]->source))
			ledger->flows[kept++] = ledger->flows[i];
		else
			free_flow(ledger->flows[i]);
	ledger->flow_count = kept;
	kept = 0;
	for (size_t i = 0; i < ledger->source_count; i++)
		if (ledger->sources[i].has_run)
			ledger->sources[kept++] = ledger->sources[i];
		else
			free(ledger->sources[i].name);
	ledger->source_count = kept;
	kept = 0;
	for (size_t i = 0; i < ledger->output_count; i++)
		if (ledger->outputs[i].has_run)
			ledger->outputs[kept++] = ledger->outputs[i];
		else
			free(ledger->outputs[i].name);
	ledger->output_count = kept;
}

void agent_ledger__free(struct agent_ledger *ledger)
{
	for (size_t i = 0; i < ledger->source_count; i++)
		free(ledger->sources[i].name);
	for (size_t i = 0; i < ledger->output_count; i++)
		free(ledger->outputs[i].name);
	for (size_t i = 0; i < ledger->flow_count; i++)
		free_flow(ledger->flows[i]);
	free(ledger->sources);
	free(ledger->outputs);
	free(ledger->flows);
}

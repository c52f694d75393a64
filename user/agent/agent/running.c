// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* agent/running.c: starts and stops single pipelines and outputs. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "agent/keeper.h"
#include "agent/running.h"
#include "base/errors.h"
#include "base/log.h"
#include "session/run_times.h"

/* ---- configurations -------------------------------------------------------------------------- */

struct config *running__read_config(const struct peat_agent_opts *opts)
{
	struct config *config = calloc(1, sizeof(*config));
	int err = config ? config__read(config, opts->paths, opts->outputs) : -ENOMEM;

	if (err) {
		free(config);
		return fail_null(err);
	}
	config->references = 1;
	return config;
}

void running__unref_config(struct config *config)
{
	if (!config || --config->references)
		return;
	config__free(config);
	free(config);
}

/* ---- run times of programs ------------------------------------------------------------------- */

/*
 * The agent's, not a session's: a program that starts an agent gives up CAP_SYS_ADMIN, and each
 * session that a reload makes would need it.
 */
void running__measure(struct peat_agent *agent, const struct config *config)
{
	for (size_t i = 0; agent->measure_fd < 0 && i < config->pipeline_count; i++) {
		const struct config_pipeline *pipeline = &config->pipelines[i];

		if (!pipeline->measure)
			continue;
		agent->measure_fd = run_times__enable();
		if (agent->measure_fd < 0)
			log__warn("pipeline %s: cannot measure its programs: %s%s",
				  pipeline->section->name, strerror(-agent->measure_fd),
				  agent->measure_fd == -EPERM
					  ? ": this needs CAP_SYS_ADMIN when the agent starts; "
					    "peat-agent gives it up then: start it again"
					  : "");
		return;
	}
}

/* ---- questions of other threads -------------------------------------------------------------- */

int running__collect(void *arg, struct peat_batch *points)
{
	struct peat_agent *agent = arg;
	int err;

	pthread_mutex_lock(&agent->lock);
	err = agent_ledger__collect(&agent->ledger, points);
	pthread_mutex_unlock(&agent->lock);
	return err;
}

void running__add_alerts(void *arg, uint64_t interval_ms, struct peat_batch *alerts)
{
	struct peat_agent *agent = arg;

	pthread_mutex_lock(&agent->lock);
	agent_ledger__add_alerts(&agent->ledger, "agent", interval_ms * UINT64_C(1000000), alerts);
	if (*agent->refusal && !agent_ledger__add_refusal(agent->refusal, alerts))
		*agent->refusal = '\0';
	pthread_mutex_unlock(&agent->lock);
}

static bool are_rows_healthy(const struct agent_ledger *ledger, char *why, size_t room)
{
	for (size_t i = 0; i < ledger->source_count; i++)
		if (ledger->sources[i].pipeline &&
		    !pipeline__is_healthy(ledger->sources[i].pipeline, why, room))
			return false;
	for (size_t i = 0; i < ledger->output_count; i++)
		if (ledger->outputs[i].worker &&
		    !worker__is_healthy(ledger->outputs[i].worker, why, room))
			return false;
	return true;
}

bool running__is_healthy(void *arg, char *why, size_t room)
{
	struct peat_agent *agent = arg;
	bool is;

	pthread_mutex_lock(&agent->lock);
	is = are_rows_healthy(&agent->ledger, why, room);
	pthread_mutex_unlock(&agent->lock);
	return is;
}

/* An output finds events of former agents in its spool. */
static struct flow *find_flow(void *arg, const char *source, const char *output, bool makes)
{
	struct peat_agent *agent = arg;
	struct flow *flow;

	pthread_mutex_lock(&agent->lock);
	flow = agent_ledger__spooled_flow(&agent->ledger, source, output, makes);
	pthread_mutex_unlock(&agent->lock);
	return flow;
}

/* ---- rows ------------------------------------------------------------------------------------ */

/* The rows of all names, so that nothing fails later. */
int running__make_rows(struct peat_agent *agent, const struct config *config)
{
	bool are_made = true;

	pthread_mutex_lock(&agent->lock);
	for (size_t i = 0; are_made && i < config->output_count; i++)
		are_made = agent_ledger__output(&agent->ledger, config->outputs[i].section->name);
	for (size_t i = 0; are_made && i < config->pipeline_count; i++) {
		const struct config_pipeline *pipeline = &config->pipelines[i];
		const char *name = pipeline->section->name;

		are_made = agent_ledger__source(&agent->ledger, name);
		for (size_t j = 0; are_made && j < pipeline->outputs.count; j++)
			are_made =
				agent_ledger__flow(&agent->ledger, name, pipeline->outputs.at[j]);
	}
	pthread_mutex_unlock(&agent->lock);
	return are_made ? 0 : -ENOMEM;
}

struct source_row *running__source(struct peat_agent *agent, const char *name)
{
	return agent_ledger__source(&agent->ledger, name);
}

struct output_row *running__output(struct peat_agent *agent, const char *name)
{
	return agent_ledger__output(&agent->ledger, name);
}

void running__set_pipeline(struct peat_agent *agent, const char *name, struct pipeline *pipeline)
{
	struct source_row *row = running__source(agent, name);

	pthread_mutex_lock(&agent->lock);
	if (row->pipeline)
		agent_ledger__end_source(row);
	row->pipeline = pipeline;
	row->has_run = true;
	if (pipeline && pipeline__is_adopted(pipeline))
		keeper__continue(agent, row);
	pthread_mutex_unlock(&agent->lock);
}

static void set_worker(struct peat_agent *agent, const char *name, struct worker *worker)
{
	struct output_row *row = running__output(agent, name);

	pthread_mutex_lock(&agent->lock);
	row->worker = worker;
	row->has_run = true;
	pthread_mutex_unlock(&agent->lock);
}

/* ---- outputs --------------------------------------------------------------------------------- */

static struct worker_asks asks_of(struct peat_agent *agent)
{
	return (struct worker_asks){ .collect = running__collect,
				     .healthy = running__is_healthy,
				     .flow = find_flow,
				     .settled = keeper__hurry,
				     .arg = agent,
				     .run = agent->run };
}

int running__start_output(struct peat_agent *agent, const struct config_output *config)
{
	const struct worker_asks asks = asks_of(agent);
	struct worker *worker;

	if (config->is_direct)
		return 0;
	worker = worker__new(config, &asks);
	if (!worker) {
		int err = -errno;

		log__error("%s:%u:%u: output %s: cannot open it: %s", config->section->file,
			   config->section->line, config->section->column, config->section->name,
			   strerror(-err));
		return err;
	}
	set_worker(agent, config->section->name, worker);
	return 0;
}

void running__stop_output(struct peat_agent *agent, const char *name, uint64_t drain_ms)
{
	struct worker *worker = running__output(agent, name)->worker;

	if (!worker)
		return;
	worker__stop(worker, drain_ms);
	set_worker(agent, name, NULL);
	worker__free(worker);
}

/* ---- pipelines ------------------------------------------------------------------------------- */

/* Outputs may add rows meanwhile. */
static struct flow *flow_of(struct peat_agent *agent, const char *source, const char *output)
{
	struct flow *flow;

	pthread_mutex_lock(&agent->lock);
	flow = agent_ledger__flow(&agent->ledger, source, output);
	pthread_mutex_unlock(&agent->lock);
	return flow;
}

int running__set_targets(struct peat_agent *agent, struct pipeline *pipeline,
			 const struct config_pipeline *config)
{
	struct target targets[CONFIG_OUTPUTS_MAX];
	const char *name = config->section->name;

	for (size_t i = 0; i < config->outputs.count; i++) {
		const char *output = config->outputs.at[i];
		struct worker *worker = running__output(agent, output)->worker;

		targets[i] = (struct target){
			.queue = worker ? worker__queue(worker) : NULL,
			.output = &config->config
					   ->outputs[config__find_output(config->config, output)],
			.flow = flow_of(agent, name, output),
		};
	}
	return pipeline__set_targets(pipeline, targets, config->outputs.count);
}

struct pipeline *running__new_pipeline(struct peat_agent *agent,
				       const struct config_pipeline *config)
{
	struct pipeline *pipeline = pipeline__new(config, &agent->env);

	if (pipeline)
		config->config->references++;
	return pipeline;
}

void running__free_pipeline(struct pipeline *pipeline)
{
	struct config *config = pipeline__config(pipeline)->config;

	pipeline__free(pipeline);
	running__unref_config(config);
}

void running__remove_pipeline(struct pipeline *pipeline)
{
	if (!pipeline__is_adopted(pipeline))
		pipeline__end_programs(pipeline);
	running__free_pipeline(pipeline);
}

int running__start_pipeline(struct peat_agent *agent, const struct config_pipeline *config)
{
	struct pipeline *pipeline = running__new_pipeline(agent, config);
	int err = pipeline ? running__set_targets(agent, pipeline, config) : -errno;

	if (err && pipeline)
		running__remove_pipeline(pipeline);
	if (err)
		return err;
	pipeline__run(pipeline);
	running__set_pipeline(agent, config->section->name, pipeline);
	return 0;
}

/* Its counts stay in the ledger. */
void running__stop_pipeline(struct peat_agent *agent, const char *name, bool ends_programs)
{
	struct source_row *row = running__source(agent, name);
	struct pipeline *pipeline = row->pipeline;

	if (!pipeline)
		return;
	if (ends_programs)
		pipeline__end_programs(pipeline);
	pipeline__stop(pipeline, agent->config->agent.drain_ms);
	keeper__note(agent, row, ends_programs);
	running__set_pipeline(agent, name, NULL);
	running__free_pipeline(pipeline);
}

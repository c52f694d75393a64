// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * agent/reload.c: replaces what has other settings in a new configuration.
 *
 * Whatever can fail is done first, and undone if something fails: new outputs are opened, new
 * pipelines are loaded and attached, and have their threads.  Then pipelines change places:
 * pipeline/handover.h.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "agent/running.h"
#include "base/errors.h"
#include "base/log.h"

/* The pipelines that are to replace others, by the number of their configuration; NULL: none. */
struct reload {
	struct peat_agent *agent;
	struct config *config;
	struct pipeline **fresh;
	size_t outputs_done;
	char why[256]; /* the part that failed; "": all of it */
};

static const struct config_output *former_output(const struct reload *reload, const char *name)
{
	const struct config *config = reload->agent->config;
	int at = config__find_output(config, name);

	return at < 0 ? NULL : &config->outputs[at];
}

/* ---- outputs --------------------------------------------------------------------------------- */

static int change_output(struct reload *reload, const struct config_output *output)
{
	const char *name = output->section->name;
	struct worker *worker = running__output(reload->agent, name)->worker;
	int err;

	if (!worker)
		return running__start_output(reload->agent, output);
	if (output->is_direct) {
		log__error("%s:%u:%u: output %s: a recording cannot take the place of another "
			   "output: give it another name",
			   output->section->file, output->section->line, output->section->column,
			   name);
		return -EINVAL;
	}
	if (!strcmp(worker__config(worker)->text, output->text))
		return 0;
	err = worker__reopen(worker, output, reload->config->agent.drain_ms);
	if (err)
		log__error("%s:%u:%u: output %s: cannot open it: %s", output->section->file,
			   output->section->line, output->section->column, name, strerror(-err));
	return err;
}

/* Gives the output its former configuration back. */
static void restore_output(struct reload *reload, const struct config_output *output)
{
	const char *name = output->section->name;
	const struct config_output *former = former_output(reload, name);
	struct worker *worker = running__output(reload->agent, name)->worker;

	if (!former)
		running__stop_output(reload->agent, name, 0);
	else if (worker && worker__config(worker) != former &&
		 worker__reopen(worker, former, reload->agent->config->agent.drain_ms))
		log__error("output %s: cannot open it again with its former settings", name);
}

static int change_outputs(struct reload *reload)
{
	int err = 0;

	for (; !err && reload->outputs_done < reload->config->output_count;
	     reload->outputs_done++) {
		const struct config_output *output = &reload->config->outputs[reload->outputs_done];

		err = change_output(reload, output);
		if (err)
			snprintf(reload->why, sizeof(reload->why), "output %s: cannot open it: %s",
				 output->section->name, strerror(-err));
	}
	return err;
}

/* Outputs that stay have equal settings: they use those of the new configuration from now on. */
static void keep_outputs(struct reload *reload)
{
	for (size_t i = 0; i < reload->config->output_count; i++) {
		const struct config_output *output = &reload->config->outputs[i];

		if (!output->is_direct)
			worker__keep(running__output(reload->agent, output->section->name)->worker,
				     output);
	}
}

static void end_outputs(struct reload *reload)
{
	const struct config *former = reload->agent->config;

	for (size_t i = 0; i < former->output_count; i++) {
		const char *name = former->outputs[i].section->name;

		if (config__find_output(reload->config, name) < 0)
			running__stop_output(reload->agent, name, former->agent.drain_ms);
	}
}

/* ---- pipelines ------------------------------------------------------------------------------- */

/* The pipeline of this name that runs with these settings; NULL: none. */
static struct pipeline *same_pipeline(struct reload *reload, const struct config_pipeline *config)
{
	struct pipeline *pipeline = running__source(reload->agent, config->section->name)->pipeline;

	return pipeline && !strcmp(pipeline__config(pipeline)->text, config->text) ? pipeline
										   : NULL;
}

static int load_pipelines(struct reload *reload)
{
	for (size_t i = 0; i < reload->config->pipeline_count; i++) {
		const struct config_pipeline *config = &reload->config->pipelines[i];

		if (same_pipeline(reload, config))
			continue;
		reload->fresh[i] = running__new_pipeline(reload->agent, config);
		if (!reload->fresh[i]) {
			int err = -errno;

			snprintf(reload->why, sizeof(reload->why), "pipeline %s: cannot start: %s",
				 config->section->name, strerror(-err));
			return err;
		}
	}
	return 0;
}

static void unload_pipelines(struct reload *reload)
{
	for (size_t i = 0; i < reload->config->pipeline_count; i++) {
		const char *name = reload->config->pipelines[i].section->name;
		struct pipeline *former = running__source(reload->agent, name)->pipeline;

		if (!reload->fresh[i])
			continue;
		running__remove_pipeline(reload->fresh[i]);
		if (former)
			pipeline__pin_again(former);
	}
}

static void replace(struct reload *reload, const char *name, struct pipeline *fresh)
{
	struct pipeline *former = running__source(reload->agent, name)->pipeline;

	if (former) {
		pipeline__end_programs(former);
		pipeline__replace(former, fresh, reload->config->agent.drain_ms);
	}
	running__set_pipeline(reload->agent, name, fresh);
	if (former)
		running__free_pipeline(former);
	pipeline__run(fresh);
}

static int set_all_targets(struct reload *reload)
{
	int err = 0;

	for (size_t i = 0; !err && i < reload->config->pipeline_count; i++) {
		const struct config_pipeline *config = &reload->config->pipelines[i];
		struct pipeline *pipeline = reload->fresh[i] ?: same_pipeline(reload, config);

		err = running__set_targets(reload->agent, pipeline, config);
	}
	return err;
}

static bool has_pipeline(const struct config *config, const char *name)
{
	for (size_t i = 0; i < config->pipeline_count; i++)
		if (!strcmp(config->pipelines[i].section->name, name))
			return true;
	return false;
}

static void change_pipelines(struct reload *reload)
{
	struct peat_agent *agent = reload->agent;

	for (size_t i = 0; i < reload->config->pipeline_count; i++)
		if (reload->fresh[i])
			replace(reload, reload->config->pipelines[i].section->name,
				reload->fresh[i]);
	for (size_t i = 0; i < agent->config->pipeline_count; i++) {
		const char *name = agent->config->pipelines[i].section->name;

		if (!has_pipeline(reload->config, name))
			running__stop_pipeline(agent, name, true);
	}
}

/* ---- all ------------------------------------------------------------------------------------- */

static void undo(struct reload *reload)
{
	unload_pipelines(reload);
	while (reload->outputs_done--)
		restore_output(reload, &reload->config->outputs[reload->outputs_done]);
	pthread_mutex_lock(&reload->agent->lock);
	agent_ledger__remove_unused(&reload->agent->ledger);
	pthread_mutex_unlock(&reload->agent->lock);
	running__unref_config(reload->config);
}

static void commit(struct reload *reload)
{
	struct config *former = reload->agent->config;

	change_pipelines(reload);
	keep_outputs(reload);
	end_outputs(reload);
	reload->agent->config = reload->config;
	running__unref_config(former);
}

/* The agent's alerts are about what failed; the log has more. */
static void keep_refusal(const struct reload *reload, int err)
{
	struct peat_agent *agent = reload->agent;

	pthread_mutex_lock(&agent->lock);
	snprintf(agent->refusal, sizeof(agent->refusal), "%s",
		 *reload->why ? reload->why : strerror(-err));
	pthread_mutex_unlock(&agent->lock);
}

int peat_agent__reload(struct peat_agent *agent)
{
	struct reload reload = { .agent = agent, .config = running__read_config(&agent->opts) };
	int err;

	if (!reload.config) {
		err = -errno;
		keep_refusal(&reload, err);
		return fail(err);
	}
	reload.fresh = calloc(reload.config->pipeline_count + 1, sizeof(struct pipeline *));
	err = reload.fresh ? running__make_rows(agent, reload.config) : -ENOMEM;
	err = err ?: change_outputs(&reload) ?: load_pipelines(&reload) ?: set_all_targets(&reload);
	if (err) {
		keep_refusal(&reload, err);
		undo(&reload);
	} else {
		commit(&reload);
		running__measure(agent, agent->config);
	}
	free(reload.fresh);
	return err ? fail(err) : 0;
}

// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* agent/agent.c: starts and stops all that a configuration names. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include <peat/agent.h>

#include "agent/keeper.h"
#include "agent/running.h"
#include "base/errors.h"
#include "base/log.h"
#include "base/monotonic.h"
#include "base/opts.h"
#include "sys/tracefs.h"

/* ---- questions ------------------------------------------------------------------------------- */

bool peat_agent__is_healthy(struct peat_agent *agent, char *why, size_t room)
{
	return running__is_healthy(agent, why, room);
}

char *peat_agent__status(struct peat_agent *agent, bool json)
{
	char *text;

	pthread_mutex_lock(&agent->lock);
	text = json ? agent_ledger__json(&agent->ledger) : agent_ledger__text(&agent->ledger);
	pthread_mutex_unlock(&agent->lock);
	return text;
}

const char *peat_agent__socket(const struct peat_agent *agent)
{
	return agent->config->agent.socket;
}

/* Whether a former agent has pinned programs. */
static bool has_former_pins(const char *path)
{
	struct state former;
	bool has = false;

	if (!path || state_file__read(&former, path)) /* the start reports errors */
		return false;
	for (size_t i = 0; i < former.source_count; i++)
		has = has || former.sources[i].pin;
	state__free(&former);
	return has;
}

bool peat_agent__has_pins(const struct peat_agent *agent)
{
	for (size_t i = 0; i < agent->config->pipeline_count; i++)
		if (agent->config->pipelines[i].pin)
			return true;
	return has_former_pins(agent->config->agent.state);
}

/* ---- servers --------------------------------------------------------------------------------- */

/* Outputs of programs that were compiled with an older output.h have no set_up. */
static bool has_set_up(const struct peat_output_ops *ops)
{
	return ops->sz >= offsetof(struct peat_output_ops, set_up) + sizeof(ops->set_up) &&
	       ops->set_up;
}

int peat_agent__set_up(struct peat_agent *agent, void (*print)(void *arg, const char *line),
		       void *arg)
{
	const struct config *config = agent->config;
	int err = -ENOENT;

	for (size_t i = 0; i < config->output_count; i++) {
		const struct config_output *output = &config->outputs[i];
		const struct peat_output_opts opts = config_output__opts(output);
		int result =
			has_set_up(output->ops) ? output->ops->set_up(&opts, print, arg) : -ENOENT;

		if (result != -ENOENT && (!err || err == -ENOENT))
			err = result;
	}
	return err ? fail(err) : 0;
}

/* ---- the agent ------------------------------------------------------------------------------- */

struct peat_agent *peat_agent__new(const struct peat_agent_opts *callers)
{
	struct peat_agent_opts opts = { .sz = sizeof(opts) };
	struct peat_agent *agent;

	if (opts__read(&opts, sizeof(opts), callers, "peat_agent__new()"))
		return fail_null(-EINVAL);
	if (!opts.paths || !opts.paths[0]) {
		log__error("peat_agent__new(): the paths of the configuration are missing");
		return fail_null(-EINVAL);
	}
	agent = calloc(1, sizeof(*agent));
	if (!agent)
		return fail_null(-ENOMEM);
	agent->measure_fd = -1;
	agent->opts = opts;
	agent->env =
		(struct pipeline_env){ &agent->opts, running__collect, running__add_alerts, agent };
	pthread_mutex_init(&agent->lock, NULL);
	agent->config = running__read_config(&opts);
	if (agent->config)
		return agent;
	pthread_mutex_destroy(&agent->lock);
	free(agent);
	return NULL;
}

int peat_agent__check(struct peat_agent *agent)
{
	int err = 0;

	for (size_t i = 0; !err && i < agent->config->pipeline_count; i++)
		err = pipeline__check(&agent->config->pipelines[i], &agent->opts);
	return err ? fail(err) : 0;
}

void peat_agent__prepare(struct peat_agent *agent)
{
	/* Without it, sources that need tracefs report that it is not mounted. */
	(void)tracefs__keep();
	running__measure(agent, agent->config);
}

/* Programs that this agent has pinned end if it could not start. */
static bool ends_programs(const struct source_row *row, bool has_failed)
{
	return has_failed && row->pipeline && !pipeline__is_adopted(row->pipeline);
}

/* Sources first: then nothing is offered any more. */
static void stop(struct peat_agent *agent, bool has_failed)
{
	uint64_t until_ns;

	agent->is_running = false;
	keeper__stop(agent);
	until_ns = monotonic_ns() + agent->config->agent.drain_ms * UINT64_C(1000000);
	for (size_t i = 0; i < agent->ledger.source_count; i++)
		running__stop_pipeline(agent, agent->ledger.sources[i].name,
				       ends_programs(&agent->ledger.sources[i], has_failed));
	for (size_t i = 0; i < agent->ledger.output_count; i++) {
		uint64_t now_ns = monotonic_ns();

		running__stop_output(agent, agent->ledger.outputs[i].name,
				     now_ns < until_ns ? (until_ns - now_ns) / 1000000 : 0);
	}
	keeper__end(agent);
}

int peat_agent__start(struct peat_agent *agent)
{
	const struct config *config = agent->config;
	struct timespec now;
	int err = running__make_rows(agent, config);

	if (agent->is_running)
		return 0;
	running__measure(agent, config);
	clock_gettime(CLOCK_REALTIME, &now);
	agent->ledger.start_ns = (uint64_t)now.tv_sec * 1000000000 + (uint64_t)now.tv_nsec;
	agent->run = agent->run ?: agent->ledger.start_ns;
	agent->is_running = true;
	err = err ?: keeper__begin(agent);
	for (size_t i = 0; !err && i < config->output_count; i++)
		err = running__start_output(agent, &config->outputs[i]);
	for (size_t i = 0; !err && i < config->pipeline_count; i++)
		err = running__start_pipeline(agent, &config->pipelines[i]);
	err = err ?: keeper__start(agent);
	if (err)
		stop(agent, true);
	return err ? fail(err) : 0;
}

void peat_agent__stop(struct peat_agent *agent)
{
	if (agent->is_running)
		stop(agent, false);
}

void peat_agent__free(struct peat_agent *agent)
{
	if (!agent)
		return;
	peat_agent__stop(agent);
	if (agent->measure_fd >= 0)
		close(agent->measure_fd);
	agent_ledger__free(&agent->ledger);
	state__free(&agent->former);
	state__free(&agent->state);
	running__unref_config(agent->config);
	pthread_mutex_destroy(&agent->lock);
	free(agent);
}

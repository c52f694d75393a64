// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* agent/former_pins.c: counts and removes programs that a former agent has pinned. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "agent/former_pins.h"
#include "agent/running.h"
#include "base/log.h"
#include "pipeline/pinned.h"
#include "pipeline/pins.h"

struct removal {
	struct peat_agent *agent;
	int err;
};

/* The counts of a former agent for these programs.  NULL: none. */
static const struct state_source *find_saved(const struct state *former, const char *directory)
{
	uint64_t made_ns = pins__made_ns(directory);

	for (size_t i = 0; made_ns && i < former->source_count; i++)
		if (former->sources[i].pinned_ns == made_ns)
			return &former->sources[i];
	return NULL;
}

static struct source_row *find_row(struct agent_ledger *ledger, const struct state_source *saved)
{
	for (size_t i = 0; saved && i < ledger->source_count; i++)
		if (!strcmp(ledger->sources[i].name, saved->name))
			return &ledger->sources[i];
	return NULL;
}

/* For pins__remove_others(). */
static bool count(void *arg, const char *directory)
{
	struct removal *removal = arg;
	const struct state_source *saved = find_saved(&removal->agent->former, directory);
	struct source_row *row = find_row(&removal->agent->ledger, saved);
	struct peat_ledger ledger;
	int err = pinned__count(directory, &ledger);

	if (err == -EBUSY) {
		removal->err = err;
		return false;
	}
	if (!err && row)
		state__end_programs(saved, &ledger, &row->ended);
	log__warn("the programs pinned at %s end: no pipeline has their settings any more; their "
		  "last events are %s",
		  directory, !err && row ? "counted as lost" : "lost, and not counted");
	return true;
}

static const struct config_pipeline *find_pin(const struct config *config, const char *path)
{
	for (size_t i = 0; i < config->pipeline_count; i++)
		if (config->pipelines[i].pin && !strcmp(config->pipelines[i].pin, path))
			return &config->pipelines[i];
	return NULL;
}

static int remove_of_path(struct removal *removal, const char *path)
{
	const struct config_pipeline *config = find_pin(removal->agent->config, path);
	char *keep = NULL;

	if (config) {
		keep = pins__directory(path, pinned__hash(config, removal->agent->opts.find_probe));
		if (!keep)
			return -ENOMEM;
	}
	pins__remove_others(path, keep, count, removal);
	free(keep);
	return removal->err;
}

int former_pins__remove(struct peat_agent *agent)
{
	struct removal removal = { .agent = agent };
	const struct config *config = agent->config;
	int err = 0;

	for (size_t i = 0; !err && i < config->pipeline_count; i++)
		if (config->pipelines[i].pin)
			err = remove_of_path(&removal, config->pipelines[i].pin);
	for (size_t i = 0; !err && i < agent->former.source_count; i++) {
		const char *path = agent->former.sources[i].pin;

		if (path && !find_pin(config, path))
			err = remove_of_path(&removal, path);
	}
	return err;
}

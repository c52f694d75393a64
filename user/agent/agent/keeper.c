// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* agent/keeper.c: writes the ledger down, and continues that of former agents. */
#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "agent/former_pins.h"
#include "agent/keeper.h"
#include "base/array.h"
#include "base/errors.h"
#include "base/log.h"

/* The file is written each second, and soon after acknowledgements, but not more often. */
#define GAP_US 50000

struct keeper {
	char *path;
	pthread_t thread;
	bool has_thread;
	pthread_mutex_t lock; /* guards the next three */
	bool is_stopping, is_due;
	pthread_cond_t wakes;
	int err;    /* of the last write: only changes are logged */
	char *text; /* that was written last; NULL: none */
};

static const char *state_path(const struct peat_agent *agent)
{
	return agent->config->agent.state;
}

/* ---- counts of former agents ----------------------------------------------------------------- */

static struct source_row *find_source(struct agent_ledger *ledger, const char *name)
{
	for (size_t i = 0; i < ledger->source_count; i++)
		if (!strcmp(ledger->sources[i].name, name))
			return &ledger->sources[i];
	return NULL;
}

static const struct state_source *find_saved(const struct state *state, const char *name)
{
	for (size_t i = 0; i < state->source_count; i++)
		if (!strcmp(state->sources[i].name, name))
			return &state->sources[i];
	return NULL;
}

/*
 * Batches that waited in memory are lost.  Those in a spool are counted again when it is opened,
 * and those that left it since the state was written are added (spool/ends.c).
 */
static void continue_flow(struct flow_row *row, const struct flow_counts *counts)
{
	atomic_store(&row->flow.offered, counts->offered - counts->spooled);
	atomic_store(&row->flow.dropped, counts->dropped);
	atomic_store(&row->flow.acknowledged, counts->acknowledged);
	atomic_store(&row->flow.refused, counts->refused);
	atomic_store(&row->flow.agent_died, counts->agent_died + counts->waiting);
	flow__forget_spool(&row->flow);
	row->flow.saved_id = counts->spool_id;
	row->flow.saved = counts->ends;
	atomic_store(&row->flow.former.offered, counts->offered - counts->spooled);
	atomic_store(&row->flow.former.dropped, counts->dropped);
	atomic_store(&row->flow.former.acknowledged, counts->acknowledged);
	atomic_store(&row->flow.former.refused, counts->refused);
}

static void continue_flows(struct peat_agent *agent)
{
	for (size_t i = 0; i < agent->former.flow_count; i++) {
		const struct state_flow *saved = &agent->former.flows[i];

		for (size_t j = 0; j < agent->ledger.flow_count; j++) {
			struct flow_row *row = agent->ledger.flows[j];

			if (!strcmp(row->source, saved->source) &&
			    !strcmp(row->output, saved->output))
				continue_flow(row, &saved->counts);
		}
	}
}

static void continue_rows(struct peat_agent *agent)
{
	for (size_t i = 0; i < agent->former.source_count; i++) {
		const struct state_source *saved = &agent->former.sources[i];
		struct source_row *row = find_source(&agent->ledger, saved->name);

		if (row)
			state__continue(saved, &row->ended);
	}
	continue_flows(agent);
	if (agent->former.agents)
		agent->ledger.start_ns = agent->former.start_ns;
	agent->ledger.agents = agent->former.agents + 1;
}

/* A reload adopts programs only if no state has counts of them. */
void keeper__continue(struct peat_agent *agent, struct source_row *row)
{
	const struct state_source *saved = find_saved(&agent->former, row->name);
	struct state_source unknown = { .own = row->ended };
	struct source_counts now;

	pipeline__read_counts(row->pipeline, &now);
	if (!saved || !agent->keeper || agent->keeper->has_thread ||
	    saved->pinned_ns != pipeline__pinned_ns(row->pipeline))
		saved = &unknown;
	state__continue_programs(saved, now.ledger.former, &row->ended);
}

static int read_former(struct peat_agent *agent, const char *path)
{
	int err = state_file__read(&agent->former, path);

	if (!err || err == -ENOENT)
		return 0;
	if (err != -EBADMSG)
		log__error("cannot read the state of the agent, %s: %s", path, strerror(-err));
	return err == -EBADMSG ? state_file__put_aside(path) : err;
}

/* ---- counts for the next agent: the lock is held --------------------------------------------- */

static struct state_source *saved_source(struct state *state, const char *name)
{
	struct state_source *saved = (struct state_source *)find_saved(state, name);

	if (saved || !ARRAY_RESERVE_NEXT(state->sources, state->source_count))
		return saved;
	saved = &state->sources[state->source_count++];
	*saved = (struct state_source){ 0 };
	strncpy(saved->name, name, sizeof(saved->name) - 1);
	return saved;
}

static int note_source(struct peat_agent *agent, const struct source_row *row, bool ends_programs)
{
	struct state_source *saved = saved_source(&agent->state, row->name);
	const char *pin = pipeline__config(row->pipeline)->pin;
	struct source_counts now;

	if (!saved)
		return -ENOMEM;
	free(saved->pin);
	saved->pin = NULL;
	saved->pinned_ns = ends_programs ? 0 : pipeline__pinned_ns(row->pipeline);
	if (pin && saved->pinned_ns && !(saved->pin = strdup(pin)))
		return -ENOMEM;
	pipeline__read_counts(row->pipeline, &now);
	state__split(saved, &row->ended, &now);
	return 0;
}

static int note_flows(struct peat_agent *agent)
{
	struct state *state = &agent->state;

	state->flow_count = 0;
	for (size_t i = 0; i < agent->ledger.flow_count; i++) {
		const struct flow_row *row = agent->ledger.flows[i];
		struct state_flow flow = { .counts = flow__read(&row->flow) };

		if (!ARRAY_RESERVE_NEXT(state->flows, state->flow_count))
			return -ENOMEM;
		strncpy(flow.source, row->source, sizeof(flow.source) - 1);
		strncpy(flow.output, row->output, sizeof(flow.output) - 1);
		state->flows[state->flow_count++] = flow;
	}
	return 0;
}

/* Flows first: then all events that they were offered are among those of the sources. */
static char *print_state(struct peat_agent *agent)
{
	int err = note_flows(agent);

	for (size_t i = 0; !err && i < agent->ledger.source_count; i++)
		if (agent->ledger.sources[i].pipeline)
			err = note_source(agent, &agent->ledger.sources[i], false);
	agent->state.start_ns = agent->ledger.start_ns;
	agent->state.agents = agent->ledger.agents;
	return err ? fail_null(err) : state__print(&agent->state);
}

/* ---- writing --------------------------------------------------------------------------------- */

static bool is_same(const struct keeper *keeper, const char *text)
{
	return keeper->text && !keeper->err && !strcmp(keeper->text, text);
}

static int write_state(struct peat_agent *agent, bool is_final)
{
	struct keeper *keeper = agent->keeper;
	char *text;
	int err;

	pthread_mutex_lock(&agent->lock);
	text = print_state(agent);
	err = text ? 0 : -errno;
	pthread_mutex_unlock(&agent->lock);
	if (!err && (is_final || !is_same(keeper, text)))
		err = state_file__write(keeper->path, text, is_final);
	free(keeper->text);
	keeper->text = text;
	if (err && err != keeper->err)
		log__error("cannot write the state of the agent, %s: %s: after kill -9, the next "
			   "agent would have older counts",
			   keeper->path, strerror(-err));
	keeper->err = err;
	return err;
}

/* Sleeps for a second, or until batches are acknowledged, or the end.  False: it is the end. */
static bool sleep_until_next(struct keeper *keeper)
{
	struct timespec until;
	bool goes_on;
	int err = 0;

	usleep(GAP_US);
	clock_gettime(CLOCK_MONOTONIC, &until);
	until.tv_sec++;
	pthread_mutex_lock(&keeper->lock);
	while (!keeper->is_stopping && !keeper->is_due && !err)
		err = pthread_cond_timedwait(&keeper->wakes, &keeper->lock, &until);
	goes_on = !keeper->is_stopping;
	keeper->is_due = false;
	pthread_mutex_unlock(&keeper->lock);
	return goes_on;
}

static void *keep(void *arg)
{
	struct peat_agent *agent = arg;

	while (sleep_until_next(agent->keeper))
		write_state(agent, false);
	return NULL;
}

static void wake(struct keeper *keeper, bool *reason)
{
	pthread_mutex_lock(&keeper->lock);
	*reason = true;
	pthread_cond_signal(&keeper->wakes);
	pthread_mutex_unlock(&keeper->lock);
}

void keeper__hurry(void *arg)
{
	struct peat_agent *agent = arg;

	if (agent->keeper)
		wake(agent->keeper, &agent->keeper->is_due);
}

void keeper__note(struct peat_agent *agent, const struct source_row *row, bool ends_programs)
{
	if (!agent->keeper)
		return;
	pthread_mutex_lock(&agent->lock);
	if (note_source(agent, row, ends_programs))
		log__error("no memory for the counts of pipeline %s: the next agent has older ones",
			   row->name);
	pthread_mutex_unlock(&agent->lock);
}

/* ---- beginning and end ----------------------------------------------------------------------- */

static struct keeper *new_keeper(const char *path)
{
	struct keeper *keeper = calloc(1, sizeof(*keeper));
	pthread_condattr_t clock;

	if (!keeper)
		return NULL;
	keeper->path = strdup(path);
	if (!keeper->path) {
		free(keeper);
		return NULL;
	}
	pthread_condattr_init(&clock);
	pthread_condattr_setclock(&clock, CLOCK_MONOTONIC);
	pthread_mutex_init(&keeper->lock, NULL);
	pthread_cond_init(&keeper->wakes, &clock);
	pthread_condattr_destroy(&clock);
	return keeper;
}

int keeper__begin(struct peat_agent *agent)
{
	const char *path = state_path(agent);
	int err;

	if (!path)
		return 0;
	agent->keeper = new_keeper(path);
	err = agent->keeper ? read_former(agent, path) : -ENOMEM;
	if (err)
		return err;
	continue_rows(agent);
	return former_pins__remove(agent);
}

int keeper__start(struct peat_agent *agent)
{
	struct keeper *keeper = agent->keeper;
	sigset_t all, before;
	int err;

	if (!keeper)
		return 0;
	err = write_state(agent, false);
	if (err)
		return err;
	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &before);
	err = -pthread_create(&keeper->thread, NULL, keep, agent);
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	keeper->has_thread = !err;
	if (err)
		log__error("cannot start the thread that writes the state: %s", strerror(-err));
	return err;
}

void keeper__stop(struct peat_agent *agent)
{
	struct keeper *keeper = agent->keeper;

	if (!keeper || !keeper->has_thread)
		return;
	wake(keeper, &keeper->is_stopping);
	pthread_join(keeper->thread, NULL);
}

void keeper__end(struct peat_agent *agent)
{
	struct keeper *keeper = agent->keeper;

	if (!keeper)
		return;
	if (keeper->has_thread) /* the agent has started */
		write_state(agent, true);
	pthread_cond_destroy(&keeper->wakes);
	pthread_mutex_destroy(&keeper->lock);
	free(keeper->text);
	free(keeper->path);
	free(keeper);
	agent->keeper = NULL;
}

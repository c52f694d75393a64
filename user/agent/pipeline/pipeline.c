// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* pipeline/pipeline.c: the thread of a pipeline, and what others may ask it. */
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include "base/errors.h"
#include "base/log.h"
#include "pipeline/parts.h"

static const struct pipeline_ops *const kinds[] = {
	[PIPELINE_EVENTS] = &events_pipeline, [PIPELINE_TABLE] = &table_pipeline,
	[PIPELINE_STAT] = &stat_pipeline,     [PIPELINE_LEDGER] = &ledger_pipeline,
	[PIPELINE_FLIGHT] = &flight_pipeline, [PIPELINE_ALERTS] = &alerts_pipeline,
};

/* ---- beginning ------------------------------------------------------------------------------- */

static void say_failure(const struct config_pipeline *config, int err)
{
	log__error("%s:%u:%u: pipeline %s: cannot start: %s", config->section->file,
		   config->section->line, config->section->column, config->section->name,
		   strerror(-err));
}

static void *follow(void *arg);

/* It waits for `starts`. */
static int make_thread(struct pipeline *pipeline)
{
	sigset_t all, before;
	int err;

	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &before);
	err = pthread_create(&pipeline->thread, NULL, follow, pipeline);
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	pipeline->has_thread = !err;
	if (err)
		log__error("pipeline %s: cannot make a thread: %s", pipeline->name, strerror(err));
	return -err;
}

struct pipeline *pipeline__new(const struct config_pipeline *config, const struct pipeline_env *env)
{
	struct pipeline *pipeline = calloc(1, sizeof(*pipeline));
	int err;

	if (!pipeline)
		return fail_null(-ENOMEM);
	pipeline->ops = kinds[config->kind];
	pipeline->config = config;
	pipeline->env = env;
	pipeline->name = config->section->name;
	atomic_init(&pipeline->put_until_ns, UINT64_MAX);
	pthread_mutex_init(&pipeline->lock, NULL);
	sem_init(&pipeline->starts, 0, 0);
	pipeline->wake_fd = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
	err = pipeline->wake_fd < 0 ? -errno : 0;
	if (!err && !(pipeline->handover = handover__new()))
		err = -errno;
	err = err ?: make_thread(pipeline);
	if (!err && pipeline->ops->open)
		err = pipeline->ops->open(pipeline);
	if (!err)
		return pipeline;
	say_failure(config, err);
	pipeline__free(pipeline);
	return fail_null(err);
}

int pipeline__check(const struct config_pipeline *config, const struct peat_agent_opts *opts)
{
	const struct pipeline_ops *ops = kinds[config->kind];
	int err = ops->check ? ops->check(config, opts) : 0;

	if (err)
		say_failure(config, err);
	return err;
}

const struct config_pipeline *pipeline__config(const struct pipeline *pipeline)
{
	return pipeline->config;
}

static void free_targets(struct target *targets, size_t count)
{
	for (size_t i = 0; i < count; i++)
		queue__unref(targets[i].queue);
	free(targets);
}

static int set_recordings(struct pipeline *pipeline, const struct target *targets, size_t count)
{
	pipeline->recordings = calloc(count + 1, sizeof(*pipeline->recordings));
	if (!pipeline->recordings)
		return fail(-ENOMEM);
	for (size_t i = 0; i < count; i++)
		if (!targets[i].queue)
			pipeline->recordings[pipeline->recording_count++] =
				(struct recording){ .output = targets[i].output,
						    .flow = targets[i].flow };
	return 0;
}

int pipeline__set_targets(struct pipeline *pipeline, const struct target *targets, size_t count)
{
	struct target *copy = calloc(count + 1, sizeof(*copy)), *before;
	size_t copied = 0, before_count;

	if (!copy || (!pipeline->recordings && set_recordings(pipeline, targets, count))) {
		free(copy);
		return fail(-ENOMEM);
	}
	for (size_t i = 0; i < count; i++) {
		if (!targets[i].queue)
			continue;
		copy[copied++] = targets[i];
		queue__ref(targets[i].queue);
	}
	pthread_mutex_lock(&pipeline->lock);
	before = pipeline->targets;
	before_count = pipeline->target_count;
	pipeline->targets = copy;
	pipeline->target_count = copied;
	pthread_mutex_unlock(&pipeline->lock);
	free_targets(before, before_count);
	return 0;
}

/* ---- the thread ------------------------------------------------------------------------------ */

#define TIMEOUT_MS 1000

static void fail_pipeline(struct pipeline *pipeline, int err)
{
	char *failure = NULL;

	log__error("pipeline %s: cannot read its events: %s", pipeline->name, strerror(-err));
	if (asprintf(&failure, "cannot read its events: %s", strerror(-err)) < 0)
		failure = strdup("failed");
	pthread_mutex_lock(&pipeline->lock);
	pipeline->failure = failure;
	pthread_mutex_unlock(&pipeline->lock);
}

static void *follow(void *arg)
{
	struct pipeline *pipeline = arg;
	int err = 0;

	sem_wait(&pipeline->starts);
	if (!pipeline->is_running)
		return NULL;
	recordings__open(pipeline);
	while (!err && !atomic_load(&pipeline->is_stopping))
		err = pipeline->ops->work(pipeline, TIMEOUT_MS);
	if (err)
		fail_pipeline(pipeline, err);
	pipeline->ops->finish(pipeline);
	return NULL;
}

void pipeline__run(struct pipeline *pipeline)
{
	pipeline->is_running = true;
	sem_post(&pipeline->starts);
}

void pipeline__stop(struct pipeline *pipeline, uint64_t drain_ms)
{
	if (!pipeline->has_thread)
		return;
	if (!pipeline->is_running)
		sem_post(&pipeline->starts);
	atomic_store(&pipeline->put_until_ns, pipeline__now_ns() + drain_ms * UINT64_C(1000000));
	atomic_store(&pipeline->is_stopping, true);
	eventfd_write(pipeline->wake_fd, 1);
	if (pipeline->source && pipeline->source->reader)
		peat_reader__break(pipeline->source->reader);
	pthread_join(pipeline->thread, NULL);
	pipeline->has_thread = false;
}

void pipeline__end_programs(struct pipeline *pipeline)
{
	atomic_store(&pipeline->ends_programs, true);
}

void pipeline__pin_again(struct pipeline *pipeline)
{
	if (pipeline->source && pipeline->source->pins.is_complete)
		pins__complete(&pipeline->source->pins);
}

uint64_t pipeline__pinned_ns(const struct pipeline *pipeline)
{
	return pipeline->source ? pipeline->source->pinned_ns : 0;
}

bool pipeline__is_adopted(const struct pipeline *pipeline)
{
	return pipeline->source && pipeline->source->is_adopted;
}

/*
 * Both see the events of this time, so that none is between them, and the new pipeline finds out
 * which programs run first.
 */
#define OVERLAP_US 10000

void pipeline__replace(struct pipeline *former, struct pipeline *fresh, uint64_t drain_ms)
{
	struct handover *handover = former->handover;
	uint64_t since_ns;

	if (!former->source) { /* counters have no events */
		pipeline__stop(former, drain_ms);
		return;
	}
	former->handover = NULL;
	atomic_store(&former->after, handover);
	since_ns = pipeline__now_ns(); /* events of later are noted */
	atomic_store(&handover->until_ns, since_ns + OVERLAP_US * UINT64_C(1000));
	usleep(OVERLAP_US);
	pipeline__stop(former, drain_ms);
	handover->since_ns = since_ns;
	fresh->before = handover;
}

void pipeline__free(struct pipeline *pipeline)
{
	if (!pipeline)
		return;
	pipeline__stop(pipeline, 0);
	if (atomic_load(&pipeline->ends_programs) && pipeline->source)
		source__end_programs(pipeline->source);
	recordings__free(pipeline);
	peat_batch__unref(pipeline->batch);
	if (pipeline->source)
		source__end(pipeline->source);
	if (pipeline->trigger)
		source__unref(pipeline->trigger);
	peat_counters__free(pipeline->counters);
	free_targets(pipeline->targets, pipeline->target_count);
	pthread_mutex_destroy(&pipeline->lock);
	sem_destroy(&pipeline->starts);
	if (pipeline->wake_fd >= 0)
		close(pipeline->wake_fd);
	handover__free(pipeline->before);
	handover__free(pipeline->handover);
	free(pipeline->failure);
	free(pipeline);
}

/* ---- questions ------------------------------------------------------------------------------- */

bool pipeline__is_healthy(struct pipeline *pipeline, char *why, size_t room)
{
	bool is_healthy;

	pthread_mutex_lock(&pipeline->lock);
	is_healthy = !pipeline->failure;
	if (!is_healthy)
		snprintf(why, room, "pipeline %s: %s", pipeline->name, pipeline->failure);
	pthread_mutex_unlock(&pipeline->lock);
	return is_healthy;
}

void pipeline__read_counts(struct pipeline *pipeline, struct source_counts *counts)
{
	struct peat_reader_stats stats = { .sz = sizeof(stats) };
	struct peat_reader *reader = pipeline->source ? pipeline->source->reader : NULL;

	*counts = (struct source_counts){ .ledger.sz = sizeof(counts->ledger) };
	counts->has_events = pipeline->config->kind == PIPELINE_EVENTS ||
			     pipeline->config->kind == PIPELINE_FLIGHT;
	counts->handed_over = atomic_load(&pipeline->handed_over);
	counts->offered = atomic_load(&pipeline->offered);
	counts->triggers = atomic_load(&pipeline->triggers);
	if (!reader)
		return;
	counts->has_ledger = !peat_reader__counts(reader, PEAT_ALL_CPUS, &stats, &counts->ledger);
	if (!counts->has_ledger && peat_reader__counts(reader, PEAT_ALL_CPUS, &stats, NULL))
		return;
	/* Snapshots deliver the events of a flight recorder. */
	counts->delivered = counts->has_ledger ? counts->ledger.delivered : stats.events;
	counts->lost = stats.lost;
	counts->skipped = stats.skipped;
}

int pipeline__program(struct pipeline *pipeline, uint32_t i, struct peat_program_stats *stats)
{
	return pipeline->source ? peat_session__program(pipeline->source->session, i, stats) : 0;
}

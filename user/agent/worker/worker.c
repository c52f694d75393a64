// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* worker/worker.c: the thread of an output. */
#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include "base/errors.h"
#include "base/log.h"
#include "base/monotonic.h"
#include "base/opts.h"
#include "worker/spooled.h"
#include "worker/worker.h"

/* An output that takes nothing for so long is failing. */
#define STUCK_NS UINT64_C(10000000000)

#define TIMEOUT_MS 1000

struct worker {
	const struct config_output *config; /* of the agent's thread */
	char name[64];
	struct worker_asks asks;
	struct queue *queue;
	struct spooled *spooled;    /* NULL: no spool */
	struct peat_output *output; /* NULL: closed */
	pthread_t thread;
	bool has_thread;
	atomic_bool is_stopping;
	bool is_keeping;	       /* batches that the output gives up wait again */
	atomic_uint_fast64_t until_ns; /* then it gives up what waits */

	pthread_mutex_t lock;	   /* guards the rest */
	uint64_t settled, refused; /* batches */
	uint64_t moved_ns;	   /* a batch was settled, or none waited */
	bool was_refused;	   /* the last one */
	char why[160];
};

/* ---- waiting batches ------------------------------------------------------------------------- */

static struct peat_batch *next_batch(struct worker *worker)
{
	struct spooled *spooled = worker->spooled;

	if (!spooled)
		return queue__next(worker->queue);
	spooled__move(spooled, worker->queue, false);
	return spool__next(spooled__spool(spooled))
		       ?: spooled__is_bypassed(spooled) ? queue__next(worker->queue)
							: NULL;
}

static void put_back(struct worker *worker, struct peat_batch *batch)
{
	if (worker->spooled)
		spool__put_back(spooled__spool(worker->spooled), batch);
	queue__put_back(worker->queue, batch);
}

static void put_all_back(struct worker *worker)
{
	if (worker->spooled)
		spool__put_all_back(spooled__spool(worker->spooled));
	queue__put_all_back(worker->queue);
}

static bool settle(struct worker *worker, struct peat_batch *batch, uint64_t refused)
{
	return (worker->spooled &&
		spool__settle(spooled__spool(worker->spooled), batch, refused)) ||
	       queue__settle(worker->queue, batch, refused);
}

/* Whether a batch is not settled.  Any thread. */
static bool has_unsettled(struct worker *worker)
{
	struct queue_counts counts;
	struct spool_counts spool = { .is_empty = true };

	queue__read_counts(worker->queue, &counts);
	if (worker->spooled)
		spooled__read_counts(worker->spooled, &spool);
	return counts.batches || !spool.is_empty;
}

/* Zeroes: the output got no such batch. */
static void find_origin(void *arg, const struct peat_batch *batch, struct peat_origin *origin)
{
	struct worker *worker = arg;
	struct peat_origin found = { .sz = sizeof(found) };

	if (worker->spooled)
		spooled__origin(worker->spooled, worker->queue, batch, &found);
	else
		queue__origin(worker->queue, batch, worker->asks.run, true, &found);
	opts__write(origin, &found, sizeof(found), "peat_output_opts.origin()");
}

/* ---- the ends of batches --------------------------------------------------------------------- */

static void on_settled(void *arg, struct peat_batch *batch, uint64_t refused, const char *why)
{
	struct worker *worker = arg;
	bool is_new;

	if (worker->is_keeping)
		return;
	pthread_mutex_lock(&worker->lock);
	is_new = refused && (!worker->was_refused || strcmp(worker->why, why ?: ""));
	worker->was_refused = refused;
	worker->settled++;
	worker->refused += refused != 0;
	worker->moved_ns = monotonic_ns();
	if (refused)
		snprintf(worker->why, sizeof(worker->why), "%s", why ?: "");
	pthread_mutex_unlock(&worker->lock);
	if (is_new)
		log__warn("output %s: %llu events were refused: %s", worker->name,
			  (unsigned long long)refused, why ?: "unknown reason");
	if (!settle(worker, batch, refused))
		log__error("output %s settled a batch that is not under way", worker->name);
	worker->asks.settled(worker->asks.arg);
}

/* ---- the thread ------------------------------------------------------------------------------ */

static void note_idle(struct worker *worker)
{
	if (has_unsettled(worker))
		return;
	pthread_mutex_lock(&worker->lock);
	worker->moved_ns = monotonic_ns();
	pthread_mutex_unlock(&worker->lock);
}

static bool has_more_to_do(struct worker *worker)
{
	return !atomic_load(&worker->is_stopping) ||
	       (monotonic_ns() < atomic_load(&worker->until_ns) && has_unsettled(worker));
}

static void give_batches(struct worker *worker)
{
	const struct peat_output_ops *ops = worker->output->ops;
	struct peat_batch *batch;
	eventfd_t count;

	eventfd_read(queue__fd(worker->queue), &count); /* from now on, batches wake again */
	while (has_more_to_do(worker) && (batch = next_batch(worker))) {
		if (ops->write(worker->output, batch)) {
			put_back(worker, batch);
			return;
		}
	}
}

static int timeout_ms(const struct worker *worker)
{
	uint64_t until_ns = atomic_load(&worker->until_ns), now_ns = monotonic_ns();

	if (!atomic_load(&worker->is_stopping))
		return TIMEOUT_MS;
	if (now_ns >= until_ns)
		return 0;
	return until_ns - now_ns < TIMEOUT_MS * UINT64_C(1000000)
		       ? (int)((until_ns - now_ns) / 1000000) + 1
		       : TIMEOUT_MS;
}

/* An outage costs disk, and no memory. */
static void free_memory(struct worker *worker)
{
	bool is_stuck;

	pthread_mutex_lock(&worker->lock);
	is_stuck = monotonic_ns() > worker->moved_ns + STUCK_NS;
	pthread_mutex_unlock(&worker->lock);
	if (is_stuck && worker->spooled)
		spool__forget(spooled__spool(worker->spooled));
}

static void *work(void *arg)
{
	struct worker *worker = arg;

	while (has_more_to_do(worker)) {
		give_batches(worker);
		note_idle(worker);
		free_memory(worker);
		if (has_more_to_do(worker))
			worker->output->ops->acknowledged(worker->output, timeout_ms(worker));
	}
	return NULL;
}

/* ---- beginning and end ----------------------------------------------------------------------- */

static int collect(void *arg, struct peat_batch *points)
{
	const struct worker_asks *asks = &((struct worker *)arg)->asks;

	return asks->collect(asks->arg, points);
}

static bool is_agent_healthy(void *arg, char *why, size_t room)
{
	const struct worker_asks *asks = &((struct worker *)arg)->asks;

	return asks->healthy(asks->arg, why, room);
}

static int open_output(struct worker *worker, const struct config_output *config)
{
	struct peat_output_opts opts = config_output__opts(config);

	opts.wake_fd = queue__fd(worker->queue);
	opts.collect = collect;
	opts.healthy = is_agent_healthy;
	opts.settled = on_settled;
	opts.origin = find_origin;
	opts.arg = worker;
	worker->output = config->ops->open(&opts);
	return worker->output ? 0 : -errno;
}

static int start_thread(struct worker *worker)
{
	sigset_t all, before;
	int err;

	atomic_store(&worker->is_stopping, false);
	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &before);
	err = pthread_create(&worker->thread, NULL, work, worker);
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	worker->has_thread = !err;
	return -err;
}

static void end_thread(struct worker *worker, uint64_t drain_ms)
{
	if (!worker->has_thread)
		return;
	atomic_store(&worker->until_ns, monotonic_ns() + drain_ms * UINT64_C(1000000));
	atomic_store(&worker->is_stopping, true);
	eventfd_write(queue__fd(worker->queue), 1);
	pthread_join(worker->thread, NULL);
	worker->has_thread = false;
}

static void close_output(struct worker *worker)
{
	if (worker->output)
		worker->output->ops->close(worker->output);
	worker->output = NULL;
}

/* Batches that are under way wait again. */
static void close_keeping(struct worker *worker)
{
	worker->is_keeping = true;
	close_output(worker);
	put_all_back(worker);
	worker->is_keeping = false;
}

static int open_spool(struct worker *worker)
{
	if (!worker->config->spool)
		return 0;
	worker->spooled = spooled__open(worker->config, &worker->asks);
	return worker->spooled ? 0 : -errno;
}

static int open_and_run(struct worker *worker, const struct config_output *config)
{
	int err = open_output(worker, config);

	if (!err) {
		worker->config = config;
		err = start_thread(worker);
	}
	if (err)
		close_output(worker);
	return err;
}

struct worker *worker__new(const struct config_output *config, const struct worker_asks *asks)
{
	struct worker *worker = calloc(1, sizeof(*worker));
	int err;

	if (!worker)
		return fail_null(-ENOMEM);
	pthread_mutex_init(&worker->lock, NULL);
	worker->config = config;
	worker->asks = *asks;
	snprintf(worker->name, sizeof(worker->name), "%s", config->section->name);
	worker->moved_ns = monotonic_ns();
	worker->queue = queue__new(config->queue_bytes, config->policy);
	err = worker->queue ? open_spool(worker) : -errno;
	err = err ?: open_and_run(worker, config);
	if (!err)
		return worker;
	worker__free(worker);
	return fail_null(err);
}

/* Events of another directory would stay there, without an output. */
static int check_spool(const struct config_output *before, const struct config_output *config)
{
	if (!strcmp(before->spool ?: "", config->spool ?: ""))
		return 0;
	log__error("%s:%u:%u: output %s: its spool cannot change while the agent runs: start the "
		   "agent anew, or give the output another name",
		   config->section->file, config->section->line, config->section->column,
		   config->section->name);
	return -EINVAL;
}

static void set_limits(struct worker *worker, const struct config_output *config)
{
	queue__set_limit(worker->queue, config->queue_bytes, config->policy);
	if (worker->spooled)
		spooled__set_limits(worker->spooled, config);
}

int worker__reopen(struct worker *worker, const struct config_output *config, uint64_t drain_ms)
{
	const struct config_output *before = worker->config;
	int err = check_spool(before, config);

	if (err)
		return fail(err);
	end_thread(worker, drain_ms);
	close_keeping(worker);
	err = open_and_run(worker, config);
	if (!err) {
		set_limits(worker, config);
		return 0;
	}
	if (open_and_run(worker, before))
		log__error("output %s: cannot open it again with its former settings",
			   before->section->name);
	return fail(err);
}

void worker__keep(struct worker *worker, const struct config_output *config)
{
	worker->config = config;
}

void worker__stop(struct worker *worker, uint64_t drain_ms)
{
	queue__stop_waiting(worker->queue);
	end_thread(worker, drain_ms);
	if (worker->spooled) {
		close_keeping(worker);
		spooled__move(worker->spooled, worker->queue, true);
	}
	close_output(worker);
	queue__clear(worker->queue);
}

void worker__free(struct worker *worker)
{
	if (!worker)
		return;
	if (worker->queue)
		worker__stop(worker, 0);
	spooled__close(worker->spooled);
	queue__unref(worker->queue);
	pthread_mutex_destroy(&worker->lock);
	free(worker);
}

/* ---- questions ------------------------------------------------------------------------------- */

struct queue *worker__queue(struct worker *worker)
{
	return worker->queue;
}

const struct config_output *worker__config(const struct worker *worker)
{
	return worker->config;
}

void worker__read_counts(struct worker *worker, struct worker_counts *counts)
{
	bool has_batches;

	*counts = (struct worker_counts){ 0 };
	queue__read_counts(worker->queue, &counts->queue);
	if (worker->spooled)
		counts->spool_err = spooled__read_counts(worker->spooled, &counts->spool);
	has_batches = counts->queue.batches || (worker->spooled && !counts->spool.is_empty);
	pthread_mutex_lock(&worker->lock);
	counts->batches_settled = worker->settled;
	counts->batches_refused = worker->refused;
	counts->is_failing = worker->was_refused ||
			     (counts->spool_err && counts->spool_err != -EAGAIN) ||
			     (has_batches && monotonic_ns() > worker->moved_ns + STUCK_NS);
	memcpy(counts->why, worker->why, sizeof(counts->why));
	pthread_mutex_unlock(&worker->lock);
}

bool worker__is_healthy(struct worker *worker, char *why, size_t room)
{
	struct worker_counts counts;

	worker__read_counts(worker, &counts);
	if (counts.spool_err && counts.spool_err != -EAGAIN)
		snprintf(why, room, "output %s: cannot write to the spool: %s", worker->name,
			 strerror(-counts.spool_err));
	else if (counts.is_failing)
		snprintf(why, room, "output %s: %s", worker->name,
			 *counts.why ? counts.why : "it takes no batch for more than 10 s");
	return !counts.is_failing;
}

// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* live/source.c: options, operations and counts of a live reader. */
#include <stdlib.h>

#include <peat/binding.h>

#include "base/errors.h"
#include "base/log.h"
#include "base/monotonic.h"
#include "base/opts.h"
#include "event/side_band.h"
#include "live/input.h"

#define LATENCY_MS_MAX (60 * 60 * 1000u)

void live_source__free(struct peat_reader *reader)
{
	struct live_source *live = live_source__of(reader);
	bool is_inherited = fork_mark__is_inherited(reader->mark);

	if (live_input__of(live)->close)
		live_input__of(live)->close(live);
	ordered__close(&live->ordered);
	returned_time__close(&live->returned);
	if (live->inputs.counters)
		live->inputs.counter_functions->close(
			live->inputs.counters, live->inputs.rings.keep_slots || is_inherited);
	if (is_inherited)
		inputs__disown(&live->inputs);
	else if (live->inputs.is_asleep)
		stage__disarm(&live->inputs.stage);
	flight_rings__close(&live->flight, is_inherited);
	inputs__close(&live->inputs);
	account__close(&live->accounts);
	intake__close(&live->intake);
	fork_mark__free(reader->mark);
	account__close(&live->published);
	source__close(reader);
	free(live->ring_losses.reported);
	free(live);
}

/* ---- rounds ---------------------------------------------------------------------------------- */

/* When a round ends.  There may be no further round soon if the reader sleeps. */
static bool is_time_for_losses(struct live_source *live)
{
	uint64_t interval_ns = live_input__of(live)->losses_interval_ns, now_ns;

	if (live->flushed || live->in_losses || live->inputs.is_asleep)
		return true;
	if (!interval_ns)
		return false;
	now_ns = monotonic_ns();
	if (now_ns - live->losses_ns < interval_ns)
		return false;
	live->losses_ns = now_ns;
	return true;
}

/* Ordered events are not followed by older ones: a loss has the time of the last event. */
static bool next_loss(struct live_source *live)
{
	struct peat_event *event = &live->reader.event;

	if (!is_time_for_losses(live))
		return false;
	*event = (struct peat_event){ .time_ns = live->is_ordered ? live->ordered.order.last_ns
								  : monotonic_ns() };
	live->in_losses = live_input__of(live)->next_loss(live, event);
	live->flushed -= live->flushed && !live->in_losses;
	return live->in_losses;
}

static void update_safe_time(struct live_source *live)
{
	uint64_t before_ns = live->safe_ns;

	if (!live->returned.inputs)
		return;
	live->safe_ns = returned_time__find(&live->returned);
	live->safe_stalls = live->safe_ns > before_ns ? 0 : live->safe_stalls + 1;
}

/* Programs wake the reader for losses that they count from now on: the others are returned now. */
int live_source__end_round(struct live_source *live)
{
	int err = 0;

	if (live->in_losses)
		return next_loss(live);
	if (live->read_other)
		live->read_other(live->other);
	if (live_input__of(live)->end_round)
		err = live_input__of(live)->end_round(live);
	update_safe_time(live);
	inputs__end_round(&live->inputs, live->is_ordered && ordered__holds_events(&live->ordered));
	return err ? err : next_loss(live);
}

void live_source__name(struct peat_reader *reader)
{
	intake__name_task(&live_source__of(reader)->intake);
}

void live_source__identify(struct peat_reader *reader)
{
	struct peat_event *event = &reader->event;

	event->identity =
		event->has_owner ? inputs__identity(&live_source__of(reader)->inputs, event->cgroup)
				 : NULL;
}

int live_source__fd(const struct peat_reader *reader)
{
	return live_source__of(reader)->inputs.epoll_fd;
}

int live_source__wait(struct peat_reader *reader, int timeout_ms)
{
	struct live_source *live = live_source__of(reader);
	bool pending = live->is_ordered && ordered__is_ready(&live->ordered);
	int ready = inputs__wait(&live->inputs, pending ? 0 : timeout_ms);

	return !ready && pending ? 1 : ready;
}

void live_source__interrupt(const struct peat_reader *reader)
{
	inputs__interrupt(&live_source__of(reader)->inputs);
}

void live_source__pause(struct peat_reader *reader)
{
	struct live_source *live = live_source__of(reader);

	inputs__stay_awake(&live->inputs); /* programs cannot wake it */
	rings__pause(&live->inputs.rings);
	inputs__collect_soon(&live->inputs, true);
}

void live_source__flush(struct peat_reader *reader)
{
	struct live_source *live = live_source__of(reader);

	live->flushed = 2;
	if (live->is_ordered)
		ordered__flush(&live->ordered);
	if (live->inputs.stage.slots || live->is_ordered || live->inputs.drain.open)
		inputs__collect_all(&live->inputs);
}

/* ---- the safe time --------------------------------------------------------------------------- */

/* A record of the kernel may become visible this late, even if the latency is short. */
#define IN_FLIGHT_NS_MIN 10000000u

/* Repeated collecting is useless if a program keeps its slot locked. */
#define SAFE_STALLS_MAX 16

uint64_t live_source__safe_time(struct peat_reader *reader, bool is_urgent)
{
	struct live_source *live = live_source__of(reader);
	uint64_t in_flight_ns = live->latency_ms * 1000000ull / 4;

	if (live->is_ordered)
		return UINT64_MAX;
	if (in_flight_ns < IN_FLIGHT_NS_MIN)
		in_flight_ns = IN_FLIGHT_NS_MIN;
	if (!live->returned.inputs &&
	    returned_time__open(&live->returned, &live->intake, in_flight_ns, 0))
		returned_time__close(&live->returned); /* without memory, it stays unknown */
	if (is_urgent && live->inputs.stage.slots)
		inputs__collect_soon(&live->inputs, live->safe_stalls < SAFE_STALLS_MAX);
	return live->safe_ns;
}

/* ---- counts ---------------------------------------------------------------------------------- */

int live_source__ledger(const struct peat_reader *reader, uint32_t cpu, struct peat_ledger *ledger)
{
	const struct live_source *live = live_source__of(reader);

	return account__fill(&live->accounts, cpu, ledger);
}

void live_source__count(const struct peat_reader *reader, struct peat_reader_stats *stats)
{
	const struct live_source *live = live_source__of(reader);

	stats->events += account__uncounted(&live->accounts);
	stats->late = live->ordered.order.late;
	stats->hurried = live->ordered.order.hurried;
	stats->rounds = live->inputs.drain.count;
	stats->rings = live->inputs.rings.count;
	stats->ring_bytes = live->inputs.rings.ring_bytes;
	stats->watermark_bytes = live->inputs.rings.events.watermark_bytes;
	stats->corrupt += inputs__corrupt(&live->inputs);
}

static int add_losses(const struct live_source *live, const struct accounts *accounts,
		      struct peat_reader_stats *stats)
{
	const struct inputs *names = live->flight.names ?: &live->inputs;
	int err = live_input__of(live)->count_lost(live, accounts, stats);

	stats->skipped_is_known = skipped__read(&live->inputs.skipped, &stats->skipped);
	return err ?: inputs__side_lost(names, &stats->side_band_lost);
}

int live_source__add_losses(const struct peat_reader *reader, struct peat_reader_stats *stats)
{
	const struct live_source *live = live_source__of(reader);

	return add_losses(live, &live->accounts, stats);
}

void live_source__publish(struct peat_reader *reader)
{
	struct live_source *live = live_source__of(reader);

	account__copy_counts(&live->published, &live->accounts);
}

/* CPUs that return get new file descriptors, so those that are read here have a lock. */
int live_source__read_published(const struct peat_reader *reader, uint32_t cpu,
				struct peat_reader_stats *stats, struct peat_ledger *ledger)
{
	const struct live_source *live = live_source__of(reader);
	pthread_mutex_t *lock = (pthread_mutex_t *)&live->inputs.reopen_lock;
	int err = 0;

	pthread_mutex_lock(lock);
	if (ledger)
		err = account__fill(&live->published, cpu, ledger);
	if (!err && stats)
		err = add_losses(live, &live->published, stats);
	pthread_mutex_unlock(lock);
	return err;
}

/* ---- opening --------------------------------------------------------------------------------- */

static int check_sample(const struct live_input *input, const struct peat_reader_opts *opts)
{
	if (!(opts->sample & ~input->sample_fields))
		return 0;
	log__error("peat_reader_opts: sample is %#x: ip, callchain, cgroup, regs_user and "
		   "stack_user are for raw events only",
		   opts->sample);
	return -EINVAL;
}

static int check_stacks(const struct live_input *input, struct peat_reader_opts *opts)
{
	int err = stack_opts__set_defaults(&opts->stacks, "peat_reader_opts");

	if (err || !(opts->stacks.kinds & STACK_OPTS_KINDS))
		return err;
	if (opts->sample & (PEAT_SAMPLE_CALLCHAIN | PEAT_SAMPLE_REGS_USER | PEAT_SAMPLE_STACK_USER))
		log__error("peat_reader_opts: stacks cannot be used with sample of callchain, "
			   "regs_user or stack_user: these are the stacks");
	else if (!input->takes_stacks)
		log__error("peat_reader_opts: stacks is for raw and sampled events: set it in "
			   "the options of the channel");
	else
		return 0;
	return -EINVAL;
}

static int check_ordered(const struct peat_reader_opts *opts)
{
	if (!opts->ordered || !opts->immediate)
		return 0;
	log__error("peat_reader_opts: ordered and immediate exclude each other: ordered events "
		   "wait until no older event can follow");
	return -EINVAL;
}

#define OVERWRITE_MAX (2048ULL << 20)

static int check_overwrite(const struct live_input *input, const struct peat_reader_opts *opts)
{
	if (!opts->overwrite)
		return 0;
	if (opts->memory_bytes || opts->side_band || opts->table || opts->immediate ||
	    opts->identity) {
		log__error("peat_reader_opts: overwrite excludes memory_bytes, side_band, table, "
			   "immediate and identity: events are read from snapshots only");
		return -EINVAL;
	}
	if (opts->overwrite > OVERWRITE_MAX) {
		log__error("peat_reader_opts: overwrite is %llu bytes: a ring has 2 GiB at most",
			   (unsigned long long)opts->overwrite);
		return -EINVAL;
	}
	if (!input->flight) {
		log__error("peat_reader_opts: overwrite is for events of programs, not for sampled "
			   "events");
		return -EINVAL;
	}
	return 0;
}

static int check_opts(const struct live_input *input, struct peat_reader_opts *opts)
{
	int err;

	if (opts->latency_ms > LATENCY_MS_MAX || (opts->latency_ms && opts->immediate)) {
		log__error("peat_reader_opts: latency_ms is at most %u, and 0 with immediate",
			   LATENCY_MS_MAX);
		return -EINVAL;
	}
	if (opts->side_band & ~SIDE_BAND_ALL || (input->needs_side_band && !opts->side_band)) {
		log__error("peat_reader_opts: side_band is %#x: set it to PEAT_SIDE_BAND_... "
			   "values, or-ed",
			   opts->side_band);
		return -EINVAL;
	}
	err = OPTS_CHECK_RESERVED(opts, "peat_reader_opts");
	if (!err)
		err = check_sample(input, opts);
	if (!err)
		err = check_stacks(input, opts);
	if (!err)
		err = check_overwrite(input, opts);
	return err ? err : check_ordered(opts);
}

static int open_source(struct live_source *live, const struct inputs_config *config,
		       const struct peat_reader_opts *opts)
{
	struct peat_reader_opts inputs_opts = *opts;
	int err;

	inputs_opts.names = opts->names && !opts->overwrite; /* live/flight_rings.c follows them */
	err = opts->names && opts->overwrite ? flight_rings__open_names(&live->flight, opts) : 0;
	if (!err)
		err = inputs__open(&live->inputs, config, &inputs_opts);
	if (err)
		return err;
	err = intake__open(&live->intake, opts->side_band);
	if (!err)
		err = live_input__of(live)->open(live, opts);
	live->is_ordered = opts->ordered;
	live->latency_ms = opts->latency_ms;
	if (!err && opts->ordered)
		err = ordered__open(&live->ordered, &live->intake, opts->latency_ms);
	return err ? err : rings__start(&live->inputs.rings);
}

struct peat_reader *live_source__new(struct inputs_config config,
				     const struct peat_reader_opts *callers_opts)
{
	struct peat_reader_opts opts = PEAT_READER_OPTS_INIT;
	struct fork_mark *mark;
	struct live_source *live;
	int err = opts__read(&opts, sizeof(opts), callers_opts, "peat_reader_opts");

	if (!err && config.input->select)
		err = config.input->select(&config, &opts);
	if (!err)
		err = check_opts(config.input, &opts);
	if (!err && config.input->check)
		err = config.input->check(&config, &opts);
	if (err)
		return fail_null(err);
	if (!opts.latency_ms && !opts.immediate)
		opts.latency_ms = PEAT_DEFAULT_LATENCY_MS;
	if (opts.overwrite) {
		opts.latency_ms = LATENCY_MS_MAX; /* no ticks: nothing is read */
		opts.ordered = false;
		config.input = config.input->flight;
	}
	mark = fork_mark__new();
	live = mark ? calloc(1, sizeof(*live)) : NULL;
	if (!live) {
		err = mark ? -ENOMEM : -errno;
		fork_mark__free(mark);
		return fail_null(err);
	}
	live->reader.ops = &config.input->ops;
	live->reader.mark = mark;
	live->reader.selection.where = opts.where;
	live->reader.selection.table = opts.table;
	live->reader.selection.side_band = opts.where_side_band;
	live->reader.has_identities = opts.identity && config.channel;
	source__open(&live->reader);
	live->intake.reader = &live->reader;
	live->intake.inputs = &live->inputs;
	live->intake.accounts = &live->accounts;
	live->intake.sampling = config.sampling;
	err = open_source(live, &config, &opts);
	if (!err) {
		source__publish(&live->reader);
		return &live->reader;
	}
	live_source__free(&live->reader);
	return fail_null(err);
}

int live_source__also_read(struct peat_reader *reader, int fd, void (*read)(void *arg), void *arg)
{
	struct live_source *live = live_source__of(reader);

	live->read_other = read;
	live->other = arg;
	return read ? inputs__watch(&live->inputs, fd) : 0;
}

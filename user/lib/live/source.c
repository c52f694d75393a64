// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* live/source.c: options, operations and counts of a live reader. */
#include <stdlib.h>

#include <peat/binding.h>

#include "base/internal.h"
#include "channel/ledger.h"
#include "channel/map_counters.h"
#include "channel/taken_stacks.h"
#include "event/kinds.h"
#include "live/counts.h"
#include "live/sampling.h"
#include "live/sampling_types.h"
#include "live/source.h"
#include "record/sample_regs.h"

#define LATENCY_MS_MAX (60 * 60 * 1000u)

static struct live_source *live_of(struct peat_reader *reader)
{
	return (struct live_source *)reader;
}

static const struct live_source *const_live_of(const struct peat_reader *reader)
{
	return (const struct live_source *)reader;
}

static void disown(struct live_source *live)
{
	inputs__disown(&live->inputs);
	if (live->flight.names)
		inputs__disown(live->flight.names);
}

static void live_source__free(struct peat_reader *reader)
{
	struct live_source *live = live_of(reader);

	counts__end(live);
	ordered__close(&live->ordered);
	returned_time__close(&live->returned);
	if (live->inputs.counters)
		map_counters__close(live->inputs.counters,
				    live->inputs.rings.keep_slots ||
					    fork_mark__is_inherited(reader->mark));
	if (fork_mark__is_inherited(reader->mark))
		disown(live);
	else if (live->channel)
		live->channel->has_reader = false;
	if (live->inputs.is_asleep && !fork_mark__is_inherited(reader->mark))
		stage__disarm(&live->inputs.stage);
	flight__close(&live->flight);
	inputs__close(&live->inputs);
	account__close(&live->accounts);
	intake__close(&live->intake);
	fork_mark__free(reader->mark);
	account__close(&live->published);
	source__close(reader);
	sampling__free(live->owned_sampling);
	free(live->raw_lost);
	free(live);
}

/* ---- events ---------------------------------------------------------------------------------- */

static void count_data(struct live_source *live)
{
	const struct peat_event *event = &live->reader.event;

	live->reader.stats.event_bytes += event->size;
	if (live->intake.is_plain)
		return;
	live->reader.stats.events++;
	if (live->inputs.channel)
		live->accounts.of_cpus[event->cpu].delivered++;
}

const char *live_source__map_name(const struct live_source *live, uint32_t map)
{
	const char *kernels = live->inputs.rings.map_names[map];

	if (live->map_names[map])
		return live->map_names[map];
	return *kernels ? kernels : NULL;
}

/* event->map is set here because ordered events are buffered without it. */
static void name_map(struct live_source *live)
{
	struct peat_event *event = &live->reader.event;

	event->map = live_source__map_name(live, event->type);
}

/* ---- losses ---------------------------------------------------------------------------------- */

#define LOSSES_INTERVAL_NS 100000000u

/* Losses that no LOST record reported: the kernel writes it before the next event of the ring. */
static bool next_raw_loss(struct live_source *live, struct peat_event *event)
{
	for (; live->next_raw < live->raw_cpus; live->next_raw++) {
		uint64_t *reported = &live->raw_lost[live->next_raw], lost;

		if (inputs__lost(&live->inputs, live->next_raw, &lost) || lost <= *reported)
			continue;
		event->kind = PEAT_EVENT_LOST;
		event->cpu = live->next_raw;
		event->lost = lost - *reported;
		event->cause = PEAT_LOST_RING_FULL;
		*reported = lost;
		return true;
	}
	live->next_raw = 0;
	return false;
}

/*
 * When a round ends.  In raw mode, asking the kernel costs a call for each ring.  There may be no
 * further round soon if the reader sleeps.
 */
static bool is_time_for_losses(struct live_source *live)
{
	uint64_t now_ns;

	if (live->flushed || live->in_losses || live->inputs.is_asleep)
		return true;
	if (!live->inputs.channel)
		return false;
	now_ns = monotonic_ns();
	if (now_ns - live->losses_ns < LOSSES_INTERVAL_NS)
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
	live->in_losses = live->inputs.channel ? account__next_loss(&live->accounts, event)
					       : next_raw_loss(live, event);
	live->flushed -= live->flushed && !live->in_losses;
	return live->in_losses;
}

static void count_raw_loss(struct live_source *live)
{
	const struct peat_event *event = &live->reader.event;

	if (event->cpu < live->raw_cpus)
		live->raw_lost[event->cpu] += event->lost;
}

static void update_safe_time(struct live_source *live)
{
	uint64_t before_ns = live->safe_ns;

	if (!live->returned.inputs)
		return;
	live->safe_ns = returned_time__find(&live->returned);
	live->safe_stalls = live->safe_ns > before_ns ? 0 : live->safe_stalls + 1;
}

static void live_source__name(struct peat_reader *reader)
{
	intake__name_task(&live_of(reader)->intake);
}

static bool next_event(struct live_source *live)
{
	return live->is_ordered ? ordered__next(&live->ordered) : intake__next(&live->intake);
}

/* Programs wake the reader for losses that they count from now on: the others are returned now. */
static int end_round(struct live_source *live)
{
	int err = counts__rehouse(live);

	update_safe_time(live);
	inputs__end_round(&live->inputs, live->is_ordered && ordered__holds_events(&live->ordered));
	return err ? err : next_loss(live);
}

static int live_source__next(struct peat_reader *reader)
{
	struct live_source *live = live_of(reader);

	if (live->flight.is_on) {
		flight__round(&live->flight, &live->inputs, &live->accounts);
		return 0;
	}
	if (live->in_losses)
		return next_loss(live);
	if (!next_event(live))
		return end_round(live);
	if (reader->event.kind == PEAT_EVENT_DATA) {
		count_data(live);
		if (!live->inputs.channel && !live->intake.sampling)
			name_map(live);
	} else if (reader->event.kind == PEAT_EVENT_LOST && !live->inputs.channel) {
		count_raw_loss(live);
	}
	return 1;
}

static int live_source__fd(const struct peat_reader *reader)
{
	return const_live_of(reader)->inputs.epoll_fd;
}

static int live_source__wait(struct peat_reader *reader, int timeout_ms)
{
	struct live_source *live = live_of(reader);
	bool pending = live->is_ordered && ordered__is_ready(&live->ordered);
	int ready = inputs__wait(&live->inputs, pending ? 0 : timeout_ms);

	return !ready && pending ? 1 : ready;
}

static void live_source__interrupt(const struct peat_reader *reader)
{
	inputs__interrupt(&const_live_of(reader)->inputs);
}

static void live_source__pause(struct peat_reader *reader)
{
	struct live_source *live = live_of(reader);

	if (live->flight.is_on) {
		flight__pause(&live->flight, &live->inputs);
		return;
	}
	if (live->intake.sampling) {
		inputs__stop_sampling(&live->inputs);
		return;
	}
	inputs__stay_awake(&live->inputs); /* programs cannot wake it */
	rings__pause(&live->inputs.rings);
	inputs__collect_soon(&live->inputs, true);
}

static void live_source__flush(struct peat_reader *reader)
{
	struct live_source *live = live_of(reader);

	live->flight.is_flushed = true;
	if (live->flight.is_on)
		return;
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

static uint64_t live_source__safe_time(struct peat_reader *reader, bool is_urgent)
{
	struct live_source *live = live_of(reader);
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

/* ---- types ----------------------------------------------------------------------------------- */

static bool has_map(const struct live_source *live, uint32_t map)
{
	return !live->inputs.channel && !live->intake.sampling &&
	       map < live->inputs.rings.events.outputs;
}

static int live_source__set_schema(struct peat_reader *reader, uint32_t map,
				   const struct peat_schema *schema)
{
	struct live_source *live = live_of(reader);

	if (!has_map(live, map))
		return -EINVAL;
	live->intake.schemas[map] = schema;
	return 0;
}

static int live_source__set_map_name(struct peat_reader *reader, uint32_t map, const char *name)
{
	struct live_source *live = live_of(reader);

	if (!has_map(live, map))
		return -EINVAL;
	live->map_names[map] = name;
	return 0;
}

static bool type_of_map(const struct live_source *live, uint32_t i, struct reader_type *type)
{
	const char *name;

	if (!has_map(live, i))
		return false;
	name = live_source__map_name(live, i);
	type->type = i;
	type->schema = live->intake.schemas[i];
	type->name = type->schema ? peat_schema__name(type->schema) : name ? name : "map";
	type->map = name;
	type->stacks = live->inputs.rings.events.stacks.kinds & STACK_REQUEST_KINDS;
	type->stack_memory = live->inputs.rings.events.stacks.memory;
	return true;
}

bool live_source__channel_type(const struct peat_channel *channel, uint32_t i,
			       struct reader_type *type)
{
	const char *name;

	if (!channel__type_at(channel, i, &type->type))
		return false;
	type->schema = peat_channel__schema(channel, type->type);
	name = peat_channel__type_name(channel, type->type);
	type->name = name ? name : "unknown";
	type->stacks = taken_stacks__of_type(channel, type->type);
	type->stack_memory = channel->opts.stack_memory;
	return true;
}

static bool live_source__type(struct peat_reader *reader, uint32_t i, struct reader_type *type)
{
	const struct live_source *live = live_of(reader);

	if (live->intake.sampling)
		return sampling_types__at(live->intake.sampling, i, type);
	return live->inputs.channel ? live_source__channel_type(live->inputs.channel, i, type)
				    : type_of_map(live, i, type);
}

static const struct btf *live_source__btf(const struct peat_reader *reader, uint32_t i)
{
	const struct peat_channel *channel = const_live_of(reader)->inputs.channel;

	return channel && i < channel->bound_count ? channel__btf(&channel->bound[i]) : NULL;
}

/* ---- counts ---------------------------------------------------------------------------------- */

static int ledger_of(const struct live_source *live, const struct accounts *accounts, uint32_t cpu,
		     struct peat_ledger *ledger)
{
	if (!live->inputs.channel)
		return -ENOTSUP;
	if (cpu != PEAT_ALL_CPUS && cpu >= accounts->cpus)
		return -EINVAL;
	return account__fill(accounts, cpu, ledger);
}

static int live_source__ledger(const struct peat_reader *reader, uint32_t cpu,
			       struct peat_ledger *ledger)
{
	const struct live_source *live = const_live_of(reader);

	return ledger_of(live, &live->accounts, cpu, ledger);
}

static int live_source__map_lost(const struct peat_reader *reader, uint32_t map, uint64_t *lost)
{
	const struct live_source *live = const_live_of(reader);

	const struct sampling *sampling = live->intake.sampling;
	bool is_sampler = sampling && map < sampling->samplers.count;

	if (!is_sampler && !has_map(live, map))
		return -EINVAL;
	if (!live->inputs.rings.events.counts_lost)
		return -ENOTSUP;
	if (is_sampler)
		return inputs__sampler_lost(&live->inputs, map, lost);
	return inputs__map_lost(&live->inputs, map, lost);
}

static int lost_of_rings(const struct inputs *inputs, uint64_t *lost)
{
	*lost = 0;
	for (uint32_t cpu = 0; cpu < inputs->rings.limit; cpu++) {
		uint64_t ring_lost;
		int err = inputs__lost(inputs, cpu, &ring_lost);

		if (err)
			return err;
		*lost += ring_lost;
	}
	return 0;
}

/*
 * Sets stats->lost to the most exact count there is.  In raw mode these are never added:
 * PERF_FORMAT_LOST counts all losses, and those in LOST and LOST_SAMPLES records overlap.
 */
static int fill_lost_stats(const struct live_source *live, const struct accounts *accounts,
			   struct peat_reader_stats *stats)
{
	bool counts_lost = live->inputs.rings.events.counts_lost;
	struct peat_ledger ledger;
	int err;

	stats->lost_is_exact = live->inputs.channel || counts_lost;
	if (live->inputs.channel) {
		err = account__fill(accounts, PEAT_ALL_CPUS, &ledger);
		stats->lost = err ? 0 : peat_ledger__lost(&ledger) - ledger.overwritten;
		stats->filtered += err ? 0 : ledger.filtered;
		stats->counted += err ? 0 : ledger.counted;
		return err;
	}
	if (counts_lost)
		return lost_of_rings(&live->inputs, &stats->lost);
	stats->lost = stats->lost_records > stats->lost_samples ? stats->lost_records
								: stats->lost_samples;
	return 0;
}

static void live_source__count(const struct peat_reader *reader, struct peat_reader_stats *stats)
{
	const struct live_source *live = const_live_of(reader);

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
	int err = fill_lost_stats(live, accounts, stats);

	stats->skipped_is_known = skipped__read(&live->inputs.skipped, &stats->skipped);
	return err ?: inputs__side_lost(names, &stats->side_band_lost);
}

static int live_source__add_losses(const struct peat_reader *reader,
				   struct peat_reader_stats *stats)
{
	const struct live_source *live = const_live_of(reader);

	return add_losses(live, &live->accounts, stats);
}

static void live_source__publish(struct peat_reader *reader)
{
	struct live_source *live = live_of(reader);

	if (live->inputs.channel)
		account__copy_counts(&live->published, &live->accounts);
}

/* CPUs that return get new file descriptors, so those that are read here have a lock. */
static int live_source__read_published(const struct peat_reader *reader, uint32_t cpu,
				       struct peat_reader_stats *stats, struct peat_ledger *ledger)
{
	const struct live_source *live = const_live_of(reader);
	pthread_mutex_t *lock = (pthread_mutex_t *)&live->inputs.reopen_lock;
	int err = 0;

	pthread_mutex_lock(lock);
	if (ledger)
		err = ledger_of(live, &live->published, cpu, ledger);
	if (!err && stats)
		err = add_losses(live, &live->published, stats);
	pthread_mutex_unlock(lock);
	return err;
}

const struct source_ops live_source__ops = {
	.free = live_source__free,
	.fd = live_source__fd,
	.wait = live_source__wait,
	.interrupt = live_source__interrupt,
	.next = live_source__next,
	.name = live_source__name,
	.flush = live_source__flush,
	.pause = live_source__pause,
	.safe_time = live_source__safe_time,
	.type = live_source__type,
	.btf = live_source__btf,
	.set_schema = live_source__set_schema,
	.set_map_name = live_source__set_map_name,
	.count = live_source__count,
	.add_losses = live_source__add_losses,
	.publish = live_source__publish,
	.read_published = live_source__read_published,
	.map_lost = live_source__map_lost,
	.ledger = live_source__ledger,
};

/* ---- opening --------------------------------------------------------------------------------- */

static int check_sample(const struct inputs_config *config, const struct peat_reader_opts *opts)
{
	if (!(opts->sample & ~(uint32_t)SAMPLE_FIELDS) && (!opts->sample || config->maps))
		return 0;
	log__error("peat_reader_opts: sample is %#x: ip, callchain, cgroup, regs_user and "
		   "stack_user are for raw events only",
		   opts->sample);
	return -EINVAL;
}

static int check_stacks(const struct inputs_config *config, struct peat_reader_opts *opts)
{
	struct stack_request stacks = { opts->stacks, opts->stack_depth, opts->stack_memory };
	int err = stack_request__set_defaults(&stacks, "peat_reader_opts");

	opts->stack_depth = stacks.depth;
	opts->stack_memory = stacks.memory;
	if (err || !(opts->stacks & STACK_REQUEST_KINDS))
		return err;
	if (opts->sample & (PEAT_SAMPLE_CALLCHAIN | PEAT_SAMPLE_REGS_USER | PEAT_SAMPLE_STACK_USER))
		log__error("peat_reader_opts: stacks cannot be used with sample of callchain, "
			   "regs_user or stack_user: these are the stacks");
	else if (!config->maps)
		log__error("peat_reader_opts: stacks is for raw events: set it in the options of "
			   "the channel, or of the sampled events");
	else
		return 0;
	return -EINVAL;
}

static int check_ordered(const struct inputs_config *config, const struct peat_reader_opts *opts)
{
	if (!opts->ordered)
		return 0;
	if (opts->immediate) {
		log__error("peat_reader_opts: ordered and immediate exclude each other: ordered "
			   "events wait until no older event can follow");
		return -EINVAL;
	}
	if (config->channel && config->channel->opts.no_time) {
		log__error("peat_reader_opts: events of a channel with no_time cannot be ordered");
		return -EINVAL;
	}
	return 0;
}

#define OVERWRITE_MAX (2048ULL << 20)

static int check_overwrite(const struct inputs_config *config, const struct peat_reader_opts *opts)
{
	if (!opts->overwrite)
		return 0;
	if (opts->memory_bytes || opts->kinds || opts->table || opts->immediate ||
	    (config->channel && config->channel->opts.table)) {
		log__error("peat_reader_opts: overwrite excludes memory_bytes, kinds, table and "
			   "immediate: events are read from snapshots only");
		return -EINVAL;
	}
	if (opts->overwrite > OVERWRITE_MAX) {
		log__error("peat_reader_opts: overwrite is %llu bytes: a ring has 2 GiB at most",
			   (unsigned long long)opts->overwrite);
		return -EINVAL;
	}
	if (config->sampling) {
		log__error("peat_reader_opts: overwrite is for events of programs, not for sampled "
			   "events");
		return -EINVAL;
	}
	if (config->channel && config->channel->opts.no_time) {
		log__error("peat_reader_opts: overwrite: snapshots sort events by time: use a "
			   "channel without no_time");
		return -EINVAL;
	}
	return 0;
}

static int check_opts(const struct inputs_config *config, struct peat_reader_opts *opts)
{
	static const uint8_t zeroes[sizeof(opts->reserved)];
	bool needs_kinds = !config->channel && !config->maps && !config->sampling;
	int err;

	if (opts->latency_ms > LATENCY_MS_MAX || (opts->latency_ms && opts->immediate)) {
		log__error("peat_reader_opts: latency_ms is at most %u, and 0 with immediate",
			   LATENCY_MS_MAX);
		return -EINVAL;
	}
	if (opts->kinds & ~KINDS_ALL || (needs_kinds && !opts->kinds)) {
		log__error("peat_reader_opts: kinds is %#x: set it to PEAT_KIND_... values, or-ed",
			   opts->kinds);
		return -EINVAL;
	}
	if (memcmp(opts->reserved, zeroes, sizeof(zeroes))) {
		log__error("peat_reader_opts: reserved must be 0");
		return -EINVAL;
	}
	err = check_sample(config, opts);
	if (!err)
		err = check_stacks(config, opts);
	if (!err)
		err = check_overwrite(config, opts);
	return err ? err : check_ordered(config, opts);
}

static int open_source(struct live_source *live, const struct inputs_config *config,
		       const struct peat_reader_opts *opts)
{
	const struct peat_channel *channel = config->channel;
	struct peat_reader_opts inputs_opts = *opts;
	int err;

	inputs_opts.names = opts->names && !opts->overwrite; /* live/flight.c follows them */
	err = inputs__open(&live->inputs, config, &inputs_opts);
	if (err)
		return err;
	if (channel && opts->immediate && channel->opts.batch_bytes)
		log__warn("an immediate reader needs an unstaged channel: staged events wait for "
			  "up to %u ms",
			  live->inputs.tick_ms);
	err = intake__open(&live->intake, opts->kinds);
	if (!err && channel)
		err = account__open(&live->accounts, &live->inputs)
			      ?: account__open_copy(&live->published, &live->accounts)
			      ?: source__count_selection(&live->reader, channel->cpus);
	if (!err && !channel && live->inputs.rings.events.counts_lost) {
		live->raw_cpus = live->inputs.rings.limit;
		live->raw_lost = calloc(live->raw_cpus + 1, sizeof(*live->raw_lost));
		err = live->raw_lost ? 0 : -ENOMEM;
	}
	live->is_ordered = opts->ordered;
	live->latency_ms = opts->latency_ms;
	live->intake.is_plain = channel && !opts->ordered;
	if (!err && opts->ordered)
		err = ordered__open(&live->ordered, &live->intake, opts->latency_ms);
	if (!err)
		err = flight__open(&live->flight, &live->inputs, &live->accounts, opts);
	return err ? err : rings__start(&live->inputs.rings);
}

static struct peat_reader *new_source(const struct inputs_config *config,
				      const struct peat_reader_opts *callers_opts)
{
	struct peat_reader_opts opts = PEAT_READER_OPTS_INIT;
	struct fork_mark *mark;
	struct live_source *live;
	int err = opts__read(&opts, sizeof(opts), callers_opts, "peat_reader_opts");

	if (!err)
		err = check_opts(config, &opts);
	if (!err && config->sampling)
		err = sampling__choose(config->sampling, opts.cpus);
	if (err)
		return fail_null(err);
	if (!opts.latency_ms && !opts.immediate)
		opts.latency_ms = PEAT_DEFAULT_LATENCY_MS;
	if (config->channel && !opts.where)
		opts.where = config->channel->opts.where;
	if (config->channel && !opts.table)
		opts.table = config->channel->opts.table;
	if (opts.overwrite) {
		opts.latency_ms = LATENCY_MS_MAX; /* no ticks: nothing is read */
		opts.ordered = false;
	}
	mark = fork_mark__new();
	live = mark ? calloc(1, sizeof(*live)) : NULL;
	if (!live) {
		err = mark ? -ENOMEM : -errno;
		fork_mark__free(mark);
		return fail_null(err);
	}
	live->reader.ops = &live_source__ops;
	live->reader.mark = mark;
	live->reader.selection.where = opts.where;
	live->reader.selection.table = opts.table;
	live->reader.selection.kinds = opts.where_kinds;
	source__open(&live->reader);
	live->intake.reader = &live->reader;
	live->intake.inputs = &live->inputs;
	live->intake.accounts = &live->accounts;
	live->intake.sampling = config->sampling;
	err = open_source(live, config, &opts);
	if (!err) {
		source__publish(&live->reader);
		return &live->reader;
	}
	live_source__free(&live->reader);
	return fail_null(err);
}

int live_source__open_counters(struct peat_reader *reader, struct map_counters *counters)
{
	int err = map_counters__open(counters);

	if (!err)
		live_of(reader)->inputs.counters = counters;
	return err;
}

void live_source__follow_programs(struct peat_reader *reader, struct program_events *events)
{
	live_of(reader)->inputs.program_events = events;
}

struct peat_reader *peat_reader__new(struct peat_channel *channel,
				     const struct peat_reader_opts *opts)
{
	struct peat_reader *reader;
	int err;

	if (channel->has_reader) {
		log__error("the channel has a reader already: free that one first, or read it: two "
			   "readers would take each other's events");
		return fail_null(-EBUSY);
	}
	reader = new_source(&(struct inputs_config){ .channel = channel }, opts);
	if (!reader)
		return NULL;
	err = live_source__open_counters(reader, &channel->counters)
		      ?: skipped__add_channel(&live_of(reader)->inputs.skipped, channel);
	if (err) {
		live_source__free(reader);
		return fail_null(err);
	}
	live_of(reader)->channel = channel;
	channel__find_stacks(channel);
	channel->has_reader = true;
	counts__begin(live_of(reader));
	return reader;
}

struct peat_reader *peat_reader__new_raw(int map_fd, const struct peat_reader_opts *opts)
{
	return peat_reader__new_maps(&map_fd, 1, opts);
}

struct peat_reader *peat_reader__new_maps(const int *map_fds, uint32_t count,
					  const struct peat_reader_opts *opts)
{
	if (count && count <= INPUTS_MAPS)
		return new_source(&(struct inputs_config){ .map_fds = map_fds, .maps = count },
				  opts);
	log__error("%u maps: a reader needs 1 to %u", count, INPUTS_MAPS);
	return fail_null(-EINVAL);
}

struct peat_reader *peat_reader__new_kinds(const struct peat_reader_opts *opts)
{
	return new_source(&(struct inputs_config){ 0 }, opts);
}

struct peat_reader *sampling__open_reader(struct sampling *sampling, bool is_owner,
					  const struct peat_reader_opts *opts)
{
	struct peat_reader *reader;

	reader = new_source(&(struct inputs_config){ .sampling = sampling }, opts);
	if (reader)
		live_of(reader)->owned_sampling = is_owner ? sampling : NULL;
	return reader;
}

struct peat_reader *peat_reader__new_events(const char *events,
					    const struct peat_sampling_opts *opts,
					    const struct peat_reader_opts *reader_opts)
{
	struct sampling *sampling = sampling__new(events, opts);
	struct peat_reader *reader;
	int err;

	if (!sampling)
		return NULL;
	reader = sampling__open_reader(sampling, true, reader_opts);
	if (reader)
		return reader;
	err = -errno;
	sampling__free(sampling);
	return fail_null(err);
}

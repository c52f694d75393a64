// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* live/channel_input.c: the events of a channel: frames, in rings and in the stage. */
#include "base/errors.h"
#include "base/log.h"
#include "channel/cgroup_filter.h"
#include "channel/ledger.h"
#include "channel/own_ids.h"
#include "channel/type_stacks.h"
#include "live/input.h"
#include "live/program_counts.h"
#include "sys/cgroup_tree.h"
#include "sys/pid_namespace.h"
#include "tables/table.h"
#include "where/tree.h"

/* ---- events ---------------------------------------------------------------------------------- */

/* Events that are not ordered are counted once per frame. */
static int next_channel_event(struct peat_reader *reader)
{
	struct live_source *live = live_source__of(reader);

	if (!live_source__fetch(live))
		return live_source__end_round(live);
	if (reader->event.kind != PEAT_EVENT_DATA)
		return 1;
	reader->stats.event_bytes += reader->event.size;
	if (live->intake.is_plain)
		return 1;
	reader->stats.events++;
	live->accounts.of_cpus[reader->event.cpu].delivered++;
	return 1;
}

static bool next_loss(struct live_source *live, struct peat_event *event)
{
	return account__next_loss(&live->accounts, event);
}

static int count_lost(const struct live_source *live, const struct accounts *accounts,
		      struct peat_reader_stats *stats)
{
	struct peat_ledger ledger;
	int err = account__fill(accounts, PEAT_ALL_CPUS, &ledger);

	(void)live;
	stats->lost_is_exact = true;
	stats->lost = err ? 0 : peat_ledger__lost(&ledger) - ledger.overwritten;
	stats->filtered += err ? 0 : ledger.filtered;
	stats->counted += err ? 0 : ledger.counted;
	return err;
}

/* ---- types ----------------------------------------------------------------------------------- */

bool live_source__channel_type(const struct peat_channel *channel, uint32_t i,
			       struct reader_type *type)
{
	const char *name;

	if (!channel__type_at(channel, i, &type->type))
		return false;
	type->schema = peat_channel__schema(channel, type->type);
	name = peat_channel__type_name(channel, type->type);
	type->name = name ? name : "unknown";
	type->stacks = type_stacks__of(channel, type->type);
	type->stack_memory = channel->opts.stacks.memory_bytes;
	return true;
}

static bool type_at(struct peat_reader *reader, uint32_t i, struct reader_type *type)
{
	if (!live_source__channel_type(live_source__of(reader)->inputs.channel, i, type))
		return false;
	type->has_identity =
		reader->has_identities && type->schema && peat_schema__has_owner(type->schema);
	return true;
}

static const struct btf *btf_at(const struct peat_reader *reader, uint32_t i)
{
	const struct peat_channel *channel = live_source__of(reader)->inputs.channel;

	return i < channel->bound_count ? channel__btf(&channel->bound[i]) : NULL;
}

/* ---- opening --------------------------------------------------------------------------------- */

/*
 * The programs of a channel test and count as much as they can, the reader the rest.  A table is
 * refused with overwrite, and not looked at.
 */
static int take_selection(const struct inputs_config *config, struct peat_reader_opts *opts)
{
	const struct peat_channel *channel = config->channel;

	if (opts->where || opts->table) {
		log__error("peat_reader_opts: where and table of a channel's events: set them in "
			   "the options of the channel");
		return -EINVAL;
	}
	opts->where = channel->opts.where;
	opts->table = channel->opts.table;
	opts->identity |= (opts->where && where__names_identity(opts->where)) ||
			  (opts->table && !opts->overwrite && table__names_identity(opts->table));
	return 0;
}

static int check_time(const struct inputs_config *config, const struct peat_reader_opts *opts)
{
	bool has_time = !config->channel->opts.no_time;

	if (opts->overwrite && !has_time)
		log__error("peat_reader_opts: overwrite: snapshots sort events by time: use a "
			   "channel without no_time");
	else if (opts->ordered && !has_time)
		log__error("peat_reader_opts: events of a channel with no_time cannot be ordered");
	else
		return 0;
	return -EINVAL;
}

/*
 * Samples need no TID and TIME: each event in a frame has its own.  In a pid namespace, programs
 * send the names, and the kernel's records have other pids.  The second output has events whose
 * stacks the kernel samples.
 */
static void lay_out_outputs(struct rings *rings, const struct peat_channel *channel,
			    const struct peat_reader_opts *opts)
{
	rings->map_fds[0] = channel->ring_fd;
	rings->map_fds[1] = channel->sampled_fd;
	perf_events__init(&rings->events, channel->sampled_fd >= 0 ? 2 : 1, false, opts->side_band);
	if (opts->names && pid_namespace__is_initial())
		rings->events.side_kinds |= PEAT_SIDE_BAND_TASK | PEAT_SIDE_BAND_COMM;
	if (opts->identity && cgroup_tree__has_records())
		rings->events.side_kinds |= PEAT_SIDE_BAND_CGROUP;
}

static void lay_out(struct rings *rings, const struct inputs_config *config,
		    const struct peat_reader_opts *opts)
{
	const struct peat_channel *channel = config->channel;
	struct peat_stack_request stacks = channel->opts.stacks;

	stacks.kinds = channel->sampled_stacks;
	lay_out_outputs(rings, channel, opts);
	rings->bells = channel->has_silent ? 0 : channel->bells;
	if (channel->sampled_fd >= 0)
		perf_events__add_stacks(&rings->events, &stacks, 1);
}

/* Frames have no stacks, so that a snapshot can read them all by one layout. */
static void lay_out_flight(struct rings *rings, const struct inputs_config *config,
			   const struct peat_reader_opts *opts)
{
	lay_out_outputs(rings, config->channel, opts);
	if (config->channel->sampled_fd >= 0)
		log__info("a flight recorder keeps no stacks of packets, sockets and cgroups");
}

static int open_accounts(struct live_source *live, const struct peat_reader_opts *opts)
{
	const struct peat_channel *channel = live->inputs.channel;

	if (opts->immediate && channel->opts.batch_bytes)
		log__warn("an immediate reader needs an unstaged channel: staged events wait for "
			  "up to %u ms",
			  live->inputs.tick_ms);
	live->intake.is_plain = !opts->ordered;
	return account__open(&live->accounts, &live->inputs)
		       ?: account__open_copy(&live->published, &live->accounts)
		       ?: source__count_selection(&live->reader, channel->cpus);
}

static int open_flight(struct live_source *live, const struct peat_reader_opts *opts)
{
	return open_accounts(live, opts) ?: flight_rings__open(live, opts);
}

static void leave_channel(struct live_source *live)
{
	if (!live->channel) /* the reader was not opened */
		return;
	program_counts__end(live);
	if (!fork_mark__is_inherited(live->reader.mark))
		live->channel->has_reader = false;
}

static bool filter_cgroup(void *channel, uint64_t id, const struct peat_identity *identity)
{
	return cgroup_filter__update(channel, id, identity);
}

const struct channel_functions channel_functions = {
	.schema = peat_channel__schema,
	.type_name = peat_channel__type_name,
	.counted = cells__counted,
	.filter_cgroup = filter_cgroup,
	.follow_ids = own_ids__follow,
	.close_ids = own_ids__close,
};

const struct live_input channel_input = {
	.ops = { LIVE_SOURCE_OPS, .free = live_source__free, .next = next_channel_event,
		 .flush = live_source__flush, .pause = live_source__pause, .type = type_at,
		 .btf = btf_at },
	.channel_functions = &channel_functions,
	.flight = &flight_of_channel,
	.losses_interval_ns = 100000000,
	.select = take_selection,
	.check = check_time,
	.lay_out = lay_out,
	.open = open_accounts,
	.close = leave_channel,
	.end_round = program_counts__rehouse,
	.next_loss = next_loss,
	.count_lost = count_lost,
};

const struct live_input flight_of_channel = {
	.ops = { LIVE_SOURCE_OPS, .free = live_source__free, .next = flight_rings__next,
		 .flush = flight_rings__flush, .pause = flight_rings__pause, .type = type_at,
		 .btf = btf_at },
	.channel_functions = &channel_functions,
	.lay_out = lay_out_flight,
	.open = open_flight,
	.close = leave_channel,
	.count_lost = count_lost,
};

static int join_channel(struct live_source *live, struct peat_channel *channel)
{
	int err = live_source__open_counters(&live->reader, &channel->counters)
			  ?: skipped__add_channel(&live->inputs.skipped, channel);

	if (err)
		return err;
	live->channel = channel;
	channel__find_stacks(channel);
	channel->has_reader = true;
	program_counts__begin(live);
	return 0;
}

struct peat_reader *peat_reader__new(struct peat_channel *channel,
				     const struct peat_reader_opts *opts)
{
	struct inputs_config config = { .input = &channel_input, .channel = channel };
	struct peat_reader *reader;
	int err;

	if (channel->has_reader) {
		log__error("the channel has a reader already: free that one first, or read it: two "
			   "readers would take each other's events");
		return fail_null(-EBUSY);
	}
	reader = live_source__new(config, opts);
	err = reader ? join_channel(live_source__of(reader), channel) : 0;
	if (!err)
		return reader;
	live_source__free(reader);
	return fail_null(err);
}

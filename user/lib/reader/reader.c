// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* reader.c: events are handed out, at once or by time, and accounted for. */
#include <stdlib.h>
#include <string.h>

#include <peat/reader.h>

#include "live/intake.h"
#include "base/internal.h"
#include "event/kinds.h"
#include "live/ordered.h"
#include "reader/types.h"
#include "replay/source.h"
#include "print/sample_fields.h"

#define LATENCY_MS_MAX (60 * 60 * 1000u)

struct peat_reader {
	struct replay *replay; /* NULL: it reads rings, and what follows counts */
	struct intake in;
	bool is_ordered;
	struct merge merge; /* if so */
};

/* ---- opening --------------------------------------------------------------------------------- */

static int check_times(const struct live_source *source, const struct peat_reader_opts *opts)
{
	if (!opts->ordered || !source->channel || !source->channel->opts.no_time)
		return 0;
	log__error("peat_reader_opts: events of a channel with no_time cannot be ordered");
	return -EINVAL;
}

static int open_reader(struct peat_reader *reader, const struct live_source *source,
		       const struct peat_reader_opts *opts)
{
	const struct peat_channel *channel = source->channel;
	int err = live__open(&reader->in.live, source, opts);

	if (err)
		return err;
	reader->in.kinds = opts->kinds;
	if (channel && !opts->latency_ms && channel->opts.batch_bytes)
		log__warn("latency 0 needs a channel with batch_bytes 0: staged events wait for up "
			  "to %u ms",
			  reader->in.live.tick_ms);
	if (channel)
		err = account__open(&reader->in.accounts, &reader->in.live);
	reader->is_ordered = opts->ordered;
	reader->in.is_plain = channel && !opts->ordered && !opts->names;
	if (!err && opts->ordered)
		err = merge__open(&reader->merge, &reader->in, opts->latency_ms);
	return err ? err : rings__fill_maps(&reader->in.live.rings);
}

static int check_opts(const struct peat_reader_opts *opts, const struct live_source *source)
{
	if (opts->latency_ms > LATENCY_MS_MAX || opts->reserved_too) {
		log__error("peat_reader_opts: latency_ms is at most %u, reserved is 0",
			   LATENCY_MS_MAX);
		return -EINVAL;
	}
	if (opts->sample & ~(uint32_t)SAMPLED_ALL || (opts->sample && !source->maps)) {
		log__error("peat_reader_opts: sample is %#x: ip, callchain, cgroup, regs_user and "
			   "stack_user go with raw events only",
			   opts->sample);
		return -EINVAL;
	}
	if (opts->ordered && !opts->latency_ms) {
		log__error("peat_reader_opts: ordered needs a latency_ms: events wait until "
			   "nothing older can come");
		return -EINVAL;
	}
	if (opts->kinds & ~KINDS_ALL || (!source->channel && !source->maps && !opts->kinds)) {
		log__error("peat_reader_opts: kinds is %#x: or PEAT_KIND_... together",
			   opts->kinds);
		return -EINVAL;
	}
	return 0;
}

static int check_replay_opts(const struct peat_reader_opts *opts)
{
	if (opts->kinds & ~KINDS_RECORDED || opts->sample || opts->reserved_too) {
		log__error(
			"peat_reader_opts: of a recording, kinds is PEAT_KIND_..., or-ed, sample "
			"and reserved are 0");
		return -EINVAL;
	}
	return 0;
}

static struct peat_reader *new_reader(const struct live_source *source,
				      const struct peat_reader_opts *callers_opts)
{
	struct peat_reader_opts opts = PEAT_READER_OPTS_INIT;
	struct peat_reader *reader;
	int err = opts__read(&opts, sizeof(opts), callers_opts, "peat_reader_opts");

	if (!err)
		err = check_opts(&opts, source);
	if (!err)
		err = check_times(source, &opts);
	if (err)
		return fail_null(err);
	reader = calloc(1, sizeof(*reader));
	if (!reader)
		return fail_null(-ENOMEM);
	err = open_reader(reader, source, &opts);
	if (err) {
		peat_reader__free(reader);
		return fail_null(err);
	}
	return reader;
}

struct peat_reader *peat_reader__new(struct peat_channel *channel,
				     const struct peat_reader_opts *opts)
{
	return new_reader(&(struct live_source){ .channel = channel }, opts);
}

struct peat_reader *peat_reader__new_raw(int map_fd, const struct peat_reader_opts *opts)
{
	return peat_reader__new_maps(&map_fd, 1, opts);
}

struct peat_reader *peat_reader__new_maps(const int *map_fds, uint32_t count,
					  const struct peat_reader_opts *opts)
{
	if (count && count <= LIVE_MAPS)
		return new_reader(&(struct live_source){ .map_fds = map_fds, .maps = count }, opts);
	log__error("%u maps: there have to be 1 to %u", count, LIVE_MAPS);
	return fail_null(-EINVAL);
}

struct peat_reader *peat_reader__new_kinds(const struct peat_reader_opts *opts)
{
	return new_reader(&(struct live_source){ 0 }, opts);
}

struct peat_reader *peat_reader__open(const char *path, const struct peat_reader_opts *callers_opts)
{
	struct peat_reader_opts opts = PEAT_READER_OPTS_INIT;
	struct peat_reader *reader;
	int err = opts__read(&opts, sizeof(opts), callers_opts, "peat_reader_opts");

	if (!err)
		err = check_replay_opts(&opts);
	if (err)
		return fail_null(err);
	reader = calloc(1, sizeof(*reader));
	if (!reader)
		return fail_null(-ENOMEM);
	err = replay__open(&reader->replay, path, &opts);
	if (!err)
		return reader;
	free(reader);
	return fail_null(err);
}

const struct peat_schema *peat_reader__type(struct peat_reader *reader, uint32_t i)
{
	return reader->replay ? replay__type(reader->replay, i) : NULL;
}

void peat_reader__free(struct peat_reader *reader)
{
	if (!reader)
		return;
	if (reader->replay) {
		replay__close(reader->replay);
		free(reader);
		return;
	}
	merge__close(&reader->merge);
	live__close(&reader->in.live);
	account__close(&reader->in.accounts);
	free(reader);
}

static bool has_map(const struct peat_reader *reader, uint32_t map)
{
	return !reader->replay && !reader->in.live.channel &&
	       map < reader->in.live.rings.events.outputs;
}

/* 0: such events vary, as they end in what has no size. */
static uint32_t exact_bytes(const struct peat_schema *schema)
{
	uint32_t count = 0;
	const struct peat_field *field = schema ? peat_schema__fields(schema, &count) : NULL;

	for (const struct peat_field *end = field + count; field < end; field += field->span)
		if (!field->bytes)
			return 0;
	return schema ? peat_schema__bytes(schema) : 0;
}

int peat_reader__set_schema(struct peat_reader *reader, uint32_t map,
			    const struct peat_schema *schema)
{
	if (!has_map(reader, map))
		return fail(-EINVAL);
	reader->in.schemas[map] = schema;
	reader->in.exact_bytes[map] = exact_bytes(schema);
	return 0;
}

/* ---- waiting --------------------------------------------------------------------------------- */

int peat_reader__fd(const struct peat_reader *reader)
{
	return reader->replay ? replay__fd(reader->replay) : reader->in.live.epoll_fd;
}

static int wait_for_rings(struct peat_reader *reader, int timeout_ms)
{
	bool pending = reader->is_ordered && merge__is_ready(&reader->merge);
	int ready = live__wait(&reader->in.live, pending ? 0 : timeout_ms);

	return !ready && pending ? 1 : ready;
}

int peat_reader__wait(struct peat_reader *reader, int timeout_ms)
{
	int ready = reader->replay ? replay__wait(reader->replay, timeout_ms)
				   : wait_for_rings(reader, timeout_ms);

	return ready < 0 ? fail(ready) : ready;
}

void peat_reader__break(const struct peat_reader *reader)
{
	if (reader->replay)
		replay__break(reader->replay);
	else
		live__break(&reader->in.live);
}

/* A recording has no programs that go on. */
void peat_reader__pause(struct peat_reader *reader)
{
	if (reader->replay)
		return;
	rings__pause(&reader->in.live.rings);
	live__hurry(&reader->in.live, true);
}

static void flush_rings(struct peat_reader *reader)
{
	if (reader->is_ordered)
		merge__flush(&reader->merge);
	if (reader->in.live.channel || reader->is_ordered)
		live__flush(&reader->in.live);
}

void peat_reader__flush(struct peat_reader *reader)
{
	if (reader->replay)
		replay__flush(reader->replay);
	else
		flush_rings(reader);
}

/* ---------------------------------------------------------------------------------------------- */

static void count(struct peat_reader *reader)
{
	const struct peat_event *event = &reader->in.event;

	if (event->kind != PEAT_EVENT_DATA)
		return;
	reader->in.stats.event_bytes += event->size;
	if (reader->in.is_plain)
		return;
	reader->in.stats.events++;
	if (reader->in.live.channel)
		reader->in.accounts.of_cpus[event->cpu].delivered++;
}

/* Of which map it is, it says itself, also when it was held. */
static void name_map(struct peat_reader *reader)
{
	struct peat_event *event = &reader->in.event;

	if (event->kind == PEAT_EVENT_DATA && *reader->in.live.rings.map_names[event->type])
		event->map = reader->in.live.rings.map_names[event->type];
}

static int next_of_replay(struct replay *replay, const struct peat_event **event)
{
	int more = replay__next(replay, event);

	return more < 0 ? fail(more) : more;
}

static int next_of_rings(struct peat_reader *reader, const struct peat_event **event)
{
	bool more;

	more = reader->is_ordered ? merge__next(&reader->merge) : intake__next(&reader->in);
	*event = more ? &reader->in.event : NULL;
	if (more)
		count(reader);
	if (more && !reader->in.live.channel)
		name_map(reader);
	return more;
}

static __attribute__((noinline)) int next_of_any(struct peat_reader *reader,
						 const struct peat_event **event)
{
	if (reader->replay)
		return next_of_replay(reader->replay, event);
	return next_of_rings(reader, event);
}

/* Most events are one of several in their frame: for those nothing is called. */
int peat_reader__next(struct peat_reader *reader, const struct peat_event **event)
{
	if (!reader->in.is_plain || !intake__step(&reader->in))
		return next_of_any(reader, event);
	*event = &reader->in.framed;
	reader->in.stats.event_bytes += reader->in.framed.size;
	return 1;
}

/* ---- types ----------------------------------------------------------------------------------- */

static bool type_of_map(const struct peat_reader *reader, uint32_t i, struct reader_type *type)
{
	const char *name;

	if (!has_map(reader, i))
		return false;
	name = reader->in.live.rings.map_names[i];
	type->type = i;
	type->schema = reader->in.schemas[i];
	type->name = type->schema ? peat_schema__name(type->schema) : *name ? name : "map";
	return true;
}

static bool type_of_channel(const struct peat_channel *channel, uint32_t i,
			    struct reader_type *type)
{
	const char *name;

	if (!channel__type_at(channel, i, &type->type))
		return false;
	type->schema = peat_channel__schema(channel, type->type);
	name = peat_channel__type_name(channel, type->type);
	type->name = name ? name : "unknown";
	return true;
}

bool reader__type(struct peat_reader *reader, uint32_t i, struct reader_type *type)
{
	if (reader->replay) {
		type->type = i;
		type->schema = replay__type(reader->replay, i);
		type->name = type->schema ? peat_schema__name(type->schema) : NULL;
		return type->schema;
	}
	if (reader->in.live.channel)
		return type_of_channel(reader->in.live.channel, i, type);
	return type_of_map(reader, i, type);
}

const struct btf *reader__btf(const struct peat_reader *reader, uint32_t i)
{
	const struct peat_channel *channel = reader->replay ? NULL : reader->in.live.channel;

	return channel && i < channel->bound_count ? channel__btf(&channel->bound[i]) : NULL;
}

/* ---- accounts -------------------------------------------------------------------------------- */

int peat_reader__ledger(const struct peat_reader *reader, uint32_t cpu,
			struct peat_ledger *callers_ledger)
{
	struct peat_ledger ledger;
	int err;

	if (reader->replay || !reader->in.live.channel)
		return fail(-ENOTSUP);
	if (cpu != PEAT_ALL_CPUS && cpu >= reader->in.accounts.cpus)
		return fail(-EINVAL);
	err = account__fill(&reader->in.accounts, cpu, &ledger);
	if (!err)
		err = opts__write(callers_ledger, &ledger, sizeof(ledger), "peat_ledger");
	return err ? fail(err) : 0;
}

int peat_reader__map_lost(const struct peat_reader *reader, uint32_t map, uint64_t *lost)
{
	int err;

	if (!has_map(reader, map))
		return fail(-EINVAL);
	if (!reader->in.live.rings.events.counts_lost)
		return fail(-ENOTSUP);
	err = live__map_lost(&reader->in.live, map, lost);
	return err ? fail(err) : 0;
}

static int kernels_loss(const struct peat_reader *reader, uint64_t *lost)
{
	*lost = 0;
	for (uint32_t cpu = 0; cpu < reader->in.live.rings.limit; cpu++) {
		uint64_t ring_lost;
		int err = live__lost(&reader->in.live, cpu, &ring_lost);

		if (err)
			return err;
		*lost += ring_lost;
	}
	return 0;
}

/*
 * In raw mode LOST and LOST_SAMPLES tell of overlapping losses, and PERF_FORMAT_LOST has all of
 * both: the best one is taken, they are never added.
 */
static int best_loss(const struct peat_reader *reader, struct peat_reader_stats *stats)
{
	struct peat_ledger ledger;
	int err;

	stats->lost_is_exact = reader->in.live.channel || reader->in.live.rings.events.counts_lost;
	if (reader->in.live.channel) {
		err = account__fill(&reader->in.accounts, PEAT_ALL_CPUS, &ledger);
		stats->lost = err ? 0 : peat_ledger__lost(&ledger);
		return err;
	}
	if (reader->in.live.rings.events.counts_lost)
		return kernels_loss(reader, &stats->lost);
	stats->lost = stats->lost_records > stats->lost_samples ? stats->lost_records
								: stats->lost_samples;
	return 0;
}

int peat_reader__wall_clock(const struct peat_reader *reader, int64_t *offset_ns)
{
	struct timespec now;

	if (reader->replay && !reader->replay->in.header.has_wall_clock)
		return fail(-ENODATA);
	if (reader->replay) {
		*offset_ns = reader->replay->in.header.wall_clock_ns;
		return 0;
	}
	clock_gettime(CLOCK_REALTIME, &now);
	*offset_ns = now.tv_sec * 1000000000LL + now.tv_nsec - (int64_t)monotonic_ns();
	return 0;
}

static int fill_stats(const struct peat_reader *reader, struct peat_reader_stats *stats)
{
	int err;

	*stats = reader->in.stats;
	stats->events += account__uncounted(&reader->in.accounts);
	stats->late = reader->merge.order.late;
	stats->hurried = reader->merge.order.hurried;
	stats->rounds = reader->in.live.round.count;
	stats->rings = reader->in.live.rings.count;
	stats->ring_bytes = reader->in.live.rings.ring_bytes;
	stats->watermark_bytes = reader->in.live.rings.events.watermark_bytes;
	stats->corrupt += live__corrupt(&reader->in.live);
	err = best_loss(reader, stats);
	return err ? err : live__side_lost(&reader->in.live, &stats->side_band_lost);
}

int peat_reader__stats(const struct peat_reader *reader, struct peat_reader_stats *callers_stats)
{
	struct peat_reader_stats stats = { 0 };
	int err = 0;

	if (reader->replay)
		replay__fill_stats(reader->replay, &stats);
	else
		err = fill_stats(reader, &stats);
	if (!err)
		err = opts__write(callers_stats, &stats, sizeof(stats), "peat_reader_stats");
	return err ? fail(err) : 0;
}

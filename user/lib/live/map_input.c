// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* live/map_input.c: the raw events of maps, or no events but the kernel's own records. */
#include "base/errors.h"
#include "base/log.h"
#include "live/ring_losses.h"
#include "record/sample_regs.h"

static bool has_map(const struct live_source *live, uint32_t map)
{
	return map < live->inputs.rings.events.outputs;
}

static const char *map_name(const struct live_source *live, uint32_t map)
{
	const char *kernels = live->inputs.rings.map_names[map];

	if (live->map_names[map])
		return live->map_names[map];
	return *kernels ? kernels : NULL;
}

/* event->map is set here because ordered events are buffered without it. */
static int next_map_event(struct peat_reader *reader)
{
	struct live_source *live = live_source__of(reader);
	struct peat_event *event = &reader->event;

	if (!live_source__fetch(live))
		return live_source__end_round(live);
	if (event->kind == PEAT_EVENT_DATA) {
		reader->stats.event_bytes += event->size;
		reader->stats.events++;
		event->map = map_name(live, event->type);
	} else if (event->kind == PEAT_EVENT_LOST) {
		ring_losses__report(live, event);
	}
	return 1;
}

static int set_schema(struct peat_reader *reader, uint32_t map, const struct peat_schema *schema)
{
	struct live_source *live = live_source__of(reader);

	if (!has_map(live, map))
		return -EINVAL;
	live->intake.schemas[map] = schema;
	return 0;
}

static int set_map_name(struct peat_reader *reader, uint32_t map, const char *name)
{
	struct live_source *live = live_source__of(reader);

	if (!has_map(live, map))
		return -EINVAL;
	live->map_names[map] = name;
	return 0;
}

static int set_map_btf(struct peat_reader *reader, uint32_t map, const struct btf *btf)
{
	struct live_source *live = live_source__of(reader);

	if (!has_map(live, map))
		return -EINVAL;
	live->map_btfs[map] = btf;
	return 0;
}

static const struct btf *btf_at(const struct peat_reader *reader, uint32_t i)
{
	const struct live_source *live = live_source__of(reader);

	for (uint32_t map = 0; has_map(live, map); map++)
		if (live->map_btfs[map] && !i--)
			return live->map_btfs[map];
	return NULL;
}

static bool type_at(struct peat_reader *reader, uint32_t i, struct reader_type *type)
{
	const struct live_source *live = live_source__of(reader);
	const char *name;

	if (!has_map(live, i))
		return false;
	name = map_name(live, i);
	type->type = i;
	type->schema = live->intake.schemas[i];
	type->name = type->schema ? peat_schema__name(type->schema) : name ? name : "map";
	type->map = name;
	type->stacks = live->inputs.rings.events.stacks.kinds & STACK_OPTS_KINDS;
	type->stack_memory = live->inputs.rings.events.stacks.memory_bytes;
	return true;
}

static int map_lost(const struct peat_reader *reader, uint32_t map, uint64_t *lost)
{
	const struct live_source *live = live_source__of(reader);

	if (!has_map(live, map))
		return -EINVAL;
	return live->inputs.rings.events.counts_lost ? inputs__map_lost(&live->inputs, map, lost)
						     : -ENOTSUP;
}

static void lay_out(struct rings *rings, const struct inputs_config *config,
		    const struct peat_reader_opts *opts)
{
	for (uint32_t map = 0; map < config->maps; map++)
		rings->map_fds[map] = config->map_fds[map];
	perf_events__init(&rings->events, config->maps, true, opts->side_band);
	perf_events__add_sample_fields(&rings->events, opts->sample);
	perf_events__add_stacks(&rings->events, &opts->stacks, 0);
	if (opts->names)
		rings->events.side_kinds |= PEAT_SIDE_BAND_TASK | PEAT_SIDE_BAND_COMM;
}

const struct live_input map_input = {
	.ops = { LIVE_SOURCE_OPS, .free = live_source__free, .next = next_map_event,
		 .flush = live_source__flush, .pause = live_source__pause, .type = type_at,
		 .set_schema = set_schema, .set_map_name = set_map_name, .set_map_btf = set_map_btf,
		 .btf = btf_at, .map_lost = map_lost },
	.flight = &flight_of_maps,
	.sample_fields = SAMPLE_FIELDS,
	.takes_stacks = true,
	.lay_out = lay_out,
	.open = ring_losses__open,
	.next_loss = ring_losses__next,
	.count_lost = ring_losses__count,
};

const struct live_input side_band_input = {
	.ops = { LIVE_SOURCE_OPS, .free = live_source__free, .next = next_map_event,
		 .flush = live_source__flush, .pause = live_source__pause, .type = type_at },
	.needs_side_band = true,
	.lay_out = lay_out,
	.open = ring_losses__open,
	.next_loss = ring_losses__next,
	.count_lost = ring_losses__count,
};

const struct live_input flight_of_maps = {
	.ops = { LIVE_SOURCE_OPS, .free = live_source__free, .next = flight_rings__next,
		 .flush = flight_rings__flush, .pause = flight_rings__pause, .type = type_at,
		 .set_schema = set_schema, .set_map_name = set_map_name, .set_map_btf = set_map_btf,
		 .btf = btf_at, .map_lost = map_lost },
	.lay_out = lay_out,
	.open = flight_rings__open,
	.count_lost = ring_losses__count,
};

struct peat_reader *peat_reader__new_raw(int map_fd, const struct peat_reader_opts *opts)
{
	return peat_reader__new_maps(&map_fd, 1, opts);
}

struct peat_reader *peat_reader__new_maps(const int *map_fds, uint32_t count,
					  const struct peat_reader_opts *opts)
{
	struct inputs_config config = { .input = &map_input, .map_fds = map_fds, .maps = count };

	if (count && count <= INPUTS_MAPS)
		return live_source__new(config, opts);
	log__error("%u maps: a reader needs 1 to %u", count, INPUTS_MAPS);
	return fail_null(-EINVAL);
}

struct peat_reader *peat_reader__new_side_band(const struct peat_reader_opts *opts)
{
	return live_source__new((struct inputs_config){ .input = &side_band_input }, opts);
}

// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* live/sampler_input.c: the events that the kernel samples. */
#include "base/errors.h"
#include "base/opts.h"
#include "live/ring_losses.h"
#include "live/sampling.h"
#include "live/sampling_types.h"
#include "ring/stack_opts.h"

static int next_sample(struct peat_reader *reader)
{
	struct live_source *live = live_source__of(reader);

	if (!live_source__fetch(live))
		return live_source__end_round(live);
	if (reader->event.kind == PEAT_EVENT_DATA) {
		reader->stats.event_bytes += reader->event.size;
		reader->stats.events++;
	} else if (reader->event.kind == PEAT_EVENT_LOST) {
		ring_losses__report(live, &reader->event);
	}
	return 1;
}

static void stop_sampling(struct peat_reader *reader)
{
	struct inputs *inputs = &live_source__of(reader)->inputs;

	rings__disable(&inputs->rings);
	inputs->drain_now = true;
}

static bool type_at(struct peat_reader *reader, uint32_t i, struct reader_type *type)
{
	return sampling_types__at(live_source__of(reader)->intake.sampling, i, type);
}

static int sampler_lost(const struct peat_reader *reader, uint32_t sampler, uint64_t *lost)
{
	const struct inputs *inputs = &live_source__of(reader)->inputs;

	if (sampler >= inputs->rings.events.samplers->count)
		return -EINVAL;
	return inputs->rings.events.counts_lost ? inputs__sampler_lost(inputs, sampler, lost)
						: -ENOTSUP;
}

static int choose(const struct inputs_config *config, const struct peat_reader_opts *opts)
{
	return sampling__choose(config->sampling, opts->cpus);
}

static void lay_out(struct rings *rings, const struct inputs_config *config,
		    const struct peat_reader_opts *opts)
{
	perf_events__init_samplers(&rings->events, &config->sampling->samplers,
				   opts->side_band | PEAT_SIDE_BAND_TASK | PEAT_SIDE_BAND_COMM);
}

/* The rings use the samplers until they are closed. */
static void free_reader(struct peat_reader *reader)
{
	struct sampling *owned = live_source__of(reader)->owned_sampling;

	live_source__free(reader);
	sampling__free(owned);
}

const struct live_input sampler_input = {
	.ops = { LIVE_SOURCE_OPS, .free = free_reader, .next = next_sample,
		 .flush = live_source__flush, .pause = stop_sampling, .type = type_at,
		 .map_lost = sampler_lost },
	.takes_stacks = true,
	.check = choose,
	.lay_out = lay_out,
	.open = ring_losses__open,
	.next_loss = ring_losses__next,
	.count_lost = ring_losses__count,
};

struct peat_reader *sampling__open_reader(struct sampling *sampling, bool is_owner,
					  const struct peat_reader_opts *opts)
{
	struct inputs_config config = { .input = &sampler_input, .sampling = sampling };
	struct peat_reader *reader = live_source__new(config, opts);

	if (reader && is_owner)
		live_source__of(reader)->owned_sampling = sampling;
	return reader;
}

struct peat_reader *peat_reader__new_events(const char *events,
					    const struct peat_sampling_opts *opts,
					    const struct peat_reader_opts *reader_opts)
{
	struct peat_reader_opts checked = PEAT_READER_OPTS_INIT;
	struct sampling *sampling;
	struct peat_reader *reader;
	int err = opts__read(&checked, sizeof(checked), reader_opts, "peat_reader_opts");

	if (!err)
		err = stack_opts__set_defaults(&checked.stacks, "peat_reader_opts");
	if (err)
		return fail_null(err);
	sampling = sampling__new(events, opts, &checked.stacks);
	if (!sampling)
		return NULL;
	reader = sampling__open_reader(sampling, true, reader_opts);
	if (reader)
		return reader;
	err = -errno;
	sampling__free(sampling);
	return fail_null(err);
}

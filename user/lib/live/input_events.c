// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* live/input_events.c: the perf events and the maps that the options of a reader request. */
#include <string.h>

#include "base/internal.h"
#include "live/input_events.h"
#include "live/sampling.h"
#include "sys/pid_namespace.h"

/* The second output has events whose stacks the kernel samples. */
static uint32_t channel_outputs(const struct inputs_config *source)
{
	return source->channel->sampled_fd >= 0 ? 2 : 1;
}

/*
 * Frames in a ring that overwrites have no stacks, so that a snapshot can read them all by one
 * layout.
 */
static void add_stacks(struct perf_events *events, const struct inputs_config *source,
		       const struct peat_reader_opts *opts)
{
	const struct peat_channel *channel = source->channel;

	if (source->maps) {
		struct stack_request stacks = { opts->stacks, opts->stack_depth,
						opts->stack_memory };

		perf_events__add_stacks(events, &stacks, 0);
	} else if (channel && channel->sampled_fd >= 0 && opts->overwrite) {
		log__info("a flight recorder keeps no stacks of packets, sockets and cgroups");
	} else if (channel && channel->sampled_fd >= 0) {
		struct stack_request stacks = { channel->sampled_stacks, channel->opts.stack_depth,
						channel->opts.stack_memory };

		perf_events__add_stacks(events, &stacks, 1);
	}
}

static void set_maps(struct rings *rings, const struct inputs_config *source,
		     const struct peat_reader_opts *opts)
{
	const struct peat_channel *channel = source->channel;

	if (channel) {
		rings->map_fds[0] = channel->ring_fd;
		rings->map_fds[1] = channel->sampled_fd;
		rings->bells = channel->has_silent || opts->overwrite ? 0 : channel->bells;
	} else if (source->maps) {
		memcpy(rings->map_fds, source->map_fds, source->maps * sizeof(int));
	}
	rings->keep_slots = opts->keep_slots;
}

/*
 * Samples of a channel need no TID and TIME: each event in a frame has its own.  In a pid
 * namespace, programs send the names, and the kernel's records have other pids.
 */
void input_events__init(struct rings *rings, const struct inputs_config *source,
			const struct peat_reader_opts *opts)
{
	struct perf_events *events = &rings->events;

	set_maps(rings, source, opts);
	if (source->sampling) {
		perf_events__init_samplers(events, &source->sampling->samplers,
					   opts->kinds | PEAT_KIND_TASK | PEAT_KIND_COMM);
		events->data_maps = opts->data_maps;
		return;
	}
	perf_events__init(events, source->channel ? channel_outputs(source) : source->maps,
			  !source->channel, opts->kinds);
	perf_events__add_sample_fields(events, opts->sample);
	add_stacks(events, source, opts);
	events->overwrites = opts->overwrite;
	events->data_maps = opts->data_maps;
	if (opts->names && (!source->channel || pid_namespace__is_initial()))
		events->side_kinds |= PEAT_KIND_TASK | PEAT_KIND_COMM;
}

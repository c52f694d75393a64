// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* live/program_perf_events.c: perf events that programs use, opened again on CPUs that return. */
#include "channel/map_counters.h"
#include "channel/program_events.h"
#include "live/input.h"

int live_source__open_counters(struct peat_reader *reader, struct map_counters *counters)
{
	static const struct counter_functions functions = { map_counters__reopen,
							    map_counters__close };
	struct inputs *inputs = &live_source__of(reader)->inputs;
	int err = map_counters__open(counters);

	if (err)
		return err;
	inputs->counter_functions = &functions;
	inputs->counters = counters;
	return 0;
}

void live_source__follow_programs(struct peat_reader *reader, struct program_events *events)
{
	static const struct program_event_functions functions = { program_events__reopen };
	struct inputs *inputs = &live_source__of(reader)->inputs;

	inputs->program_event_functions = &functions;
	inputs->program_events = events;
}

// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* trigger.c: the source of --on, or its counters. */
#include <string.h>

#include "cli/base/messages.h"
#include "cli/cli.h"
#include "cli/run/source_hints.h"
#include "cli/run/sources.h"
#include "cli/record/trigger.h"
#include "cli/run/types.h"
#include "probe.h"

/* A perf event triggers by its count only.  Tracepoints, with a colon, are sources, too. */
static bool lacks_count(const char *on)
{
	return !strchr(on, ':') && !probe__find(on) && source_hints__is_perf_event(on);
}

/* Unstaged and immediate: each event wakes peat.  Programs reject the others. */
int trigger__open(struct trigger *trigger, const struct options *options)
{
	struct peat_channel_opts channel = PEAT_CHANNEL_OPTS_INIT;
	struct peat_session_opts opts = { .sz = sizeof(opts), .channel = &channel };
	const struct source_fields fields = { .only = true };

	if (!options->flight.on || options->flight.on_count.is_given)
		return 0;
	if (lacks_count(options->flight.on)) {
		messages__print("--on '%s': a perf event triggers by its count: use --on '%s>1000'",
				options->flight.on, options->flight.on);
		return EXIT_USAGE;
	}
	channel.unstaged = true;
	opts.btf = options->objects.btf;
	if (options->flight.on_where)
		opts.where = trigger->where = peat_where__parse(options->flight.on_where);
	if (options->flight.on_where && !trigger->where)
		return EXIT_USAGE;
	trigger->session = peat_session__new(&opts);
	if (!trigger->session)
		return EXIT_FAILED;
	return sources__add(trigger->session, &options->flight.on, 1, &fields, &trigger->side_band);
}

int trigger__start(struct trigger *trigger, const struct run *run)
{
	struct peat_reader_opts opts = PEAT_READER_OPTS_INIT;

	if (run->options->flight.on_count.is_given)
		return counter_trigger__open(&trigger->counter, run);
	if (!trigger->session)
		return 0;
	opts.immediate = true;
	opts.names = true; /* an expression may have comm */
	opts.side_band = opts.where_side_band = trigger->side_band;
	if (peat_session__start(trigger->session, &opts))
		return EXIT_FAILED;
	trigger->reader = peat_session__reader(trigger->session);
	return 0;
}

void trigger__close(struct trigger *trigger)
{
	counter_trigger__close(&trigger->counter);
	peat_session__free(trigger->session);
	peat_where__free(trigger->where);
	*trigger = (struct trigger){ 0 };
}

int trigger__fd(const struct trigger *trigger)
{
	return trigger->reader ? peat_reader__fd(trigger->reader)
			       : counter_trigger__fd(&trigger->counter);
}

static bool is_match(const struct trigger *trigger, const struct peat_event *event)
{
	return event->kind == PEAT_EVENT_DATA ||
	       (event->kind == PEAT_EVENT_RECORD && types__has_kind(event, trigger->side_band));
}

uint64_t trigger__count(struct trigger *trigger)
{
	const struct peat_event *event;
	uint64_t count = counter_trigger__count(&trigger->counter);

	while (trigger->reader && peat_reader__next(trigger->reader, &event) > 0)
		count += is_match(trigger, event);
	return count;
}

void trigger__restart(struct trigger *trigger)
{
	counter_trigger__restart(&trigger->counter);
}

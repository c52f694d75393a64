// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* live/counts.c: collects what programs counted. */
#include "base/internal.h"
#include "live/counts.h"
#include "tables/table.h"

#define REHOUSE_NS 1000000000ULL

/* A source of table__set_source(). */
static int collect(void *source)
{
	struct live_source *live = source;

	live->homeless = live->reader.stats.counted;
	live->collected_ns = monotonic_ns();
	return cells__collect(&live->channel->cells, &live->inputs.stage,
			      live->channel->opts.table);
}

static bool programs_count(const struct live_source *live)
{
	return live->channel && live->channel->cells.fd >= 0;
}

void counts__begin(struct live_source *live)
{
	if (programs_count(live))
		table__set_source(live->channel->opts.table, collect, live, live->reader.mark);
}

int counts__rehouse(struct live_source *live)
{
	if (!programs_count(live) || live->homeless == live->reader.stats.counted ||
	    monotonic_ns() - live->collected_ns < REHOUSE_NS)
		return 0;
	return collect(live);
}

void counts__end(struct live_source *live)
{
	int err = 0;

	if (!programs_count(live))
		return;
	if (!fork_mark__is_inherited(live->reader.mark))
		err = collect(live);
	if (err)
		log__error("cannot read the last counts of the programs: %s", strerror(-err));
	table__set_source(live->channel->opts.table, NULL, NULL, NULL);
}

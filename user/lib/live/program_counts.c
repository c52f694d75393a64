// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* live/program_counts.c: collects what programs counted. */
#include <string.h>

#include "base/log.h"
#include "base/monotonic.h"
#include "live/program_counts.h"
#include "tables/table.h"

#define REHOUSE_NS 1000000000ULL

static int collect(struct live_source *live, int timeout_ms)
{
	live->homeless = live->reader.stats.counted;
	live->collected_ns = monotonic_ns();
	return cells__collect(&live->channel->cells, &live->inputs.stage, live->channel->opts.table,
			      timeout_ms);
}

/* A program that is preempted continues in some milliseconds, or not soon. */
#define READ_WAIT_MS 50

/*
 * A source of table__set_source(): the caller waits, and reads no ring meanwhile.  If only programs
 * may lock slots, all counts need a grace period, and a read that does not wait would have none.
 */
static int collect_for_read(void *source)
{
	struct live_source *live = source;

	return collect(live, live->inputs.stage.collector ? -1 : READ_WAIT_MS);
}

static bool programs_count(const struct live_source *live)
{
	return live->channel->cells.fd >= 0;
}

void program_counts__begin(struct live_source *live)
{
	if (programs_count(live))
		table__set_source(live->channel->opts.table, collect_for_read, live,
				  live->reader.mark);
}

/* A part of a round: it does not wait. */
int program_counts__rehouse(struct live_source *live)
{
	bool has_more = live->homeless != live->reader.stats.counted;

	if (!programs_count(live) || (!has_more && !cells__are_waiting(&live->channel->cells)) ||
	    monotonic_ns() - live->collected_ns < REHOUSE_NS)
		return 0;
	return collect(live, 0);
}

void program_counts__end(struct live_source *live)
{
	int err = 0;

	if (!programs_count(live))
		return;
	if (fork_mark__is_inherited(live->reader.mark))
		grace_thread__disown(&live->channel->cells.grace);
	else
		err = collect(live, -1);
	if (err)
		log__error("cannot read the last counts of the programs: %s", strerror(-err));
	grace_thread__close(&live->channel->cells.grace);
	table__set_source(live->channel->opts.table, NULL, NULL, NULL);
}

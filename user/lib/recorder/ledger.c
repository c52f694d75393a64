// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* ledger_note.c: a line of a name and a number for each count. */
#include "recorder/ledger.h"

static void append(struct out *text, const char *name, uint64_t count)
{
	out__text(text, name);
	out__char(text, ' ');
	out__unsigned(text, count);
	out__char(text, '\n');
}

#define APPEND(text, ledger, member) append(text, #member, (ledger)->member)

static void append_ledger(struct out *text, const struct peat_ledger *ledger)
{
	APPEND(text, ledger, emitted);
	APPEND(text, ledger, delivered);
	APPEND(text, ledger, held);
	APPEND(text, ledger, staged);
	APPEND(text, ledger, in_ring);
	APPEND(text, ledger, overwritten);
	APPEND(text, ledger, corrupt);
	APPEND(text, ledger, lost_ring_full);
	APPEND(text, ledger, lost_nested);
	APPEND(text, ledger, lost_no_ring);
	APPEND(text, ledger, lost_too_big);
	APPEND(text, ledger, lost_throttled);
	APPEND(text, ledger, lost_abandoned);
	APPEND(text, ledger, lost_other);
}

void ledger_note__append(const struct peat_reader *reader, const struct peat_perf_stats *stats,
			 struct out *text)
{
	struct peat_ledger ledger = { .sz = sizeof(ledger) };

	if (!peat_reader__ledger(reader, PEAT_ALL_CPUS, &ledger))
		append_ledger(text, &ledger);
	append(text, "recorded", stats->events);
	append(text, "lost_in_queue", stats->lost);
}

uint64_t ledger_note__lost(const struct peat_reader *reader)
{
	struct peat_reader_stats stats = { .sz = sizeof(stats) };

	return peat_reader__stats(reader, &stats) || !stats.lost_is_exact ? 0 : stats.lost;
}

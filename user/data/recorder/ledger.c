// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* recorder/ledger.c: writes each count as a line "name number". */
#include "recorder/ledger.h"

static void append_count(struct strbuf *text, const char *name, uint64_t count)
{
	strbuf__text(text, name);
	strbuf__char(text, ' ');
	strbuf__unsigned(text, count);
	strbuf__char(text, '\n');
}

#define APPEND(text, ledger, member) append_count(text, #member, (ledger)->member)

static void append_ledger(struct strbuf *text, const struct peat_ledger *ledger)
{
	APPEND(text, ledger, emitted);
	APPEND(text, ledger, delivered);
	APPEND(text, ledger, held);
	APPEND(text, ledger, staged);
	APPEND(text, ledger, in_ring);
	APPEND(text, ledger, overwritten);
	APPEND(text, ledger, corrupt);
	APPEND(text, ledger, filtered);
	APPEND(text, ledger, counted);
	APPEND(text, ledger, lost_ring_full);
	APPEND(text, ledger, lost_nested);
	APPEND(text, ledger, lost_no_ring);
	APPEND(text, ledger, lost_too_big);
	APPEND(text, ledger, lost_throttled);
	APPEND(text, ledger, lost_abandoned);
	APPEND(text, ledger, lost_other);
}

void recorder_ledger__append(const struct peat_reader *reader, const struct peat_perf_stats *stats,
			     struct strbuf *text)
{
	struct peat_reader_stats of_reader = { .sz = sizeof(of_reader) };
	struct peat_ledger ledger = { .sz = sizeof(ledger) };

	if (!peat_reader__ledger(reader, PEAT_ALL_CPUS, &ledger))
		append_ledger(text, &ledger);
	if (!peat_reader__stats(reader, &of_reader) && of_reader.skipped_is_known)
		append_count(text, "skipped", of_reader.skipped);
	append_count(text, "recorded", stats->events);
	append_count(text, "lost_in_queue", stats->lost);
	append_count(text, "records_lost_in_queue", stats->lost_records);
}

uint64_t recorder_ledger__lost(const struct peat_reader *reader)
{
	struct peat_reader_stats stats = { .sz = sizeof(stats) };

	return peat_reader__stats(reader, &stats) || !stats.lost_is_exact ? 0 : stats.lost;
}

// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* report.c: the ledger and the programs' cost, at the end of a run. */
#include <stdio.h>

#include "cli.h"
#include "report.h"

#define LINE(member, what)                                                                         \
	{                                                                                          \
#member, offsetof(struct peat_ledger, member), what                                \
	}

/* In the order of the equation; each with what it means, or what helps. */
static const struct {
	const char *name;
	size_t offset;
	const char *what;
} lines[] = {
	LINE(delivered, ""),
	LINE(held, "held back for ordering"),
	LINE(staged, "not collected"),
	LINE(in_ring, "not read"),
	LINE(overwritten, ""),
	LINE(corrupt, "in frames that made no sense"),
	LINE(lost_ring_full, "--memory makes the rings larger"),
	LINE(lost_nested, "too many programs at once on one CPU"),
	LINE(lost_no_ring, "the CPU was not read, had just come online, or there was no reader"),
	LINE(lost_too_big, "larger than what was reserved, or than a slot"),
	LINE(lost_throttled, "beyond --max-rate"),
	LINE(lost_abandoned, "reserved and never submitted: a fault of the probe"),
	LINE(lost_other, "refused by the kernel"),
};

static uint64_t number(const struct peat_ledger *ledger, size_t offset)
{
	return *(const uint64_t *)((const char *)ledger + offset);
}

void report__ledger(const struct peat_reader *reader)
{
	struct peat_ledger ledger = { .sz = sizeof(ledger) };

	if (peat_reader__ledger(reader, PEAT_ALL_CPUS, &ledger))
		return; /* raw mode has none */
	fprintf(stderr, "  %-16s %12llu\n", "emitted", (unsigned long long)ledger.emitted);
	for (size_t i = 0; i < sizeof(lines) / sizeof(*lines); i++) {
		uint64_t count = number(&ledger, lines[i].offset);

		if (count || !i)
			fprintf(stderr, "  %c %-14s %12llu%s%s\n", i ? '+' : '=', lines[i].name,
				(unsigned long long)count, *lines[i].what ? "  " : "",
				lines[i].what);
	}
	if (ledger.misuse)
		fprintf(stderr,
			"  %llu times an event was submitted or discarded twice: a fault of "
			"the probe\n",
			(unsigned long long)ledger.misuse);
}

void report__programs(const struct peat_session *session)
{
	struct peat_program_stats stats = { .sz = sizeof(stats) };

	for (uint32_t i = 0; peat_session__program(session, i, &stats) > 0; i++)
		fprintf(stderr, "  %s: %llu runs, %llu ns each, %llu missed\n", stats.name,
			(unsigned long long)stats.runs,
			(unsigned long long)(stats.runs ? stats.run_ns / stats.runs : 0),
			(unsigned long long)stats.misses);
}

void report__arrays(const struct peat_session *session)
{
	struct peat_array array = { .sz = sizeof(array) };

	for (uint32_t i = 0; peat_session__array(session, i, &array) > 0; i++) {
		if (array.schema)
			cli__complain("%s: events are struct %s: %s", array.map,
				      peat_schema__name(array.schema), array.why);
		else
			cli__complain("%s: events are bytes: %s (--as %s=TYPE says what they are)",
				      array.map, array.why, array.map);
	}
}

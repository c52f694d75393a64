// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* summary.c: the ledger and the cost of programs. */
#include <stdio.h>

#include "cli/base/messages.h"
#include "cli/run/summary.h"
#include "cli/base/terminal_text.h"

#define LINE(member, what)                                                                         \
	{                                                                                          \
#member, offsetof(struct peat_ledger, member), what                                \
	}

/* In the order of the equation, each with its meaning or its remedy. */
static const struct {
	const char *name;
	size_t offset;
	const char *what;
} lines[] = {
	LINE(delivered, ""),
	LINE(held, "held for ordering"),
	LINE(staged, "not collected"),
	LINE(in_ring, "not read"),
	LINE(overwritten, "in no dump: a larger --flight keeps more"),
	LINE(corrupt, "in corrupt frames"),
	LINE(filtered, "rejected by --where, or without a field of the table"),
	LINE(counted, "counted, not printed"),
	LINE(lost_ring_full, "use a larger --memory"),
	LINE(lost_nested, "too many programs nested on one CPU"),
	LINE(lost_no_ring, "the CPU was not read or had just come online, or there was no reader"),
	LINE(lost_too_big, "larger than its reservation, or than a slot"),
	LINE(lost_throttled, "above --max-rate"),
	LINE(lost_abandoned, "reserved but never submitted: a bug in the probe"),
	LINE(lost_other, "refused by the kernel"),
};

const char *summary__skipped(const struct peat_reader_stats *stats)
{
	static char text[48];

	*text = '\0';
	if (stats->skipped)
		snprintf(text, sizeof(text), ", %llu run%s skipped",
			 (unsigned long long)stats->skipped, stats->skipped == 1 ? "" : "s");
	return text;
}

bool summary__has_losses(const struct peat_reader_stats *stats)
{
	return stats->lost || stats->skipped;
}

void summary__print_stats(const struct peat_reader_stats *stats)
{
	if (stats->filtered)
		messages__print("%llu filtered", (unsigned long long)stats->filtered);
	if (stats->late)
		messages__print("%llu late: printed after younger events%s",
				(unsigned long long)stats->late,
				stats->hurried ? ": use a larger --memory to order them" : "");
	if (stats->throttled)
		messages__print(
			"throttled %llu times: the kernel took no samples for a while: use a "
			"lower -F, or a larger -c",
			(unsigned long long)stats->throttled);
	if (stats->side_band_lost)
		messages__print("%llu kernel records lost: names of tasks may be missing or old",
				(unsigned long long)stats->side_band_lost);
	if (stats->corrupt)
		messages__print("%llu corrupt records skipped", (unsigned long long)stats->corrupt);
}

static uint64_t number(const struct peat_ledger *ledger, size_t offset)
{
	return *(const uint64_t *)((const char *)ledger + offset);
}

static void print_lines(const struct peat_ledger *ledger)
{
	fprintf(stderr, "  %-16s %12llu\n", "emitted", (unsigned long long)ledger->emitted);
	for (size_t i = 0; i < sizeof(lines) / sizeof(*lines); i++) {
		uint64_t count = number(ledger, lines[i].offset);

		if (count || !i)
			fprintf(stderr, "  %c %-14s %12llu%s%s\n", i ? '+' : '=', lines[i].name,
				(unsigned long long)count, *lines[i].what ? "  " : "",
				lines[i].what);
	}
	if (ledger->misuse)
		fprintf(stderr,
			"  %llu times an event was submitted or discarded twice: a bug in the "
			"probe\n",
			(unsigned long long)ledger->misuse);
}

static void print_calls(const struct peat_ledger *ledger)
{
	if (ledger->calls_full)
		fprintf(stderr, "  %-16s %12llu  calls found no place: their returns are missing\n",
			"calls_full", (unsigned long long)ledger->calls_full);
	if (ledger->no_call)
		fprintf(stderr, "  %-16s %12llu  returns of calls that began before\n", "no_call",
			(unsigned long long)ledger->no_call);
	if (ledger->no_return)
		fprintf(stderr,
			"  %-16s %12llu  calls have not returned, or their return was skipped\n",
			"no_return", (unsigned long long)ledger->no_return);
	if (ledger->absent_fields)
		fprintf(stderr, "  %-16s %12llu  fields could not be read\n", "absent_fields",
			(unsigned long long)ledger->absent_fields);
}

void summary__print_ledger(const struct peat_reader *reader, const struct peat_reader_stats *stats)
{
	struct peat_ledger ledger = { .sz = sizeof(ledger) };

	if (!peat_reader__ledger(reader, PEAT_ALL_CPUS, &ledger)) {
		print_lines(&ledger);
		print_calls(&ledger);
	}
	if (stats->skipped)
		fprintf(stderr,
			"  %-16s %12llu  runs of programs, not in the sum: the kernel skips a "
			"program that is running on that CPU\n",
			"skipped", (unsigned long long)stats->skipped);
}

void summary__print_programs(const struct peat_session *session)
{
	struct peat_program_stats stats = { .sz = sizeof(stats) };

	for (uint32_t i = 0; peat_session__program(session, i, &stats) > 0; i++)
		terminal_text__print(
			stderr, "  %s: %llu runs, %llu ns each, %llu skipped\n", stats.name,
			(unsigned long long)stats.runs,
			(unsigned long long)(stats.runs ? stats.run_ns / stats.runs : 0),
			(unsigned long long)stats.misses);
}

void summary__print_arrays(struct peat_session *session)
{
	struct peat_array array = { .sz = sizeof(array) };

	for (uint32_t i = 0; peat_session__array(session, i, &array) > 0; i++) {
		if (array.schema && array.is_guess)
			messages__print("%s: events are probably struct %s: %s: --as %s=TYPE sets "
					"the type, --as %s=raw prints bytes",
					array.name, peat_schema__name(array.schema), array.why,
					array.name, array.name);
		else if (array.schema)
			messages__print("%s: events are struct %s: %s", array.name,
					peat_schema__name(array.schema), array.why);
		else if (array.is_named)
			messages__print("%s: events are bytes: %s", array.name, array.why);
		else
			messages__print(
				"%s: events are bytes: %s: set their type with --as %s=TYPE",
				array.name, array.why, array.name);
	}
}

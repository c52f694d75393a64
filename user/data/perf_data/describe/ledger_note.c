// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* perf_data/describe/ledger_note.c: the ledger of a recording: lines of a name and a number. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "perf_data/describe/ledger_note.h"
#include "perf_data/describe/record_counts.h"
#include "perf_data/note.h"

int ledger_note__keep(struct ledger_note *ledger, const struct perf_entry *entry, bool swapped)
{
	struct tool_record record;
	struct note note;
	char *lines;

	if (entry->type != TOOL_EVENT_TYPE ||
	    tool_record__parse(entry->bytes, entry->size, swapped, &record) ||
	    !note__read(&record, &note) || note.kind != NOTE_LEDGER)
		return 0;
	lines = malloc(note.count + 1);
	if (!lines)
		return -ENOMEM;
	memcpy(lines, note.bytes, note.count);
	lines[note.count] = '\0';
	free(ledger->lines);
	ledger->lines = lines;
	ledger->count = note.count;
	return 0;
}

static struct note note_of(const struct ledger_note *ledger)
{
	return (struct note){ NOTE_LEDGER, (uint32_t)ledger->count,
			      (const uint8_t *)ledger->lines };
}

static void add_count(struct ledger_note *ledger, const char *name, uint64_t count)
{
	struct ledger_sum *sum = ledger->sums, *end = sum + ledger->sum_count;

	while (sum < end && strcmp(sum->name, name) != 0)
		sum++;
	if (sum == ledger->sums + LEDGER_NOTE_SUMS)
		return;
	if (sum == end) {
		*sum = (struct ledger_sum){ .count = 0 };
		strcpy(sum->name, name);
		ledger->sum_count++;
	}
	sum->count += count;
}

int ledger_note__end_recording(struct ledger_note *ledger)
{
	const struct note note = note_of(ledger);
	char name[NOTE_NAME_BYTES];
	size_t at = 0;
	uint64_t count;

	if (!ledger->lines)
		return 0;
	if (!ledger->sums)
		ledger->sums = calloc(LEDGER_NOTE_SUMS, sizeof(*ledger->sums));
	if (!ledger->sums)
		return -ENOMEM;
	while (note__next_count(&note, &at, name, &count))
		add_count(ledger, name, count);
	free(ledger->lines);
	ledger->lines = NULL;
	return 0;
}

void ledger_note__free(struct ledger_note *ledger)
{
	free(ledger->lines);
	free(ledger->sums);
	*ledger = (struct ledger_note){ 0 };
}

/* ---- output ---------------------------------------------------------------------------------- */

void ledger_note__emit(const struct ledger_note *ledger, struct emit *emit)
{
	const struct note note = note_of(ledger);
	char name[NOTE_NAME_BYTES];
	size_t at = 0;
	uint64_t count;

	if (!ledger->lines && !ledger->sums)
		return;
	emit__print(emit, "ledger\n");
	emit__begin(emit, "ledger", false);
	for (uint32_t i = 0; i < ledger->sum_count; i++)
		record_counts__emit_count(emit, ledger->sums[i].name, ledger->sums[i].count);
	while (ledger->lines && note__next_count(&note, &at, name, &count))
		record_counts__emit_count(emit, name, count);
	emit__end(emit, false);
}

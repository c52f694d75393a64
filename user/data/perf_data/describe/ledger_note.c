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
	*ledger = (struct ledger_note){ lines, note.count };
	return 0;
}

void ledger_note__free(struct ledger_note *ledger)
{
	free(ledger->lines);
	*ledger = (struct ledger_note){ 0 };
}

/* ---- output ---------------------------------------------------------------------------------- */

void ledger_note__emit(const struct ledger_note *ledger, struct emit *emit)
{
	const struct note note = { NOTE_LEDGER, (uint32_t)ledger->count,
				   (const uint8_t *)ledger->lines };
	char name[NOTE_NAME_BYTES];
	size_t at = 0;
	uint64_t count;

	if (!ledger->lines)
		return;
	emit__print(emit, "ledger\n");
	emit__begin(emit, "ledger", false);
	while (note__next_count(&note, &at, name, &count))
		record_counts__emit_count(emit, name, count);
	emit__end(emit, false);
}

// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* perf_data/describe/ledger_note.c: the ledger of a recording: lines of a name and a number. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "perf_data/describe/ledger_note.h"
#include "perf_data/note.h"
#include "perf_data/describe/counts.h"

#define NAME_BYTES 64

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

static bool is_word(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
	       c == '_';
}

/* "lost_ring_full 12": the name, and the number in *count.  False: another kind of line. */
static bool read_line(const char *line, size_t bytes, char name[NAME_BYTES], uint64_t *count)
{
	size_t at = 0;

	while (at < bytes && at < NAME_BYTES - 1 && is_word(line[at])) {
		name[at] = line[at];
		at++;
	}
	name[at] = '\0';
	if (!at || at + 1 >= bytes || line[at++] != ' ')
		return false;
	for (*count = 0; at < bytes; at++) {
		uint64_t digit = (uint64_t)(line[at] - '0');

		if (line[at] < '0' || line[at] > '9' || *count > (UINT64_MAX - digit) / 10)
			return false;
		*count = *count * 10 + digit;
	}
	return true;
}

void ledger_note__emit(const struct ledger_note *ledger, struct emit *emit)
{
	char name[NAME_BYTES];
	uint64_t count;

	if (!ledger->lines)
		return;
	emit__print(emit, "ledger\n");
	emit__begin(emit, "ledger", false);
	for (size_t at = 0; at < ledger->count; at++) {
		const char *line = ledger->lines + at,
			   *end = memchr(line, '\n', ledger->count - at);
		size_t bytes = end ? (size_t)(end - line) : ledger->count - at;

		if (read_line(line, bytes, name, &count))
			counts__emit_count(emit, name, count);
		at += bytes;
	}
	emit__end(emit, false);
}

// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* ledger_told.c: lines of a name and a number, as whoever wrote the recording put them. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "perf_data/describe/ledger_note.h"
#include "perf_data/note.h"
#include "perf_data/describe/counts.h"

#define NAME_BYTES 64

int ledger_told__take(struct ledger_told *told, const struct perf_entry *entry, bool swapped)
{
	struct tool_record record;
	struct note note;
	const char *why;
	char *lines;

	if (entry->type != TOOL_EVENT_TYPE ||
	    tool_record__decode(entry->bytes, entry->size, swapped, &record, &why) ||
	    !note__read(&record, &note) || note.kind != NOTE_LEDGER)
		return 0;
	lines = malloc(note.count + 1);
	if (!lines)
		return -ENOMEM;
	memcpy(lines, note.bytes, note.count);
	lines[note.count] = '\0';
	free(told->lines);
	*told = (struct ledger_told){ lines, note.count };
	return 0;
}

void ledger_told__free(struct ledger_told *told)
{
	free(told->lines);
	*told = (struct ledger_told){ 0 };
}

/* ---- telling --------------------------------------------------------------------------------- */

static bool is_word(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
	       c == '_';
}

/* "lost_ring_full 12": the name, and the number in *count.  False: it is no such line. */
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

void ledger_told__tell(const struct ledger_told *told, struct emit *emit)
{
	char name[NAME_BYTES];
	uint64_t count;

	if (!told->lines)
		return;
	emit__say(emit, "ledger\n");
	emit__begin(emit, "ledger", false);
	for (size_t at = 0; at < told->count; at++) {
		const char *line = told->lines + at, *end = memchr(line, '\n', told->count - at);
		size_t bytes = end ? (size_t)(end - line) : told->count - at;

		if (read_line(line, bytes, name, &count))
			tally__tell_count(emit, name, count);
		at += bytes;
	}
	emit__end(emit, false);
}

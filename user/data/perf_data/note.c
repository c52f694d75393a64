// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* perf_data/note.c: encodes and decodes notes, our own records in a perf.data. */
#include <errno.h>
#include <string.h>

#include "base/cursor.h"
#include "record/encode.h"
#include "perf_data/note.h"
#include "base/store.h"

int note__put(struct strbuf *out, uint32_t kind, const void *bytes, size_t count)
{
	size_t start;

	if (count > NOTE_MOST)
		return -E2BIG;
	start = encode__begin(out, TOOL_EVENT_TYPE, 0);
	store_u64(out, NOTE_MAGIC);
	store_u32(out, kind);
	store_u32(out, (uint32_t)count);
	if (count)
		strbuf__bytes(out, bytes, count);
	return encode__end(out, start);
}

bool note__read(const struct tool_record *rec, struct note *note)
{
	const struct peat_layout layout = { .swapped = rec->swapped };
	struct cursor cur;
	uint64_t magic;

	if (rec->type != TOOL_EVENT_TYPE || rec->bytes < NOTE_AT - 8)
		return false;
	cursor__init(&cur, rec->body, rec->body + rec->bytes, &layout);
	magic = cursor__u64(&cur);
	note->kind = cursor__u32(&cur);
	note->count = cursor__u32(&cur);
	note->bytes = cursor__bytes(&cur, note->count);
	return magic == NOTE_MAGIC && !cur.bad;
}

/* ---- counts ---------------------------------------------------------------------------------- */

static bool is_word(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
	       c == '_';
}

/* "lost_ring_full 12": the name, and the number in *count.  False: another kind of line. */
static bool read_line(const char *line, size_t bytes, char name[NOTE_NAME_BYTES], uint64_t *count)
{
	size_t at = 0;

	while (at < bytes && at < NOTE_NAME_BYTES - 1 && is_word(line[at])) {
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

bool note__next_count(const struct note *note, size_t *at, char name[NOTE_NAME_BYTES],
		      uint64_t *count)
{
	while (*at < note->count) {
		const char *line = (const char *)note->bytes + *at;
		const char *end = memchr(line, '\n', note->count - *at);
		size_t bytes = end ? (size_t)(end - line) : note->count - *at;

		*at += bytes + 1;
		if (read_line(line, bytes, name, count))
			return true;
	}
	return false;
}

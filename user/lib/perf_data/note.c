// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* perf_data/note.c: encodes and decodes notes, our own records in a perf.data. */
#include <errno.h>

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

// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* symbols/namer/flat_lines.c: source lines of addresses as bytes. */
#include <errno.h>
#include <string.h>

#include "base/cursor.h"
#include "base/store.h"
#include "symbols/namer/flat_lines.h"

/* ---- writing --------------------------------------------------------------------------------- */

void flat_lines__begin(struct strbuf *out, uint32_t addresses_count)
{
	store_u32(out, addresses_count);
}

static uint32_t text_bytes(const char *text)
{
	return text ? (uint32_t)strnlen(text, BUDGET_NAME_BYTES - 1) + 1 : 0;
}

static void append_text(struct strbuf *out, const char *text, uint32_t bytes)
{
	if (!bytes)
		return;
	strbuf__bytes(out, text, bytes - 1);
	strbuf__char(out, '\0');
}

void flat_lines__append(struct strbuf *out, uint64_t vaddr, const struct source_frame *frames,
			uint32_t count)
{
	store_u64(out, vaddr);
	store_u32(out, count);
	for (uint32_t i = 0; i < count; i++) {
		const uint32_t file_bytes = text_bytes(frames[i].file);
		const uint32_t name_bytes = text_bytes(frames[i].raw_name);

		store_u32(out, frames[i].line);
		store_u32(out, file_bytes);
		store_u32(out, name_bytes);
		append_text(out, frames[i].file, file_bytes);
		append_text(out, frames[i].raw_name, name_bytes);
	}
}

/* ---- taking over ----------------------------------------------------------------------------- */

/* NULL: there is none, or the cursor is bad now. */
static const char *take_text(struct cursor *cur, uint32_t bytes)
{
	const char *text = bytes ? cursor__bytes(cur, bytes) : NULL;

	if (text && (bytes > BUDGET_NAME_BYTES || strnlen(text, bytes) != bytes - 1)) {
		cursor__fail(cur);
		return NULL;
	}
	return text;
}

static struct source_frame take_frame(struct cursor *cur)
{
	struct source_frame frame = { .line = cursor__u32(cur) };
	const uint32_t file_bytes = cursor__u32(cur), name_bytes = cursor__u32(cur);

	frame.file = take_text(cur, file_bytes);
	frame.raw_name = take_text(cur, name_bytes);
	return frame;
}

/* Functions that were inlined have names, and the last frame has none. */
static int take_address(struct line_cache *cache, struct cursor *cur)
{
	const uint64_t vaddr = cursor__u64(cur);
	const uint32_t count = cursor__u32(cur);
	struct source_frame frames[SOURCE_FRAMES_MAX];

	if (count > SOURCE_FRAMES_MAX)
		return -EBADMSG;
	for (uint32_t i = 0; i < count && !cur->bad; i++) {
		frames[i] = take_frame(cur);
		if (!frames[i].raw_name != (i == count - 1))
			return -EBADMSG;
	}
	return cur->bad ? -EBADMSG : line_cache__add(cache, vaddr, frames, count);
}

int flat_lines__take_over(struct line_cache *cache, const void *from, size_t bytes)
{
	static const struct peat_layout own = { 0 };
	struct cursor cur;
	uint32_t count;
	int err = 0;

	cursor__init(&cur, from, (const uint8_t *)from + bytes, &own);
	count = cursor__u32(&cur);
	if (count > LINE_ADDRESSES_MAX)
		return -EBADMSG;
	while (!err && !cur.bad && count--)
		err = take_address(cache, &cur);
	if (err)
		return err;
	return cur.bad || cursor__left(&cur) ? -EBADMSG : 0;
}

// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* symbols/dwarf/line_cache.c: source lines of the addresses of a file. */
#include <errno.h>
#include <string.h>

#include "base/strbuf.h"
#include "symbols/dwarf/line_cache.h"
#include "symbols/elf/demangle.h"

/* The value of an address. */
struct cached_frames {
	const struct source_frame *frames;
	uint64_t count;
};

/* The value of a text, whose key has its NUL. */
struct cached_text {
	const char *name; /* demangled; NULL: not asked for */
};

void line_cache__init(struct line_cache *cache, bool no_demangle)
{
	*cache = (struct line_cache){ .no_demangle = no_demangle };
	table_hash__init(&cache->addresses, sizeof(struct cached_frames));
	table_hash__init(&cache->texts, sizeof(struct cached_text));
}

bool line_cache__find(const struct line_cache *cache, uint64_t vaddr,
		      const struct source_frame **frames, int *count)
{
	const struct cached_frames *found =
		table_hash__find(&cache->addresses, &vaddr, sizeof(vaddr));

	if (!found)
		return false;
	*frames = found->frames;
	*count = (int)found->count;
	return true;
}

/* ---- texts ----------------------------------------------------------------------------------- */

static const char *text_of(const struct cached_text *text)
{
	return (const char *)(text + 1); /* the key follows the value */
}

/* NULL: no memory. */
static struct cached_text *add_text(struct line_cache *cache, const char *text)
{
	const uint32_t bytes = (uint32_t)strlen(text) + 1;
	bool is_new;
	struct cached_text *added = table_hash__add(&cache->texts, text, bytes, &is_new);

	if (added && is_new)
		cache->bytes += sizeof(struct hash_entry) + sizeof(*added) + bytes;
	return added;
}

/* Without memory for a demangled name, the name stays as it is. */
static const char *demangle(struct line_cache *cache, struct cached_text *raw)
{
	struct cached_text *name = NULL;
	struct strbuf text = { 0 };

	if (raw->name)
		return raw->name;
	raw->name = text_of(raw);
	if (!cache->no_demangle && demangle__append(&text, raw->name)) {
		strbuf__char(&text, '\0');
		name = text.failed ? NULL : add_text(cache, text.bytes);
	}
	if (name)
		raw->name = text_of(name);
	strbuf__free(&text);
	return raw->name;
}

/* ---- frames ---------------------------------------------------------------------------------- */

static int copy_frame(struct line_cache *cache, const struct source_frame *from,
		      struct source_frame *to)
{
	struct cached_text *text;

	*to = (struct source_frame){ .line = from->line };
	if (from->file) {
		text = add_text(cache, from->file);
		if (!text)
			return -ENOMEM;
		to->file = text_of(text);
	}
	if (from->raw_name) {
		text = add_text(cache, from->raw_name);
		if (!text)
			return -ENOMEM;
		to->raw_name = text_of(text);
		to->name = demangle(cache, text);
	}
	return 0;
}

/* NULL: no memory. */
static struct source_frame *copy_frames(struct line_cache *cache, const struct source_frame *from,
					uint32_t count)
{
	struct source_frame *to = arena__take(&cache->frames, count * sizeof(*to));
	int err = to ? 0 : -ENOMEM;

	for (uint32_t i = 0; i < count && !err; i++)
		err = copy_frame(cache, &from[i], &to[i]);
	return err ? NULL : to;
}

int line_cache__add(struct line_cache *cache, uint64_t vaddr, const struct source_frame *frames,
		    uint32_t count)
{
	struct cached_frames *added;
	struct source_frame *copy;
	bool is_new;

	if (table_hash__find(&cache->addresses, &vaddr, sizeof(vaddr)))
		return 0;
	copy = copy_frames(cache, frames, count);
	added = copy ? table_hash__add(&cache->addresses, &vaddr, sizeof(vaddr), &is_new) : NULL;
	if (!added)
		return -ENOMEM;
	cache->bytes +=
		sizeof(struct hash_entry) + sizeof(*added) + sizeof(vaddr) + count * sizeof(*copy);
	*added = (struct cached_frames){ copy, count };
	return 0;
}

void line_cache__free(struct line_cache *cache)
{
	table_hash__clear(&cache->addresses);
	table_hash__clear(&cache->texts);
	arena__free(&cache->frames);
	cache->bytes = 0;
}

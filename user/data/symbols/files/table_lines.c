// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* symbols/files/table_lines.c: the source lines that were found, beside a table of symbols. */
#include <stdlib.h>

#include "symbols/files/table_lines.h"

/* The lines of more addresses are forgotten. */
#define CACHE_BYTES_MAX (64u << 20)

struct table_lines *table_lines__new(bool no_demangle)
{
	struct table_lines *lines = calloc(1, sizeof(*lines));

	if (lines)
		line_cache__init(&lines->cache, no_demangle);
	return lines;
}

void table_lines__begin(struct table_lines *lines, uint64_t call)
{
	if (lines->call == call)
		return;
	lines->call = call;
	lines->has_failed = false;
	if (lines->cache.bytes <= CACHE_BYTES_MAX)
		return;
	line_cache__free(&lines->cache);
	line_cache__init(&lines->cache, lines->cache.no_demangle);
}

size_t table_lines__bytes(const struct table_lines *lines)
{
	return sizeof(*lines) + lines->cache.bytes +
	       (lines->here ? source_lines__bytes(lines->here) : 0);
}

void table_lines__free(struct table_lines *lines)
{
	if (!lines)
		return;
	source_lines__free(lines->here);
	line_cache__free(&lines->cache);
	free(lines);
}

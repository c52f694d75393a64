/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* symbols/files/table_lines.h: the source lines that were found, beside a table of symbols. */
#ifndef PEAT_SYMBOLS_FILES_TABLE_LINES_H
#define PEAT_SYMBOLS_FILES_TABLE_LINES_H

#include "symbols/dwarf/line_cache.h"
#include "symbols/dwarf/source_lines.h"

struct table_lines {
	struct source_lines *here; /* read by this process; NULL: not, or there are none */
	struct line_cache cache;   /* of a namer */
	bool is_over;		   /* the file is not read again */
	uint64_t retry_ns;	   /* as mapped_file.retry_ns */
	uint64_t call;		   /* the last one that used them: peat_symbols.call */
	bool has_failed;	   /* in that call: they are not asked for again */
};

/* NULL: no memory. */
struct table_lines *table_lines__new(bool no_demangle);

/* Results of the call before are not valid any more, so its lines can be forgotten. */
void table_lines__begin(struct table_lines *lines, uint64_t call);

size_t table_lines__bytes(const struct table_lines *lines);
void table_lines__free(struct table_lines *lines); /* accepts NULL */

#endif /* PEAT_SYMBOLS_FILES_TABLE_LINES_H */

/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* symbols/files/table_unwind.h: call frame information beside a table of symbols. */
#ifndef PEAT_SYMBOLS_FILES_TABLE_UNWIND_H
#define PEAT_SYMBOLS_FILES_TABLE_UNWIND_H

#include "symbols/files/symbol_cache.h"

/*
 * The call frame information of a mapped file, whose table of symbols is `table`: read when it is
 * first needed.  NULL: the file has none, or cannot be read.  Valid as long as the table.
 */
struct unwind_table *table_unwind__get(struct symbol_cache *cache, struct symbol_table *table,
				       const struct mapped_file *file,
				       const struct file_place *place);

/*
 * Called when a stack ended at code of the file that has no call frame information: looks for it in
 * the debug file.  True: there is more now.  False: there is not, which the log says once.
 */
bool table_unwind__complete(struct symbol_cache *cache, struct symbol_table *table,
			    const struct mapped_file *file, const struct file_place *place);

#endif /* PEAT_SYMBOLS_FILES_TABLE_UNWIND_H */

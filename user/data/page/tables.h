/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* page/tables.h: the tables that the blocks of a page refer to: JSON objects, and stacks. */
#ifndef PEAT_PAGE_TABLES_H
#define PEAT_PAGE_TABLES_H

#include "page/type_rows.h"
#include "stacks/merged_stacks.h"

/* Appends a JSON array of types: name, events, fields, the number of the duration's field. */
void page_tables__types(struct strbuf *out, struct page_type *const *types, uint32_t count);

/* Appends a JSON array of [pid, tid, comm]; null: unknown. */
void page_tables__tasks(struct strbuf *out, const struct counted_frames *frames);

/* Appends a JSON array of [name, module or null, kind], with the number of enum merged_kind. */
void page_tables__frames(struct strbuf *out, const struct merged_stacks *merged);

/*
 * Appends the stacks: their number of merged nodes, less the root; for each the distance to its
 * parent and its frame; the number of counted nodes, less the root; for each its merged node.
 */
void page_tables__stacks(struct strbuf *out, const struct merged_stacks *merged,
			 const struct stack_tree *tree);

/*
 * Appends a JSON value from the text that `write` writes to a file descriptor, or null if it
 * fails.
 */
void page_tables__written(struct strbuf *out, int (*write)(const char *path, int fd, bool json),
			  const char *path);

#endif /* PEAT_PAGE_TABLES_H */

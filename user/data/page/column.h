/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * page/column.h: the values of a field in a block of events.
 *
 *	for each event:
 *		page_column__add_number(), _add_text() or _add_missing()
 *	page_column__put(&column, &bytes);	and begins anew
 *
 * Numbers are varints.  Texts are numbers of the block's different texts.
 */
#ifndef PEAT_PAGE_COLUMN_H
#define PEAT_PAGE_COLUMN_H

#include "base/string_counts.h"
#include "base/varint.h"

/* All zero but the first member: empty. */
struct page_column {
	bool is_text;
	uint32_t rows;
	struct strbuf values;
	struct strbuf texts;		    /* each with its size before it */
	struct string_counts numbers;	    /* of texts; count: number + 1 */
	struct string_counts bytes_numbers; /* likewise, of the bytes that they were made from */
	uint32_t text_count;
	struct string_count *noted; /* of bytes_numbers, for the next text; NULL: none */
	struct strbuf missing;	    /* rows without a value: each less the one before */
	uint32_t missing_count, last_missing;
};

void page_column__add_number(struct page_column *column, uint64_t value, bool is_signed);
void page_column__add_text(struct page_column *column, const char *text, size_t bytes);

/*
 * Adds the text of an earlier event with the same bytes.  False: there is none, and the next text
 * is noted for them.
 */
bool page_column__add_same(struct page_column *column, const void *bytes, size_t count);
void page_column__add_missing(struct page_column *column);

/*
 * Appends the column: the number of missing rows and each of them, the number of texts and each of
 * them, and a value for each row; then empties it.  Memory that was short sets out->failed.
 */
void page_column__put(struct page_column *column, struct strbuf *out);

/* Bytes that the column takes in a block, roughly. */
size_t page_column__bytes(const struct page_column *column);

void page_column__free(struct page_column *column); /* all zero is allowed */

#endif /* PEAT_PAGE_COLUMN_H */

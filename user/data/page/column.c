// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* page/column.c: the values of a field in a block of events. */
#include "page/column.h"

void page_column__add_number(struct page_column *column, uint64_t value, bool is_signed)
{
	column->rows++;
	if (is_signed)
		varint__put_signed(&column->values, (int64_t)value);
	else
		varint__put(&column->values, value);
}

/* The number of a text.  Without memory the values fail. */
static uint64_t number_of(struct page_column *column, const char *text, size_t bytes)
{
	struct string_count *entry = string_counts__add(&column->numbers, text, bytes);

	if (!entry) {
		column->values.failed = true;
		return 0;
	}
	if (!entry->count) {
		entry->count = ++column->text_count;
		varint__put_bytes(&column->texts, text, bytes);
	}
	return entry->count - 1;
}

void page_column__add_text(struct page_column *column, const char *text, size_t bytes)
{
	uint64_t number = number_of(column, text, bytes);

	column->rows++;
	varint__put(&column->values, number);
	if (column->noted)
		column->noted->count = number + 1;
	column->noted = NULL;
}

bool page_column__add_same(struct page_column *column, const void *bytes, size_t count)
{
	struct string_count *entry = string_counts__add(&column->bytes_numbers, bytes, count);

	column->noted = NULL;
	if (!entry)
		return false;
	if (!entry->count) {
		column->noted = entry;
		return false;
	}
	column->rows++;
	varint__put(&column->values, entry->count - 1);
	return true;
}

void page_column__add_missing(struct page_column *column)
{
	varint__put(&column->missing, column->rows - column->last_missing);
	column->last_missing = column->rows++;
	column->missing_count++;
	varint__put(&column->values, 0);
}

size_t page_column__bytes(const struct page_column *column)
{
	return column->values.count + column->texts.count + column->missing.count;
}

static void empty(struct page_column *column)
{
	strbuf__cut(&column->values, 0);
	strbuf__cut(&column->texts, 0);
	strbuf__cut(&column->missing, 0);
	string_counts__free(&column->numbers);
	string_counts__free(&column->bytes_numbers);
	column->noted = NULL;
	column->rows = column->text_count = column->missing_count = column->last_missing = 0;
}

static void append(struct strbuf *out, const struct strbuf *part)
{
	if (part->count)
		strbuf__bytes(out, part->bytes, part->count);
	out->failed |= part->failed;
}

void page_column__put(struct page_column *column, struct strbuf *out)
{
	varint__put(out, column->missing_count);
	append(out, &column->missing);
	varint__put(out, column->text_count);
	append(out, &column->texts);
	append(out, &column->values);
	empty(column);
}

void page_column__free(struct page_column *column)
{
	strbuf__free(&column->values);
	strbuf__free(&column->texts);
	strbuf__free(&column->missing);
	string_counts__free(&column->numbers);
	string_counts__free(&column->bytes_numbers);
}

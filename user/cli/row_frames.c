// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* row_frames.c: the named frames of stacks in the rows of a table. */
#include <stdlib.h>
#include <string.h>

#include "json_text.h"
#include "row_frames.h"
#include "terminal_text.h"

#define INDENT "        " /* as below events */

bool row_frames__has(const struct rows *rows, uint32_t column)
{
	const struct peat_field *field = rows->columns[column];

	return peat_field__class(field) == PEAT_CLASS_STACK
		       ? rows->stacks != NULL
		       : rows->symbols && field->kind == PEAT_FIELD_USTACK;
}

/* The stack of events with a number. */
static int find(const struct rows *rows, size_t row, uint32_t column,
		const struct peat_stack_frame **frames)
{
	const struct kept_stack *stack;
	uint64_t number;

	if (!rows__number(rows, row, column, &number))
		return 0;
	stack = kept_stacks__find(rows->stacks, number);
	*frames = stack ? stack->frames : NULL;
	return stack ? (int)stack->count : 0;
}

/* The process of a row is in its column "pid". */
static int name(const struct rows *rows, size_t row, uint32_t column,
		const struct peat_stack_frame **frames)
{
	const struct row *at = &rows->rows[row];
	uint64_t pid = 0;

	if (at->others)
		return 0;
	if (peat_field__class(rows->columns[column]) == PEAT_CLASS_STACK)
		return find(rows, row, column, frames);
	rows__number(rows, row, rows__find(rows, "pid"), &pid);
	return peat_symbols__field(rows->symbols, rows->columns[column], at->data, at->bytes,
				   (uint32_t)pid, 0, frames);
}

static const char *base_name(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash && slash[1] ? slash + 1 : path;
}

static void print_module(FILE *to, const struct peat_stack_frame *frame)
{
	if (!frame->module)
		return;
	fputs(" (", to);
	terminal_text__put(to, base_name(frame->module), 0);
	if (!frame->symbol && frame->module_offset)
		fprintf(to, "+0x%llx", (unsigned long long)frame->module_offset);
	fputc(')', to);
}

static void print_frame(FILE *to, const struct peat_stack_frame *frame)
{
	fputs(INDENT, to);
	if (frame->symbol)
		terminal_text__put(to, frame->symbol, 0);
	else
		fprintf(to, "0x%llx", (unsigned long long)frame->address);
	if (frame->inlined)
		fputs(" (inlined)", to);
	else if (frame->symbol && frame->offset)
		fprintf(to, "+0x%llx", (unsigned long long)frame->offset);
	if (!frame->inlined)
		print_module(to, frame);
	fputc('\n', to);
}

static void print_json_frame(FILE *to, const struct peat_stack_frame *frame)
{
	fputc('{', to);
	if (frame->symbol) {
		fputs("\"symbol\":", to);
		json_text__print_to(to, frame->symbol);
		if (!frame->inlined)
			fprintf(to, ",\"offset\":%llu", (unsigned long long)frame->offset);
		fputc(',', to);
	}
	if (frame->module) {
		fputs("\"module\":", to);
		json_text__print_to(to, frame->module);
		fputc(',', to);
	}
	fprintf(to, "\"address\":\"0x%llx\"}", (unsigned long long)frame->address);
}

typedef void (*print_fn)(FILE *to, const struct peat_stack_frame *frame);

static char *print(const struct rows *rows, size_t row, uint32_t column, print_fn print_one,
		   const char *brackets)
{
	const struct peat_stack_frame *frames;
	int count = name(rows, row, column, &frames);
	char *text = NULL;
	size_t bytes;
	FILE *to = count < 0 ? NULL : open_memstream(&text, &bytes);

	if (!to)
		return NULL;
	if (*brackets)
		fputc(brackets[0], to);
	for (int i = 0; i < count; i++) {
		if (i && *brackets)
			fputc(',', to);
		print_one(to, &frames[i]);
	}
	if (*brackets)
		fputc(brackets[1], to);
	if (!fclose(to))
		return text;
	free(text);
	return NULL;
}

char *row_frames__text(const struct rows *rows, size_t row, uint32_t column)
{
	if (rows->rows[row].others)
		return strdup(INDENT ROWS_OTHERS "\n");
	return print(rows, row, column, print_frame, "");
}

char *row_frames__json(const struct rows *rows, size_t row, uint32_t column)
{
	return print(rows, row, column, print_json_frame, "[]");
}

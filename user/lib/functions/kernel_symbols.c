// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* functions/kernel_symbols.c: the functions in a text of /proc/kallsyms. */
#include <errno.h>
#include <stdlib.h>

#include "base/array.h"
#include "functions/kernel_symbols.h"
#include "sys/kallsyms_line.h"

/* Most bytes of a function before its call of ftrace. */
#define CALL_BYTES 32

/* Symbols of the room before a function: for padding, and for the checks of kCFI. */
static bool is_before_function(const struct kallsyms_line *line)
{
	return line->name_bytes > 6 &&
	       (!memcmp(line->name, "__pfx_", 6) || !memcmp(line->name, "__cfi_", 6));
}

/* The code of the kernel itself, without that for its start, which is gone. */
struct code {
	uint64_t start, end; /* 0: unknown */
};

static bool is_named(const struct kallsyms_line *line, const char *name)
{
	return line->name_bytes == strlen(name) && !memcmp(line->name, name, line->name_bytes);
}

static void note_code(struct code *code, const struct kallsyms_line *line)
{
	if (line->owner_bytes)
		return;
	if (is_named(line, "_stext"))
		code->start = line->address;
	else if (is_named(line, "_etext"))
		code->end = line->address;
}

static int add_line(struct kernel_symbols *symbols, struct code *code, struct word text)
{
	struct kallsyms_line line;

	if (!kallsyms_line__parse(&line, text.at, text.at + text.bytes) ||
	    !kallsyms_line__is_function(&line) || kallsyms_line__is_passing(&line) ||
	    is_before_function(&line))
		return 0;
	note_code(code, &line);
	if (!ARRAY_RESERVE(symbols->at, symbols->count, symbols->room))
		return -ENOMEM;
	symbols->at[symbols->count++] = (struct kernel_function){
		.address = line.address,
		.name = { line.name, line.name_bytes },
		.module = word__in_brackets((struct word){ line.owner, line.owner_bytes }),
	};
	return 0;
}

/* Linux 7.2 gives data the type of functions: jiffies is "T". */
static void drop_data(struct kernel_symbols *symbols, const struct code *code)
{
	size_t kept = 0;

	if (!code->start || code->end <= code->start)
		return;
	for (size_t i = 0; i < symbols->count; i++) {
		const struct kernel_function *function = &symbols->at[i];

		if (function->module.bytes ||
		    (function->address >= code->start && function->address < code->end))
			symbols->at[kept++] = *function;
	}
	symbols->count = kept;
}

/* The order of the text is that of the names in memory. */
static int compare_addresses(const void *left, const void *right)
{
	const struct kernel_function *a = left, *b = right;

	if (a->address != b->address)
		return a->address < b->address ? -1 : 1;
	return (a->name.at > b->name.at) - (a->name.at < b->name.at);
}

static bool is_sorted(const struct kernel_symbols *symbols)
{
	for (size_t i = 1; i < symbols->count; i++)
		if (symbols->at[i].address < symbols->at[i - 1].address)
			return false;
	return true;
}

int kernel_symbols__parse(struct kernel_symbols *symbols, const char *kallsyms)
{
	struct code code = { 0 };
	struct word line;
	int err = 0;

	*symbols = (struct kernel_symbols){ 0 };
	while (!err && word__next_line(&kallsyms, &line))
		err = add_line(symbols, &code, line);
	if (err)
		kernel_symbols__free(symbols);
	drop_data(symbols, &code);
	if (!is_sorted(symbols))
		qsort(symbols->at, symbols->count, sizeof(*symbols->at), compare_addresses);
	return err;
}

void kernel_symbols__free(struct kernel_symbols *symbols)
{
	free(symbols->at);
	*symbols = (struct kernel_symbols){ 0 };
}

bool kernel_symbols__are_hidden(const struct kernel_symbols *symbols)
{
	return symbols->count && !symbols->at[symbols->count - 1].address;
}

/* The number of symbols at or before the address. */
static size_t count_until(const struct kernel_symbols *symbols, uint64_t address)
{
	size_t low = 0, high = symbols->count;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (symbols->at[middle].address <= address)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

struct kernel_function *kernel_symbols__find_traced(const struct kernel_symbols *symbols,
						    uint64_t address, struct word name)
{
	struct kernel_function *last = NULL;

	for (size_t i = count_until(symbols, address); i; i--) {
		struct kernel_function *function = &symbols->at[i - 1];

		if (!function->address || address - function->address > CALL_BYTES)
			break;
		if (word__equal(function->name, name))
			return function;
		if (!last)
			last = function;
	}
	return last;
}

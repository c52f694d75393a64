// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* functions.c: counts stacks by function, and prints the functions in columns or as JSON. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "cli/profile/functions.h"
#include "cli/base/json_text.h"
#include "cli/base/name_hash.h"
#include "cli/base/terminal_text.h"

#define FIRST_ROOM 256

/* ---- counting -------------------------------------------------------------------------------- */

static uint64_t hash_names(const char *symbol, const char *module)
{
	return name_hash__text(name_hash__text(name_hash__start(), symbol), module);
}

static bool is_same(const char *a, const char *b)
{
	return a && b ? !strcmp(a, b) : a == b;
}

static uint32_t *find_place(const struct functions *functions, uint64_t hash, const char *symbol,
			    const char *module)
{
	size_t mask = functions->index_size - 1;

	for (size_t i = hash & mask;; i = (i + 1) & mask) {
		uint32_t *place = &functions->index[i];
		const struct function *function = &functions->at[*place - 1];

		if (!*place)
			return place;
		if (function->hash == hash && is_same(function->symbol, symbol) &&
		    is_same(function->module, module))
			return place;
	}
}

static int grow_functions(struct functions *functions)
{
	size_t room = functions->room ? functions->room * 2 : FIRST_ROOM;
	struct function *at = reallocarray(functions->at, room, sizeof(*at));
	uint32_t *index;

	if (!at)
		return -ENOMEM;
	functions->at = at;
	index = calloc(room * 2, sizeof(*index));
	if (!index)
		return -ENOMEM;
	free(functions->index);
	functions->index = index;
	functions->index_size = room * 2;
	functions->room = room;
	for (size_t i = 0; i < functions->count; i++)
		*find_place(functions, at[i].hash, at[i].symbol, at[i].module) = (uint32_t)i + 1;
	return 0;
}

static char *copy(const char *text, int *err)
{
	char *copied = text ? strdup(text) : NULL;

	if (text && !copied)
		*err = -ENOMEM;
	return copied;
}

static int add_function(struct functions *functions, const char *symbol, const char *module,
			uint64_t hash, uint32_t *place)
{
	int err = 0;
	struct function function = {
		.symbol = copy(symbol, &err),
		.module = copy(module, &err),
		.hash = hash,
	};

	if (err) {
		free(function.symbol);
		free(function.module);
		return err;
	}
	functions->at[functions->count++] = function;
	*place = (uint32_t)functions->count;
	return 0;
}

/* Without the names of the kernel, its frames have no module either. */
static const char *module_of_frame(const struct peat_stack_frame *frame)
{
	return !frame->module && frame->space == PEAT_SPACE_KERNEL ? "[kernel]" : frame->module;
}

static struct function *find_or_add(struct functions *functions,
				    const struct peat_stack_frame *frame)
{
	const char *symbol = functions->by_module ? NULL : frame->symbol;
	const char *module = module_of_frame(frame);
	uint64_t hash = hash_names(symbol, module);
	uint32_t *place;

	if (functions->count == functions->room && grow_functions(functions))
		return NULL;
	place = find_place(functions, hash, symbol, module);
	if (!*place && add_function(functions, symbol, module, hash, place))
		return NULL;
	return &functions->at[*place - 1];
}

int functions__add(struct functions *functions, const struct peat_stack_frame *frames, size_t count,
		   uint64_t weight)
{
	functions->stacks++;
	functions->weight += weight;
	for (size_t i = 0; i < count; i++) {
		struct function *function = find_or_add(functions, &frames[i]);

		if (!function)
			return -ENOMEM;
		if (!i)
			function->self += weight;
		if (function->last_stack != functions->stacks)
			function->total += weight;
		function->last_stack = functions->stacks;
	}
	return 0;
}

void functions__free(struct functions *functions)
{
	for (size_t i = 0; i < functions->count; i++) {
		free(functions->at[i].symbol);
		free(functions->at[i].module);
	}
	free(functions->at);
	free(functions->index);
	*functions = (struct functions){ 0 };
}

/* ---- order ----------------------------------------------------------------------------------- */

static int compare_numbers(uint64_t a, uint64_t b)
{
	return (a < b) - (a > b);
}

static int compare_texts(const char *a, const char *b)
{
	return strcmp(a ? a : "", b ? b : "");
}

static int compare_names(const struct function *a, const struct function *b)
{
	int order = compare_texts(a->symbol, b->symbol);

	return order ? order : compare_texts(a->module, b->module);
}

static int compare_self(const void *left, const void *right)
{
	const struct function *a = left, *b = right;
	int order = compare_numbers(a->self, b->self);

	if (!order)
		order = compare_numbers(a->total, b->total);
	return order ? order : compare_names(a, b);
}

static int compare_total(const void *left, const void *right)
{
	const struct function *a = left, *b = right;
	int order = compare_numbers(a->total, b->total);

	return order ? order : compare_self(left, right);
}

/* The hash table is of no use afterwards. */
static void sort(struct functions *functions, bool by_total)
{
	if (functions->count)
		qsort(functions->at, functions->count, sizeof(*functions->at),
		      by_total ? compare_total : compare_self);
}

/* ---- text ------------------------------------------------------------------------------------ */

static size_t count_rows(const struct functions *functions, const struct functions_style *style)
{
	return style->rows < functions->count ? (size_t)style->rows : functions->count;
}

static double share(const struct functions *functions, uint64_t weight)
{
	return functions->weight ? 100.0 * (double)weight / (double)functions->weight : 0;
}

static const char *symbol_of(const struct function *function)
{
	return function->symbol ? function->symbol : "[unknown]";
}

static const char *module_of(const struct function *function)
{
	const char *slash = function->module ? strrchr(function->module, '/') : NULL;

	if (!function->module)
		return "[unknown]";
	return slash && slash[1] ? slash + 1 : function->module;
}

static int longest_symbol(const struct functions *functions, size_t rows)
{
	size_t longest = strlen("FUNCTION");

	for (size_t i = 0; i < rows; i++) {
		size_t columns = terminal_text__columns(symbol_of(&functions->at[i]));

		if (columns > longest)
			longest = columns;
	}
	return longest < 60 ? (int)longest : 60;
}

static void print_row(const struct functions *functions, const struct function *function,
		      const struct functions_style *style, int width, FILE *out)
{
	fprintf(out, "%6.2f%% %6.2f%% ", share(functions, function->self),
		share(functions, function->total));
	if (style->is_time)
		fprintf(out, "%11.6f  ", (double)function->self / 1e9);
	else
		fprintf(out, "%8llu  ", (unsigned long long)function->self);
	terminal_text__put(out, symbol_of(function), (size_t)width);
	fputs("  ", out);
	terminal_text__put(out, module_of(function), 0);
	putc('\n', out);
}

void functions__print(struct functions *functions, const struct functions_style *style, FILE *out)
{
	size_t rows = count_rows(functions, style);
	int width;

	sort(functions, style->by_total);
	width = longest_symbol(functions, rows);
	if (!style->no_heading)
		fprintf(out, "%7s %7s %*s  %-*s  %s\n", "SELF", "TOTAL", style->is_time ? 11 : 8,
			style->is_time ? "SECONDS" : "SAMPLES", width, "FUNCTION", "MODULE");
	for (size_t i = 0; i < rows; i++)
		print_row(functions, &functions->at[i], style, width, out);
}

/* ---- JSON ------------------------------------------------------------------------------------ */

static void print_object(const struct function *function, FILE *out)
{
	fputs("{\"symbol\":", out);
	json_text__print_to(out, function->symbol);
	fputs(",\"module\":", out);
	json_text__print_to(out, function->module);
	fprintf(out, ",\"self\":%llu,\"total\":%llu}", (unsigned long long)function->self,
		(unsigned long long)function->total);
}

void functions__print_json(struct functions *functions, const struct functions_style *style,
			   FILE *out)
{
	size_t rows = count_rows(functions, style);

	sort(functions, style->by_total);
	fprintf(out, "{\"unit\":\"%s\",\"stacks\":%llu,\"weight\":%llu,\"functions\":[",
		style->is_time ? "ns" : "samples", (unsigned long long)functions->stacks,
		(unsigned long long)functions->weight);
	for (size_t i = 0; i < rows; i++) {
		fputs(i ? ",\n" : "\n", out);
		print_object(&functions->at[i], out);
	}
	fputs("]}\n", out);
}

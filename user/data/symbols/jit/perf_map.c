// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* symbols/jit/perf_map.c: the names that a JIT compiler writes into /tmp/perf-PID.map. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "symbols/elf/budget.h"
#include "symbols/elf/demangle.h"
#include "symbols/jit/perf_map.h"

/* ---- parsing --------------------------------------------------------------------------------- */

struct map_line {
	const char *at, *end;
};

static int hex_digit(char c)
{
	if (c >= '0' && c <= '9')
		return c - '0';
	c |= 0x20;
	return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

/* A hexadecimal number, perhaps with 0x, and the blank after it. */
static bool parse_number(struct map_line *line, uint64_t *number)
{
	const char *start;

	if (line->end - line->at > 2 && line->at[0] == '0' && (line->at[1] | 0x20) == 'x')
		line->at += 2;
	start = line->at;
	*number = 0;
	for (; line->at < line->end && hex_digit(*line->at) >= 0; line->at++)
		*number = *number << 4 | (uint64_t)hex_digit(*line->at);
	return line->at > start && line->at - start <= 16 && line->at < line->end &&
	       *line->at++ == ' ';
}

static int append_map_symbol(struct perf_map *map, const struct perf_map_symbol *symbol)
{
	if (!ARRAY_RESERVE(map->list, map->count, map->room))
		return -ENOMEM;
	map->list[map->count++] = *symbol;
	return 0;
}

/* Names of any bytes; those that a C string cannot hold end there. */
static int add_line(struct perf_map *map, struct map_line line)
{
	struct perf_map_symbol symbol = { 0 };
	uint64_t bytes;
	size_t name_bytes;

	if (!parse_number(&line, &symbol.begin) || !parse_number(&line, &bytes) || !bytes ||
	    bytes > UINT64_MAX - symbol.begin || line.at == line.end || !*line.at) {
		map->bad_lines++;
		return 0;
	}
	symbol.end = symbol.begin + bytes;
	name_bytes = strnlen(line.at, (size_t)(line.end - line.at));
	symbol.raw_name =
		arena__copy(&map->names, line.at,
			    name_bytes < BUDGET_NAME_BYTES ? name_bytes : BUDGET_NAME_BYTES);
	return symbol.raw_name ? append_map_symbol(map, &symbol) : -ENOMEM;
}

int64_t perf_map__add(struct perf_map *map, const char *bytes, size_t count)
{
	struct map_line line = { bytes, NULL };
	const char *end = bytes + count;
	int err = 0;

	while (!err && line.at < end) {
		line.end = memchr(line.at, '\n', (size_t)(end - line.at));
		if (!line.end)
			break;
		err = add_line(map, line);
		line.at = line.end + 1;
	}
	return err ? err : line.at - bytes;
}

/* ---- parts ----------------------------------------------------------------------------------- */

/* Symbols by begin, and a heap of those that reach the current address, the latest on top. */
struct sweep {
	const struct perf_map *map;
	uint32_t *order, *heap;
	uint32_t count, next, heap_count;
	struct perf_map_part *parts;
	uint32_t parts_count;
};

static int compare_begin(const void *left, const void *right, void *arg)
{
	const struct perf_map *map = arg;
	const struct perf_map_symbol *a = &map->list[*(const uint32_t *)left];
	const struct perf_map_symbol *b = &map->list[*(const uint32_t *)right];

	return a->begin < b->begin ? -1 : a->begin > b->begin;
}

static void swap(uint32_t *a, uint32_t *b)
{
	uint32_t value = *a;

	*a = *b;
	*b = value;
}

static void push(struct sweep *sweep, uint32_t entry)
{
	uint32_t at = sweep->heap_count++;

	sweep->heap[at] = entry;
	for (; at && sweep->heap[(at - 1) / 2] < sweep->heap[at]; at = (at - 1) / 2)
		swap(&sweep->heap[(at - 1) / 2], &sweep->heap[at]);
}

static void pop(struct sweep *sweep)
{
	uint32_t at = 0, child;

	sweep->heap[0] = sweep->heap[--sweep->heap_count];
	while ((child = 2 * at + 1) < sweep->heap_count) {
		if (child + 1 < sweep->heap_count && sweep->heap[child + 1] > sweep->heap[child])
			child++;
		if (sweep->heap[at] >= sweep->heap[child])
			return;
		swap(&sweep->heap[at], &sweep->heap[child]);
		at = child;
	}
}

static void emit_part(struct sweep *sweep, uint64_t begin, uint64_t end, uint32_t entry)
{
	struct perf_map_part *last =
		sweep->parts_count ? &sweep->parts[sweep->parts_count - 1] : NULL;

	if (last && last->entry == entry && last->end == begin)
		last->end = end;
	else
		sweep->parts[sweep->parts_count++] = (struct perf_map_part){ begin, end, entry };
}

static uint64_t next_begin(const struct sweep *sweep)
{
	return sweep->next < sweep->count ? sweep->map->list[sweep->order[sweep->next]].begin
					  : UINT64_MAX;
}

/* Each step begins or ends a symbol, so there are at most two parts for each. */
static void run_sweep(struct sweep *sweep)
{
	const struct perf_map_symbol *list = sweep->map->list;
	uint64_t at = 0, end;

	while (sweep->heap_count || sweep->next < sweep->count) {
		if (!sweep->heap_count)
			at = next_begin(sweep);
		while (sweep->next < sweep->count && next_begin(sweep) <= at)
			push(sweep, sweep->order[sweep->next++]);
		if (list[sweep->heap[0]].end <= at) {
			pop(sweep);
			continue;
		}
		end = list[sweep->heap[0]].end;
		if (next_begin(sweep) < end)
			end = next_begin(sweep);
		emit_part(sweep, at, end, sweep->heap[0]);
		at = end;
	}
}

static int make_parts(struct perf_map *map, struct perf_map_level *level)
{
	struct sweep sweep = { .map = map, .count = level->count };
	int err = -ENOMEM;

	sweep.order = reallocarray(NULL, level->count, sizeof(*sweep.order));
	sweep.heap = reallocarray(NULL, level->count, sizeof(*sweep.heap));
	sweep.parts = reallocarray(NULL, level->count, 2 * sizeof(*sweep.parts));
	if (sweep.order && sweep.heap && sweep.parts) {
		for (uint32_t i = 0; i < level->count; i++)
			sweep.order[i] = level->first + i;
		qsort_r(sweep.order, level->count, sizeof(*sweep.order), compare_begin, map);
		run_sweep(&sweep);
		level->parts = sweep.parts;
		level->parts_count = sweep.parts_count;
		sweep.parts = NULL;
		map->swept += level->count;
		err = 0;
	}
	free(sweep.order);
	free(sweep.heap);
	free(sweep.parts);
	return err;
}

/* ---- levels ---------------------------------------------------------------------------------- */

static void drop_levels(struct perf_map *map, uint32_t kept)
{
	while (map->levels_count > kept)
		free(map->levels[--map->levels_count].parts);
}

/*
 * The new lines become a level, together with the levels before it that are not larger.  So each
 * level is larger than all later ones together, and a line is sorted again only when its level
 * doubles.
 */
int perf_map__sort(struct perf_map *map)
{
	uint32_t kept = map->levels_count;
	struct perf_map_level made = { 0 };

	if (kept)
		made.first = map->levels[kept - 1].first + map->levels[kept - 1].count;
	if (made.first == map->count)
		return 0;
	while (kept && map->levels[kept - 1].count <= map->count - made.first)
		made.first = map->levels[--kept].first;
	made.count = map->count - made.first;
	if (make_parts(map, &made))
		return -ENOMEM;
	drop_levels(map, kept);
	map->levels[map->levels_count++] = made;
	return 0;
}

/* ---- memory ---------------------------------------------------------------------------------- */

uint64_t perf_map__bytes(const struct perf_map *map)
{
	return map->names.bytes + (uint64_t)map->room * sizeof(*map->list) +
	       (uint64_t)map->count * 2 * sizeof(struct perf_map_part);
}

static void set_counted(struct perf_map *map, uint64_t bytes)
{
	for (int i = 0; i < 2; i++)
		if (map->counters[i])
			*map->counters[i] += bytes - map->counted;
	map->counted = bytes;
}

void perf_map__count(struct perf_map *map)
{
	set_counted(map, perf_map__bytes(map));
}

/* ---- finding --------------------------------------------------------------------------------- */

static const struct perf_map_part *find_part(const struct perf_map_level *level, uint64_t address)
{
	uint32_t low = 0, high = level->parts_count;

	while (low < high) {
		uint32_t middle = low + (high - low) / 2;

		if (level->parts[middle].end <= address)
			low = middle + 1;
		else
			high = middle;
	}
	if (low == level->parts_count || level->parts[low].begin > address)
		return NULL;
	return &level->parts[low];
}

struct perf_map_symbol *perf_map__find(struct perf_map *map, uint64_t address)
{
	if (perf_map__sort(map))
		return NULL;
	for (uint32_t i = map->levels_count; i--;) {
		const struct perf_map_part *part = find_part(&map->levels[i], address);

		if (part)
			return &map->list[part->entry];
	}
	return NULL;
}

const char *perf_map__name(struct perf_map *map, struct perf_map_symbol *symbol, bool no_demangle)
{
	struct strbuf text = { 0 };

	if (symbol->name)
		return symbol->name;
	symbol->name = symbol->raw_name;
	if (!no_demangle && demangle__append(&text, symbol->raw_name) && !text.failed) {
		const char *copy = arena__copy(&map->names, text.bytes, text.count);

		if (copy)
			symbol->name = copy;
	}
	strbuf__free(&text);
	return symbol->name;
}

struct perf_map *perf_map__new(void)
{
	return calloc(1, sizeof(struct perf_map));
}

void perf_map__free(struct perf_map *map)
{
	if (!map)
		return;
	set_counted(map, 0);
	arena__free(&map->names);
	free(map->list);
	drop_levels(map, 0);
	free(map);
}

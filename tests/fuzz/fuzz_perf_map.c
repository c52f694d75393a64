// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * fuzz_perf_map.c: perf_map__add() and perf_map__find() on anything.
 *
 * Input: lines like those of /tmp/perf-PID.map.  The same lines in two pieces make the same map,
 * and every function is found at an address at most: parts do not overlap.
 */
#include <stdlib.h>
#include <string.h>

#include "symbols/jit/perf_map.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void require(bool holds)
{
	if (!holds)
		abort();
}

static void check_address(struct perf_map *whole, struct perf_map *pieces, uint64_t address)
{
	struct perf_map_symbol *symbol = perf_map__find(whole, address);
	struct perf_map_symbol *same = perf_map__find(pieces, address);

	require(!symbol == !same);
	if (!symbol)
		return;
	require(address >= symbol->begin && address < symbol->end);
	require(!strcmp(symbol->raw_name, same->raw_name));
	require(*perf_map__name(whole, symbol, false));
}

static void check_level(const struct perf_map_level *level)
{
	uint64_t end = 0;

	require(level->parts_count <= 2 * (uint64_t)level->count);
	for (uint32_t i = 0; i < level->parts_count; i++) {
		require(level->parts[i].begin >= end);
		require(level->parts[i].end > level->parts[i].begin);
		end = level->parts[i].end;
	}
}

static void check_levels(struct perf_map *map)
{
	uint32_t lines = 0;

	perf_map__find(map, 0);
	for (uint32_t i = 0; i < map->levels_count; i++) {
		require(map->levels[i].first == lines);
		lines += map->levels[i].count;
		check_level(&map->levels[i]);
	}
	require(lines == map->count);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct perf_map *whole = perf_map__new(), *pieces = perf_map__new();
	char *bytes = malloc(size + !size);
	int64_t used, first;

	require(whole && pieces && bytes);
	memcpy(bytes, data, size);
	used = perf_map__add(whole, bytes, size);
	require(used >= 0 && (size_t)used <= size && (!used || bytes[used - 1] == '\n'));
	first = perf_map__add(pieces, bytes, size / 2);
	require(first >= 0 && (size_t)first <= size / 2);
	perf_map__find(pieces, 0);
	require(perf_map__add(pieces, bytes + first, size - (size_t)first) == used - first);
	require(whole->count == pieces->count && whole->bad_lines == pieces->bad_lines);
	check_levels(whole);
	check_levels(pieces);
	for (uint32_t i = 0; i < whole->count; i++) {
		check_address(whole, pieces, whole->list[i].begin - 1);
		check_address(whole, pieces, whole->list[i].begin);
		check_address(whole, pieces, whole->list[i].end - 1);
		check_address(whole, pieces, whole->list[i].end);
	}
	free(bytes);
	perf_map__free(whole);
	perf_map__free(pieces);
	return 0;
}

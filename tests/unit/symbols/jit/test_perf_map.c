// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* test_perf_map.c: lines of JIT compilers. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "symbols/jit/perf_map.h"
#include "unit/suite.h"

static void add(struct perf_map *map, const char *text)
{
	ck_assert_int_eq(perf_map__add(map, text, strlen(text)), (int64_t)strlen(text));
}

static void check(struct perf_map *map, uint64_t address, const char *name)
{
	struct perf_map_symbol *symbol = perf_map__find(map, address);

	ck_assert_str_eq(symbol ? perf_map__name(map, symbol, false) : "", name);
	if (symbol)
		ck_assert(address >= symbol->begin && address < symbol->end);
}

START_TEST(test_reads_lines)
{
	struct perf_map *map = perf_map__new();

	check(map, 0x1000, "");
	add(map, "3000 10 third\n1000 20 LazyCompile:*run /app/a b.js:1:2\n");
	add(map, "0x2000 0xA0 py::f:/x.py\n");
	check(map, 0xfff, "");
	check(map, 0x1000, "LazyCompile:*run /app/a b.js:1:2");
	check(map, 0x101f, "LazyCompile:*run /app/a b.js:1:2");
	check(map, 0x1020, "");
	check(map, 0x209f, "py::f:/x.py");
	check(map, 0x3000, "third");
	ck_assert_uint_eq(map->bad_lines, 0);
	perf_map__free(map);
}
END_TEST

START_TEST(test_names_are_demangled)
{
	struct perf_map *map = perf_map__new();

	add(map, "1000 20 _Z3foov\n");
	check(map, 0x1000, "foo");
	ck_assert_str_eq(perf_map__find(map, 0x1000)->raw_name, "_Z3foov");
	perf_map__free(map);
}
END_TEST

/* A line without its end is not used before the rest of it was written. */
START_TEST(test_cut_line_waits_for_rest)
{
	struct perf_map *map = perf_map__new();

	ck_assert_int_eq(perf_map__add(map, "1000 20 whole\n2000 10 cu", 24), 14);
	check(map, 0x2000, "");
	ck_assert_int_eq(perf_map__add(map, "2000 10 cut\n", 12), 12);
	check(map, 0x2000, "cut");
	ck_assert_int_eq(perf_map__add(map, "", 0), 0);
	perf_map__free(map);
}
END_TEST

START_TEST(test_bad_lines)
{
	static const char *const lines[] = {
		"\n",
		"1000\n",
		"1000 \n",
		"1000 20\n",
		"1000 20 \n",
		"1000 0 empty\n",
		"x000 20 name\n",
		"1000 2x name\n",
		" 1000 20 name\n",
		"ffffffffffffffff 1 past the end\n",
		"1000 ffffffffffffffff too long\n",
		"10000000000000000 20 too many digits\n",
		"0x 20 name\n",
	};
	struct perf_map *map = perf_map__new();

	for (size_t i = 0; i < sizeof(lines) / sizeof(*lines); i++) {
		add(map, lines[i]);
		ck_assert_msg(map->bad_lines == i + 1, "%s", lines[i]);
	}
	ck_assert_uint_eq(map->count, 0);
	add(map, "1000 20 good\n");
	check(map, 0x1000, "good");
	perf_map__free(map);
}
END_TEST

/* The compiler gives the memory of old functions to new ones. */
START_TEST(test_new_functions_replace_old)
{
	struct perf_map *map = perf_map__new();

	add(map, "1000 100 old\n1040 20 middle\n");
	check(map, 0x1000, "old");
	check(map, 0x1040, "middle");
	check(map, 0x1060, "old");
	ck_assert_uint_eq(perf_map__find(map, 0x1060)->begin, 0x1000);
	add(map, "1000 100 new\n");
	check(map, 0x1050, "new");
	add(map, "ff0 20 across\n");
	check(map, 0xff0, "across");
	check(map, 0x100f, "across");
	check(map, 0x1010, "new");
	perf_map__free(map);
}
END_TEST

START_TEST(test_long_name)
{
	struct perf_map *map = perf_map__new();
	char *line = malloc(20000);

	memset(line, 'n', 20000);
	memcpy(line, "1000 20 ", 8);
	line[19999] = '\n';
	ck_assert_int_eq(perf_map__add(map, line, 20000), 20000);
	ck_assert_uint_eq(strlen(perf_map__find(map, 0x1000)->raw_name), 4096);
	free(line);
	perf_map__free(map);
}
END_TEST

#define UNITS 200

/* By a model: the last line of each address. */
START_TEST(test_random_lines_match_model)
{
	struct perf_map *map = perf_map__new();
	int last[UNITS + 40];

	srand(3);
	memset(last, -1, sizeof(last));
	for (int i = 0; i < 300; i++) {
		unsigned begin = (unsigned)rand() % UNITS, bytes = 1 + (unsigned)rand() % 32;
		char line[64];

		snprintf(line, sizeof(line), "%x %x f%d\n", begin, bytes, i);
		add(map, line);
		for (unsigned at = begin; at < begin + bytes; at++)
			last[at] = i;
		if (i % 50 && i != 299)
			continue;
		for (unsigned at = 0; at < UNITS + 40; at++) {
			char name[16] = "";

			if (last[at] >= 0)
				snprintf(name, sizeof(name), "f%d", last[at]);
			check(map, at, name);
		}
	}
	perf_map__free(map);
}
END_TEST

#define GROWN	   4096
#define GROWN_LOG2 12

/* A map that grows by a line for each lookup: a line is sorted again when its level doubles. */
START_TEST(test_grows_by_lines)
{
	struct perf_map *map = perf_map__new();

	for (unsigned i = 0; i < GROWN; i++) {
		char line[64], name[16];

		snprintf(line, sizeof(line), "%x 10 f%u\n", 0x100000 - 16 * i, i);
		snprintf(name, sizeof(name), "f%u", i);
		add(map, line);
		check(map, 0x100000 - 16 * i, name);
		check(map, 0x100000, "f0");
	}
	ck_assert_uint_le(map->swept, GROWN * (GROWN_LOG2 + 1));
	perf_map__free(map);
}
END_TEST

SUITE(10)
{
	tcase_add_test(tests, test_reads_lines);
	tcase_add_test(tests, test_names_are_demangled);
	tcase_add_test(tests, test_cut_line_waits_for_rest);
	tcase_add_test(tests, test_bad_lines);
	tcase_add_test(tests, test_new_functions_replace_old);
	tcase_add_test(tests, test_long_name);
	tcase_add_test(tests, test_random_lines_match_model);
	tcase_add_test(tests, test_grows_by_lines);
}

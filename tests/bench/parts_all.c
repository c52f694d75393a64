// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * parts_all.c: usage: parts [reader|frame|json|replay]...
 *
 * Measures parts of the library alone; PEAT is the command, for those that need it.
 */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/internal.h"
#include "parts_all.h"

#define ROUNDS 11
#define RUN_NS 5000000 /* at least, of one round */

static const struct {
	const char *name, *title;
	void (*measure)(struct bench_table *table);
} all[] = {
	{ "frame", "Frame: an event of 16 bytes is found in a frame of 4 KiB.", parts__frame },
	{ "reader",
	  "Reader: an event of 16 bytes is handed out of so many rings, a quarter full; a round "
	  "finds all of them empty.",
	  parts__reader },
	{ "json", "JSON: an event of six fields becomes a line, which goes to /dev/null.",
	  parts__json },
	{ "replay", "Replay: a recording of some 100 MB is read, or printed to /dev/null.",
	  parts__replay },
};

void parts__give_up(const char *format, ...)
{
	va_list args;

	va_start(args, format);
	fputs("parts: ", stderr);
	vfprintf(stderr, format, args);
	fputc('\n', stderr);
	va_end(args);
	exit(1);
}

/* Once, or as often as it takes to be measured. */
static double measure_one(const struct part *part)
{
	uint64_t passed_ns = 0, count = 0;

	while (passed_ns < RUN_NS) {
		uint64_t start_ns;

		if (part->prepare)
			part->prepare(part->of);
		start_ns = monotonic_ns();
		count += part->run(part->of);
		passed_ns += monotonic_ns() - start_ns;
	}
	if (!strcmp(part->unit, "ns"))
		return (double)passed_ns / (double)count;
	return (double)count / (double)passed_ns * 1e3;
}

void parts__measure(struct bench_table *table, const char *workload, const struct part *parts,
		    size_t count)
{
	for (size_t i = 0; i < count; i++)
		measure_one(&parts[i]);
	for (size_t round = 0; round < ROUNDS; round++)
		for (size_t n = 0; n < count; n++) {
			/* There and back: whatever drifts hits all alike.  The table keeps the
			 * order. */
			const struct part *part = &parts[round % 2 ? count - 1 - n : n];
			struct bench_place place = { workload, part->who, part->what };

			bench_table__add(table, &place, part->metric, part->unit,
					 measure_one(part));
		}
}

static bool is_wanted(const char *name, int argc, char **argv)
{
	for (int i = 1; i < argc; i++)
		if (!strcmp(argv[i], name))
			return true;
	return argc < 2;
}

int main(int argc, char **argv)
{
	struct bench_table table = { .count = 0 };

	puts("A cell is the median of interleaved rounds, the quartiles, and the ratio to the "
	     "first "
	     "line, round by round.");
	for (size_t i = 0; i < sizeof(all) / sizeof(*all); i++) {
		if (!is_wanted(all[i].name, argc, argv))
			continue;
		all[i].measure(&table);
		bench_table__print(&table, all[i].title);
	}
	bench_table__free(&table);
	return 0;
}

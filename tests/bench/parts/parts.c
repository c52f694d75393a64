// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * parts.c: usage: parts [reader|frame|identity|json|perfetto|replay|symbols|growth|spool|piece]...
 *
 * Measures parts of the library alone.  The environment's PEAT is the path of the command.
 */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/monotonic.h"
#include "parts.h"

#define ROUNDS 11
#define RUN_NS 5000000 /* at least, of one round */

static const struct {
	const char *name, *title;
	void (*measure)(struct bench_table *table);
} all[] = {
	{ "frame", "Frame: time to decode an event of 16 bytes in a frame of 4 KiB.",
	  parts_frame__measure },
	{ "reader",
	  "Reader: time to return an event of 16 bytes from rings that are a quarter full; a round "
	  "over empty rings.",
	  parts_reader__measure },
	{ "identity",
	  "Identity: time to find the container of an event by its cgroup, and the nspid by its "
	  "task.",
	  parts_identity__measure },
	{ "json", "JSON: events of six fields printed as lines to /dev/null.",
	  parts_json__measure },
	{ "perfetto", "Perfetto: events of six fields written as a timeline to /dev/null.",
	  parts_perfetto__measure },
	{ "replay", "Replay: a recording of about 100 MB, read or printed to /dev/null.",
	  parts_replay__measure },
	{ "symbols",
	  "Symbols: functions named in stacks of a recording, printed to /dev/null, and in live "
	  "stacks.",
	  parts_symbols__measure },
	{ "growth",
	  "Growth: time of a record in recordings with many records of one kind, in the order of "
	  "time and back; a ratio of 1 is in proportion.",
	  parts_growth__measure },
	{ "spool", "Spool: batches of an agent written to disk and read back, beside dd.",
	  parts_spool__measure },
	{ "self",
	  "Self: time to read a counter of the calling thread.  Left out: the times of the page if "
	  "the kernel gives no clock, rdpmc if it counts no cycles.",
	  parts_self__measure },
	{ "piece",
	  "Piece: batches of an agent encoded for a stream or spool and decoded, per event.",
	  parts_piece__measure },
};

void parts__fail(const char *format, ...)
{
	va_list args;

	va_start(args, format);
	fputs("parts: ", stderr);
	vfprintf(stderr, format, args);
	fputc('\n', stderr);
	va_end(args);
	exit(1);
}

/* Repeats the run until it took RUN_NS. */
static double measure_one(const struct part *part)
{
	uint64_t passed_ns = 0, count = 0;

	while (passed_ns < RUN_NS) {
		uint64_t start_ns;

		if (part->prepare)
			part->prepare(part->context);
		start_ns = monotonic_ns();
		count += part->run(part->context);
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
			/* Alternate the direction, so that drift affects all parts equally.  The
			 * table keeps the order. */
			const struct part *part = &parts[round % 2 ? count - 1 - n : n];
			struct bench_place place = { workload, part->name, part->setting };

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

	if (argc > 1 && !strcmp(argv[1], "--faults"))
		return parts_symbols__load(argc - 2, argv + 2);
	puts("A cell has the median of interleaved rounds, the quartiles, and the ratio to the "
	     "first line, round by round.");
	for (size_t i = 0; i < sizeof(all) / sizeof(*all); i++) {
		if (!is_wanted(all[i].name, argc, argv))
			continue;
		all[i].measure(&table);
		bench_table__print(&table, all[i].title);
	}
	bench_table__free(&table);
	return 0;
}

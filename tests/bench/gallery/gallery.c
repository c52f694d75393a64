// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * gallery.c: usage: bench-gallery [-q] PEAT [PROBE]...
 *
 * Measures what the probes add to the operations that they watch: at rest, when their hooks run and
 * select nothing, and busy, when each operation makes events; beside another tool for the same
 * question.  The operations run on one CPU, the tools on another.  -q: one short round.
 */
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "bench/peers/operation.h"
#include "bench/peers/tracer.h"
#include "bench/table.h"
#include "gallery.h"

#define BLOCKS 200
#define ROUNDS 9

/* A way to watch the operation, with its measurements. */
enum way { ALONE, REST, BUSY, PEER, WAYS };

struct measured {
	double ns[WAYS][ROUNDS]; /* of one operation */
	size_t rounds[WAYS];
	double operations, events, lost; /* of the busy runs */
};

struct gallery {
	const char *peat;
	size_t rounds, blocks;
	struct operation_cpus cpus;
};

char gallery__own_pid[16];

void gallery__say(const char *format, ...)
{
	va_list args;

	va_start(args, format);
	fputs("gallery: ", stderr);
	vfprintf(stderr, format, args);
	fputc('\n', stderr);
	va_end(args);
}

/* ---- measuring ------------------------------------------------------------------------------- */

static void add(struct measured *measured, enum way way, double ns)
{
	measured->ns[way][measured->rounds[way]++] = ns;
}

/* Puts peat's arguments together: PEAT trace ARGS. */
static void complete(const struct gallery *gallery, const char *const *args,
		     const char *argv[GALLERY_ARGS + 3])
{
	size_t count = 0;

	argv[count++] = gallery->peat;
	argv[count++] = "trace";
	for (size_t i = 0; i < GALLERY_ARGS && args[i]; i++)
		argv[count++] = args[i];
	argv[count] = NULL;
}

/* False: the tool does not run here. */
static bool measure_with(const struct gallery *gallery, const struct gallery_entry *entry,
			 enum way way, struct measured *measured)
{
	const char *argv[GALLERY_ARGS + 3];
	const char *const *words = entry->peer_argv;
	double operations = 0, events, lost, ns;
	struct peer_tracer tracer;

	if (way != PEER) {
		complete(gallery, way == REST ? entry->rest : entry->busy, argv);
		words = argv;
	}
	if (!words[0] || peer_tracer__start(&tracer, words, gallery->cpus.tool))
		return false;
	ns = operation__measure(entry->operation->run, gallery->blocks, &operations);
	peer_tracer__end(&tracer, &events, &lost);
	add(measured, way, ns);
	if (way == BUSY) {
		measured->operations += operations;
		measured->events += events;
		measured->lost += lost;
	}
	return true;
}

/* The ways take turns, so that changes of the machine's speed concern all of them. */
static void measure(const struct gallery *gallery, const struct gallery_entry *entry,
		    struct measured *measured)
{
	bool runs[WAYS] = { true, entry->rest[0], entry->busy[0], entry->peer_argv[0] };

	for (size_t round = 0; round < gallery->rounds; round++) {
		double unused = 0;

		add(measured, ALONE,
		    operation__measure(entry->operation->run, gallery->blocks, &unused));
		for (enum way way = REST; way < WAYS; way++)
			runs[way] = runs[way] && measure_with(gallery, entry, way, measured);
	}
}

/* ---- output ---------------------------------------------------------------------------------- */

/* "+310 +-12": the median of the differences of each round, and half of their quartiles. */
static const char *added_text(const struct measured *measured, enum way way, char text[32])
{
	double added[ROUNDS];
	struct bench_spread spread;

	if (!measured->rounds[way])
		return "-";
	for (size_t i = 0; i < measured->rounds[way]; i++)
		added[i] = measured->ns[way][i] - measured->ns[ALONE][i];
	spread = bench_table__spread(added, measured->rounds[way]);
	snprintf(text, 32, "%+.0f +-%.0f", spread.median, (spread.p75 - spread.p25) / 2);
	return text;
}

static void print_heading(void)
{
	printf("ns that an operation takes, and that each tool adds to it\n"
	       "%-10s %-34s %8s %14s %14s %7s %6s  %s\n",
	       "probe", "operation", "alone", "at rest", "busy", "events", "lost", "another tool");
}

static void print(const struct gallery_entry *entry, const struct measured *measured)
{
	char rest[32], busy[32], peer[32];

	printf("%-10s %-34s %8.0f %14s %14s ", entry->probe, entry->operation->title,
	       bench_table__spread(measured->ns[ALONE], measured->rounds[ALONE]).median,
	       added_text(measured, REST, rest), added_text(measured, BUSY, busy));
	if (measured->rounds[BUSY])
		printf("%7.2f %5.1f%%", measured->events / measured->operations,
		       measured->lost * 100 / (measured->events + measured->lost + 1e-9));
	else
		printf("%7s %6s", "-", "-");
	printf("  %s %s\n", entry->peer ?: "-",
	       entry->peer ? added_text(measured, PEER, peer) : "");
	fflush(stdout);
}

/* ---- the run --------------------------------------------------------------------------------- */

static bool is_wanted(const char *probe, char **names)
{
	if (!*names)
		return true;
	while (*names && strcmp(*names, probe) != 0)
		names++;
	return *names;
}

static void run_entry(const struct gallery *gallery, const struct gallery_entry *entry)
{
	struct measured measured = { .operations = 0 };

	if (!entry->operation->prepare || entry->operation->prepare()) {
		measure(gallery, entry, &measured);
		print(entry, &measured);
	}
	if (entry->operation->finish)
		entry->operation->finish();
}

int main(int argc, char **argv)
{
	struct gallery gallery = { .rounds = ROUNDS, .blocks = BLOCKS };
	const struct gallery_entry *entry;

	snprintf(gallery__own_pid, sizeof(gallery__own_pid), "%d", (int)getpid());
	if (argc > 1 && !strcmp(argv[1], "-q")) {
		gallery.rounds = 1;
		gallery.blocks = 20;
		argv++;
		argc--;
	}
	if (argc < 2) {
		fputs("usage: bench-gallery [-q] PEAT [PROBE]...\n", stderr);
		return 64;
	}
	gallery.peat = argv[1];
	operation__take_cpus(&gallery.cpus);
	print_heading();
	for (size_t i = 0; (entry = gallery_entries__at(i)); i++)
		if (is_wanted(entry->probe, argv + 2))
			run_entry(&gallery, entry);
	return ferror(stdout) || fflush(stdout) ? 1 : 0;
}

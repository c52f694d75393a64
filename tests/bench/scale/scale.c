// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * scale.c: usage: scale [-e] [-r ROUNDS] [-m MILLISECONDS] [-s SECONDS] [PART...]
 *
 *	-e	this machine is emulated, so times mean nothing
 *	-r, -m	number of rounds, and the length of each
 *	-s	length of the steady load
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <bpf/libbpf.h>

#include "cli/cli.h"
#include "cli/base/messages.h"
#include "scale.h"

static const struct {
	const char *name;
	int (*measure)(struct scale *scale);
	const char *title; /* of the rows added; NULL: the part prints its own table */
} parts[] = {
	{ "sizes", scale_load__sizes,
	  "Size: time that an event of each size adds to the traced program, at 4 events per "
	  "system "
	  "call." },
	{ "rates", scale_load__rates, "Rate: events of 64 bytes per second." },
	{ "programs", scale_load__programs,
	  "Programs: several programs on one tracepoint, each emitting 4 events of 16 bytes into "
	  "the "
	  "same rings." },
	{ "cpus", scale_load__cpus,
	  "CPUs: saturated load from several CPUs; share: time per event on the first CPU; "
	  "unbalanced: events on which the ledger, the programs and the reader disagree." },
	{ "memory", scale_memory__measure, NULL },
	{ "steady", scale_steady__measure, NULL },
};

static int print_warnings(enum libbpf_print_level level, const char *format, va_list args)
{
	return level == LIBBPF_WARN ? vfprintf(stderr, format, args) : 0;
}

/* ---- the transports that are compared -------------------------------------------------------- */

/* A quarter of the ring: the best setting on most machines, used if it cannot be measured. */
static int assume_best(struct bench *bench)
{
	static const enum bench_way peers[] = { BENCH_PERF_BUFFER, BENCH_RING_BUFFER,
						BENCH_STAGE_RINGBUF };

	for (size_t i = 0; i < sizeof(peers) / sizeof(*peers); i++) {
		struct bench_transports candidates;

		bench_transports__candidates(&candidates, peers[i], &bench->sizes);
		for (size_t j = 0; j < candidates.count; j++)
			if (candidates.all[j].wake_bytes == candidates.all[j].ring_bytes / 4)
				bench->best[peers[i]] = candidates.all[j];
	}
	bench_transports__all(&bench->transports, &bench->sizes, bench->best);
	return 0;
}

static bool is_one_of_few(const struct bench_transport *transport)
{
	static const char *const settings[] = { "time, ids", "neither", "best: " };

	if (transport->way == BENCH_STAGE_RINGBUF)
		return false;
	for (size_t i = 0; i < sizeof(settings) / sizeof(*settings); i++)
		if (!strncmp(transport->setting, settings[i], strlen(settings[i])))
			return true;
	return false;
}

static int choose(struct scale *scale)
{
	const struct bench_transports *all = &scale->bench.transports;
	int err = scale->emulated ? assume_best(&scale->bench)
				  : bench_workloads__at(0)->run(&scale->bench);

	scale->bench.table.shown = scale->bench.table.count; /* do not print the sweep */
	for (size_t i = 0; !err && i < all->count; i++)
		if (is_one_of_few(&all->all[i]))
			scale->few.all[scale->few.count++] = all->all[i];
	return err;
}

static int begin(struct scale *scale)
{
	int err = bench_run__read_cpus(&scale->bench.cpus);

	if (err)
		return err;
	scale->bench.sizes = bench_transports__sizes();
	bench_run__prepare();
	libbpf_set_print(print_warnings);
	messages__set_verbosity(0);
	return choose(scale);
}

/* ---------------------------------------------------------------------------------------------- */

static bool is_wanted(const char *name, char **names)
{
	bool any = *names;

	for (; *names; names++)
		if (!strcmp(name, *names))
			return true;
	return !any;
}

static int measure(struct scale *scale, char **names)
{
	int err = 0;

	for (size_t i = 0; !err && i < sizeof(parts) / sizeof(*parts); i++) {
		if (!is_wanted(parts[i].name, names))
			continue;
		err = parts[i].measure(scale);
		if (!err && parts[i].title)
			bench_table__print(&scale->bench.table, parts[i].title);
		fflush(stdout);
	}
	return err;
}

static int usage(void)
{
	fputs("usage: scale [-e] [-r ROUNDS] [-m MILLISECONDS] [-s SECONDS] [PART...]\n", stderr);
	return EXIT_USAGE;
}

int main(int argc, char **argv)
{
	static struct scale scale = { .rounds = 11, .seconds = 5, .run_ns = 20000000 };
	int option, err;

	while ((option = getopt(argc, argv, "er:m:s:")) != -1) {
		if (option == 'e')
			scale.emulated = true;
		else if (option == 'r')
			scale.rounds = (uint32_t)atoi(optarg);
		else if (option == 'm')
			scale.run_ns = (uint64_t)atoi(optarg) * 1000000;
		else if (option == 's')
			scale.seconds = (uint32_t)atoi(optarg);
		else
			return usage();
	}
	err = begin(&scale);
	if (!err)
		err = measure(&scale, argv + optind);
	bench_table__free(&scale.bench.table);
	return err ? EXIT_FAILED : 0;
}

// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * scale_all.c: usage: scale [-e] [-r ROUNDS] [-m MILLISECONDS] [-s SECONDS] [PART...]
 *
 *	-e	this machine is emulated: what takes how long says nothing
 *	-r, -m	how many rounds, each of how long
 *	-s	how long the steady load takes
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <bpf/libbpf.h>

#include "cli.h"
#include "scale_all.h"

static const struct {
	const char *name;
	int (*measure)(struct scale *scale);
	const char *title; /* of the rows that were added; NULL: it prints them */
} parts[] = {
	{ "sizes", scale__sizes,
	  "Size: what an event of so many bytes adds to the traced program, at 4 of them a system "
	  "call." },
	{ "rates", scale__rates, "Rate: so many events of 64 bytes a second." },
	{ "programs", scale__programs,
	  "Programs: so many on one tracepoint, each emitting 4 events of 16 bytes into the same "
	  "rings." },
	{ "cpus", scale__cpus,
	  "CPUs: so many emit all they can; an event's share is that of the first one's time.  "
	  "Astray: what the ledger and both ends do not agree on." },
	{ "memory", scale__memory, NULL },
	{ "steady", scale__steady, NULL },
};

static int print_warnings(enum libbpf_print_level level, const char *format, va_list args)
{
	return level == LIBBPF_WARN ? vfprintf(stderr, format, args) : 0;
}

/* ---- who is compared ------------------------------------------------------------------------- */

/* A ring's quarter: the best of most machines, where it cannot be measured. */
static int assume_best(struct bench *bench)
{
	static const enum bench_way peers[] = { BENCH_PERF_BUFFER, BENCH_RING_BUFFER, BENCH_RIVAL };

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

	if (transport->way == BENCH_RIVAL)
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
				  : bench_workload__at(0)->run(&scale->bench);

	scale->bench.table.shown = scale->bench.table.count; /* of the search for the best */
	for (size_t i = 0; !err && i < all->count; i++)
		if (is_one_of_few(&all->all[i]))
			scale->few.all[scale->few.count++] = all->all[i];
	return err;
}

static int begin(struct scale *scale)
{
	int err = bench_cpus__read(&scale->bench.cpus);

	if (err)
		return err;
	scale->bench.sizes = bench_transports__sizes();
	bench_run__prepare();
	libbpf_set_print(print_warnings);
	cli__show_messages(0);
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

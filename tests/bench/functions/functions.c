// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * functions.c: usage: bench-functions [-q] PEAT
 *
 * Measures what functions as sources add to each call, and how long they take to start, beside
 * bpftrace.  The operations run on one CPU, the tools on another.  -q: one short round.
 */
#include <stdio.h>
#include <string.h>

#include "bench/peers/operation.h"
#include "bench/peers/tracer.h"
#include "bench/table.h"
#include "functions.h"

#define BLOCKS 100
#define ROUNDS 7

enum way { ALONE, PEAT, BPFTRACE, WAYS };

struct bench {
	const char *peat;
	size_t rounds, blocks;
	struct operation_cpus cpus;
};

struct measured {
	double values[WAYS][ROUNDS];
	size_t rounds[WAYS];
};

static void command_line(const struct bench *bench, const struct question *question, enum way way,
			 struct words *words)
{
	if (way == PEAT)
		question__peat(question, bench->peat, words);
	else
		question__bpftrace(question, words);
}

static void add(struct measured *measured, enum way way, double value)
{
	measured->values[way][measured->rounds[way]++] = value;
}

/* ---- calls ----------------------------------------------------------------------------------- */

static void measure_call(const struct bench *bench, const struct question *question, enum way way,
			 struct measured *measured)
{
	double operations = 0, events, lost, ns;
	struct peer_tracer tracer;
	struct words words;

	command_line(bench, question, way, &words);
	if (peer_tracer__start(&tracer, words.argv, bench->cpus.tool))
		return;
	ns = operation__measure(question->operation->run, bench->blocks, &operations);
	peer_tracer__end(&tracer, &events, &lost);
	add(measured, way, ns);
}

/* "310 +-12": the median of the differences of each round, and half of their quartiles. */
static const char *added_text(const struct measured *measured, enum way way, char text[32])
{
	double added[ROUNDS];
	struct bench_spread spread;

	if (measured->rounds[way] != measured->rounds[ALONE])
		return "-";
	for (size_t i = 0; i < measured->rounds[way]; i++)
		added[i] = measured->values[way][i] - measured->values[ALONE][i];
	spread = bench_table__spread(added, measured->rounds[way]);
	snprintf(text, 32, "%.0f +-%.0f", spread.median, (spread.p75 - spread.p25) / 2);
	return text;
}

/* The ways take turns, so that changes of the machine's speed concern all of them. */
static void print_question(const struct bench *bench, const struct question *question)
{
	struct measured measured = { .rounds = { 0 } };
	char peat[32], bpftrace[32];

	if (!operation__is_possible(question->operation))
		return;
	for (size_t round = 0; round < bench->rounds; round++) {
		double unused = 0;

		add(&measured, ALONE,
		    operation__measure(question->operation->run, bench->blocks, &unused));
		measure_call(bench, question, PEAT, &measured);
		measure_call(bench, question, BPFTRACE, &measured);
	}
	printf("%-22s %-22s %8.0f %12s %12s\n", question->operation->title, question->title,
	       bench_table__spread(measured.values[ALONE], measured.rounds[ALONE]).median,
	       added_text(&measured, PEAT, peat), added_text(&measured, BPFTRACE, bpftrace));
	fflush(stdout);
}

static void print_questions(const struct bench *bench)
{
	const struct question *question;

	printf("ns that a call takes, and that each tool adds to it\n"
	       "%-22s %-22s %8s %12s %12s\n",
	       "operation", "question", "alone", "peat", "bpftrace");
	for (size_t i = 0; (question = questions__at(i)); i++)
		print_question(bench, question);
}

/* ---- starts ---------------------------------------------------------------------------------- */

static const char *start_text(const struct measured *measured, enum way way, char text[32])
{
	struct bench_spread spread;

	if (!measured->rounds[way])
		return "-";
	spread = bench_table__spread(measured->values[way], measured->rounds[way]);
	snprintf(text, 32, "%.0f +-%.0f", spread.median, (spread.p75 - spread.p25) / 2);
	return text;
}

static void print_start(const struct bench *bench, const struct question *question)
{
	struct measured measured = { .rounds = { 0 } };
	char peat[32], bpftrace[32];

	if (!operation__is_possible(question->operation))
		return;
	for (size_t round = 0; round < bench->rounds; round++)
		for (enum way way = PEAT; way < WAYS; way++) {
			struct words words;
			double ms;

			command_line(bench, question, way, &words);
			ms = starting__measure(question->operation, &words, bench->cpus.tool);
			if (ms >= 0)
				add(&measured, way, ms);
		}
	printf("%-45s %21s %12s\n", question->operation->title, start_text(&measured, PEAT, peat),
	       start_text(&measured, BPFTRACE, bpftrace));
	fflush(stdout);
}

static void print_starts(const struct bench *bench)
{
	const struct question *question;

	printf("\nms from the start of a tool to its first event\n");
	for (size_t i = 0; (question = questions__start_at(i)); i++)
		print_start(bench, question);
}

/* ---- the run --------------------------------------------------------------------------------- */

int main(int argc, char **argv)
{
	struct bench bench = { .rounds = ROUNDS, .blocks = BLOCKS };

	if (argc > 1 && !strcmp(argv[1], "-q")) {
		bench.rounds = 1;
		bench.blocks = 20;
		argv++;
		argc--;
	}
	if (argc != 2) {
		fputs("usage: bench-functions [-q] PEAT\n", stderr);
		return 64;
	}
	bench.peat = argv[1];
	operation__take_cpus(&bench.cpus);
	print_questions(&bench);
	print_starts(&bench);
	many__print();
	return ferror(stdout) || fflush(stdout) ? 1 : 0;
}

// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* load.c: scaling with event size, rate, programs and CPUs. */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include <peat/peat.h>

#include "scale.h"

static double lost_percent(uint64_t emitted, uint64_t delivered)
{
	if (!emitted || delivered >= emitted)
		return 0;
	return 100.0 * (double)(emitted - delivered) / (double)emitted;
}

/* If `none`, the program without output comes first, as the reference of the others. */
static int open_few(const struct scale *scale, struct bench_rigs *rigs, uint32_t bytes, bool none)
{
	static struct bench_transport all[BENCH_TRANSPORTS_MAX + 1];
	const struct bench_events events = { .bytes = bytes };

	all[0] = (struct bench_transport){ .way = BENCH_NONE, .setting = "no output" };
	memcpy(all + none, scale->few.all, scale->few.count * sizeof(*all));
	return bench_measure__open_rigs(rigs, all, scale->few.count + none, &events);
}

/* ---- cost of an event, by size and number of programs ---------------------------------------- */

/* Each program emits the same number of events. */
static void add_cost_rows(struct bench *bench, const struct bench_place *place,
			  const struct bench_rigs *rigs, size_t i)
{
	const struct bench_result *result = &rigs->results[i], *none = &rigs->results[0];
	double programs = rigs->all[i].program_count;

	if (!i)
		return;
	bench_table__add(&bench->table, place, "added", "ns/event",
			 (result->event_ns - none->event_ns) / programs);
	bench_table__add(
		&bench->table, place, "lost", "%",
		lost_percent(result->emitted * rigs->all[i].program_count, result->delivered));
}

static int measure_cost(struct scale *scale, const char *workload, struct bench_rigs *rigs)
{
	const struct bench_load load = { .producers = 1, .per_call = 4, .run_ns = scale->run_ns };

	return bench_measure__rounds(&scale->bench, workload, rigs, &load, scale->rounds,
				     add_cost_rows);
}

int scale_load__sizes(struct scale *scale)
{
	struct bench_rigs rigs;
	char workload[32];
	int err = 0;

	for (uint32_t bytes = 16; !err && bytes <= 1024; bytes *= 4) {
		snprintf(workload, sizeof(workload), "%u bytes", bytes);
		err = open_few(scale, &rigs, bytes, true);
		if (err)
			break;
		err = measure_cost(scale, workload, &rigs);
		bench_measure__close_rigs(&rigs);
	}
	return err;
}

static int add_programs(struct bench_rigs *rigs, uint32_t count)
{
	int err = 0;

	for (size_t i = 0; i < rigs->count; i++)
		while (!err && rigs->all[i].program_count < count)
			err = bench_rig__add_program(&rigs->all[i]);
	return err;
}

int scale_load__programs(struct scale *scale)
{
	static struct bench_rigs rigs;
	char workload[32];
	int err = open_few(scale, &rigs, 16, true);

	if (err)
		return err;
	for (uint32_t count = 1; !err && count <= BENCH_PROGRAMS_MAX; count *= 4) {
		snprintf(workload, sizeof(workload), "%u program%s", count, count > 1 ? "s" : "");
		err = add_programs(&rigs, count);
		if (!err)
			err = measure_cost(scale, workload, &rigs);
	}
	bench_measure__close_rigs(&rigs);
	return err;
}

/* ---- rates ----------------------------------------------------------------------------------- */

static void add_rate_rows(struct bench *bench, const struct bench_place *place,
			  const struct bench_rigs *rigs, size_t i)
{
	const struct bench_result *result = &rigs->results[i];

	bench_table__add(&bench->table, place, "emitted", "k/s",
			 (double)result->emitted / result->emit_ns * 1e6);
	bench_table__add(&bench->table, place, "lost", "%",
			 lost_percent(result->emitted, result->delivered));
	bench_table__add(&bench->table, place, "reader CPU", "%",
			 100 * result->reader_ns / result->elapsed_ns);
}

int scale_load__rates(struct scale *scale)
{
	static const double rates[] = { 1e4, 1e5, 1e6, 3e6 };
	static struct bench_rigs rigs;
	char workload[32];
	int err = open_few(scale, &rigs, 64, false);

	if (err)
		return err;
	for (size_t i = 0; !err && i < sizeof(rates) / sizeof(*rates); i++) {
		const struct bench_load load = { .producers = 1,
						 .per_call = 1,
						 .rate = rates[i],
						 .run_ns = 10 * scale->run_ns };

		snprintf(workload, sizeof(workload), "%.0f k/s", rates[i] / 1e3);
		err = bench_measure__rounds(&scale->bench, workload, &rigs, &load,
					    scale->rounds / 2, add_rate_rows);
	}
	bench_measure__close_rigs(&rigs);
	return err;
}

/* ---- CPUs ------------------------------------------------------------------------------------ */

/* The ledger's counts at the end of each rig's previous round. */
static struct counted {
	uint64_t ledger_emitted, ledger_delivered;
} counted[BENCH_TRANSPORTS_MAX + 1];

static double distance(uint64_t one, uint64_t other)
{
	return one > other ? (double)(one - other) : (double)(other - one);
}

/*
 * Events on which programs, ledger and reader disagree, plus events that are still under way after
 * the rings were drained.  The first round is skipped, since its counts include the warm-up.
 */
static void add_ledger_rows(struct bench *bench, const struct bench_place *place,
			    const struct bench_rigs *rigs, size_t i)
{
	const struct bench_result *result = &rigs->results[i];
	struct peat_ledger ledger = { .sz = sizeof(ledger) };
	struct counted before = counted[i];
	double unbalanced;

	if (!rigs->all[i].reader ||
	    peat_reader__ledger(rigs->all[i].reader, PEAT_ALL_CPUS, &ledger))
		return;
	counted[i] = (struct counted){ ledger.emitted, ledger.delivered };
	if (!before.ledger_emitted)
		return;
	unbalanced = distance(ledger.emitted - before.ledger_emitted, result->emitted) +
		     distance(ledger.delivered - before.ledger_delivered, result->delivered) +
		     distance(ledger.frames_ring_full, ledger.frames_lost) + (double)ledger.staged +
		     (double)ledger.in_ring + (double)ledger.corrupt;
	bench_table__add(&bench->table, place, "unbalanced", "events", unbalanced);
}

static void add_cpus_rows(struct bench *bench, const struct bench_place *place,
			  const struct bench_rigs *rigs, size_t i)
{
	const struct bench_result *result = &rigs->results[i];

	bench_table__add(&bench->table, place, "share", "ns/event", result->event_ns);
	bench_table__add(&bench->table, place, "delivered", "M/s",
			 (double)result->delivered / result->elapsed_ns * 1e3);
	bench_table__add(&bench->table, place, "lost", "%",
			 lost_percent(result->emitted, result->delivered));
	add_ledger_rows(bench, place, rigs, i);
}

static int measure_cpus(struct scale *scale, struct bench_rigs *rigs, uint32_t count)
{
	const struct bench_load load = { .producers = count,
					 .per_call = BENCH_PER_CALL_MAX,
					 .run_ns = 3 * scale->run_ns };
	char workload[32];

	snprintf(workload, sizeof(workload), "%u CPU%s", count, count > 1 ? "s" : "");
	memset(counted, 0, sizeof(counted));
	return bench_measure__rounds(&scale->bench, workload, rigs, &load, scale->rounds,
				     add_cpus_rows);
}

/* 1 CPU, 4 CPUs, and all but the reader's; up to 4 CPUs: all. */
int scale_load__cpus(struct scale *scale)
{
	uint32_t cpus = scale->bench.cpus.count;
	uint32_t counts[] = { 1, 4, cpus > 4 ? cpus - 1 : cpus };
	static struct bench_rigs rigs;
	int err = open_few(scale, &rigs, 16, false);

	if (err)
		return err;
	for (size_t i = 0; !err && i < sizeof(counts) / sizeof(*counts); i++)
		if (counts[i] <= counts[2] && (i == 2 || counts[i] < counts[2]))
			err = measure_cpus(scale, &rigs, counts[i]);
	bench_measure__close_rigs(&rigs);
	return err;
}

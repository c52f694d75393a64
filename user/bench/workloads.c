// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* workloads.c: the loads that each transport gets, and the numbers that are reported for them. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench.h"
#include "cli/base/messages.h"

#define MS 1000000ULL

/* Length of a run and number of rounds.  --quick only checks that everything works. */
uint64_t bench_workloads__run_ns(const struct bench *bench, uint64_t ms)
{
	return bench->quick ? 4 * MS : ms * MS;
}

uint32_t bench_workloads__rounds(const struct bench *bench, uint32_t count)
{
	return bench->quick ? 2 : count;
}

static const struct bench_events small = { .bytes = 16 };

/* ---- numbers --------------------------------------------------------------------------------- */

double bench_workloads__lost_percent(const struct bench_result *result)
{
	if (!result->emitted || result->delivered >= result->emitted)
		return 0;
	return 100.0 * (double)(result->emitted - result->delivered) / (double)result->emitted;
}

static void add_delivered_rows(struct bench *bench, const struct bench_place *place,
			       const struct bench_rigs *rigs, size_t i)
{
	const struct bench_result *result = &rigs->results[i];

	bench_table__add(&bench->table, place, "delivered", "M/s",
			 (double)result->delivered / result->elapsed_ns * 1e3);
	bench_table__add(&bench->table, place, "lost", "%", bench_workloads__lost_percent(result));
	bench_table__add(&bench->table, place, "reader", "ns/event",
			 result->reader_ns / (double)result->delivered);
	bench_table__add(&bench->table, place, "reader CPU", "%",
			 100 * result->reader_ns / result->elapsed_ns);
}

/* ---- the best settings of the peers ---------------------------------------------------------- */

/* The setting that delivers most. */
static void choose_best(struct bench *bench, enum bench_way way,
			const struct bench_transports *candidates)
{
	const struct bench_table *table = &bench->table;
	double most = -1;

	for (size_t i = table->shown; i < table->count; i++) {
		const struct bench_row *row = &table->rows[i];
		double median = bench_table__spread(row->rounds, row->count).median;

		if (strcmp(row->transport, bench_rig__way_name(way)) != 0 ||
		    strcmp(row->metric, "delivered") != 0 || median <= most)
			continue;
		most = median;
		for (size_t j = 0; j < candidates->count; j++)
			if (!strcmp(candidates->all[j].setting, row->setting))
				bench->best[way] = candidates->all[j];
	}
}

static int sweep_one(struct bench *bench, enum bench_way way)
{
	const struct bench_load load = { .producers = 1,
					 .per_call = BENCH_PER_CALL_MAX,
					 .run_ns = bench_workloads__run_ns(bench, 50) };
	struct bench_transports candidates;
	struct bench_rigs rigs;
	char workload[32];
	int err;

	bench_transports__candidates(&candidates, way, &bench->sizes);
	err = bench_measure__open_rigs(&rigs, candidates.all, candidates.count, &small);
	if (err)
		return err;
	snprintf(workload, sizeof(workload), "sweep %s", bench_rig__way_name(way));
	err = bench_measure__rounds(bench, workload, &rigs, &load,
				    bench_workloads__rounds(bench, 5), add_delivered_rows);
	bench_measure__close_rigs(&rigs);
	if (!err)
		choose_best(bench, way, &candidates);
	return err;
}

void bench_workloads__choose_transports(struct bench *bench)
{
	bench_transports__all(&bench->transports, &bench->sizes, bench->best);
	bench_transports__keep(&bench->transports, bench->only);
}

static bool has_any(const struct bench *bench, enum bench_way way)
{
	for (size_t i = 0; i < bench->transports.count; i++)
		if (bench->transports.all[i].way == way)
			return true;
	return false;
}

static int sweep(struct bench *bench)
{
	static const enum bench_way peers[] = { BENCH_PERF_BUFFER, BENCH_RING_BUFFER,
						BENCH_STAGE_RINGBUF };
	int err = 0;

	for (size_t i = 0; !err && i < sizeof(peers) / sizeof(*peers); i++)
		if (has_any(bench, peers[i]))
			err = sweep_one(bench, peers[i]);
	bench_workloads__choose_transports(bench);
	return err;
}

/* ---- cost for the traced program ------------------------------------------------------------- */

/* The first rig is the same program without output, the second one only reads the clock. */
static void add_cost_rows(struct bench *bench, const struct bench_place *place,
			  const struct bench_rigs *rigs, size_t i)
{
	const struct bench_result *result = &rigs->results[i];

	if (!i) {
		bench_table__add(&bench->table, place, "share of a call", "ns/event",
				 result->event_ns);
		return;
	}
	bench_table__add(&bench->table, place, i < BENCH_WITHOUT ? "a clock read" : "added",
			 "ns/event", result->event_ns - rigs->results[0].event_ns);
	if (i >= BENCH_WITHOUT)
		bench_table__add(&bench->table, place, "lost", "%",
				 bench_workloads__lost_percent(result));
}

static int cost(struct bench *bench)
{
	struct bench_transport all[BENCH_RIGS_MAX] = {
		{ .way = BENCH_NONE, .setting = "no output" },
		{ .way = BENCH_CLOCK, .setting = "a clock read, no output" },
	};
	const struct bench_load load = { .producers = 1,
					 .per_call = 4,
					 .run_ns = bench_workloads__run_ns(bench, 20) };
	struct bench_rigs rigs;
	int err;

	memcpy(all + BENCH_WITHOUT, bench->transports.all, bench->transports.count * sizeof(*all));
	err = bench_measure__open_rigs(&rigs, all, bench->transports.count + BENCH_WITHOUT, &small);
	if (err)
		return err;
	err = bench_measure__rounds(bench, "cost", &rigs, &load, bench_workloads__rounds(bench, 21),
				    add_cost_rows);
	bench_measure__close_rigs(&rigs);
	return err;
}

/* ---- saturated load -------------------------------------------------------------------------- */

static int saturate(struct bench *bench, struct bench_rigs *rigs, const char *workload,
		    uint32_t producers, uint32_t count)
{
	const struct bench_load load = { .producers = producers,
					 .per_call = BENCH_PER_CALL_MAX,
					 .run_ns = bench_workloads__run_ns(bench, 60) };

	return bench_measure__rounds(bench, workload, rigs, &load, count, add_delivered_rows);
}

static int saturated(struct bench *bench)
{
	struct bench_rigs rigs;
	int err = bench_measure__open_rigs(&rigs, bench->transports.all, bench->transports.count,
					   &small);

	if (err)
		return err;
	err = saturate(bench, &rigs, "saturated", 1, bench_workloads__rounds(bench, 11));
	bench_measure__close_rigs(&rigs);
	return err;
}

static int producers(struct bench *bench)
{
	struct bench_rigs rigs;
	char workload[32];
	int err = bench_measure__open_rigs(&rigs, bench->transports.all, bench->transports.count,
					   &small);

	if (err)
		return err;
	for (uint32_t count = 1; !err && count <= bench->cpus.count;) {
		snprintf(workload, sizeof(workload), "producers %u", count);
		err = saturate(bench, &rigs, workload, count, bench_workloads__rounds(bench, 5));
		/* The last step has all CPUs, even if their number is no power of two. */
		if (count < bench->cpus.count && count * 2 > bench->cpus.count)
			count = bench->cpus.count;
		else
			count *= 2;
	}
	bench_measure__close_rigs(&rigs);
	return err;
}

/* ---- fixed rates ----------------------------------------------------------------------------- */

static void add_rate_rows(struct bench *bench, const struct bench_place *place,
			  const struct bench_rigs *rigs, size_t i)
{
	const struct bench_result *result = &rigs->results[i];

	bench_table__add(&bench->table, place, "emitted", "M/s",
			 (double)result->emitted / result->emit_ns * 1e3);
	bench_table__add(&bench->table, place, "lost", "%", bench_workloads__lost_percent(result));
	bench_table__add(&bench->table, place, "reader CPU", "%",
			 100 * result->reader_ns / result->elapsed_ns);
}

static int rates_of(struct bench *bench, uint32_t bytes)
{
	static const struct {
		const char *name;
		double rate;
	} rates[] = { { "100 k/s", 1e5 }, { "1 M/s", 1e6 }, { "5 M/s", 5e6 } };
	const struct bench_events events = { .bytes = bytes };
	struct bench_rigs rigs;
	char workload[32];
	int err = bench_measure__open_rigs(&rigs, bench->transports.all, bench->transports.count,
					   &events);

	if (err)
		return err;
	for (size_t i = 0; !err && i < sizeof(rates) / sizeof(*rates); i++) {
		const struct bench_load load = { .producers = 1,
						 .per_call = 1,
						 .rate = rates[i].rate,
						 .run_ns = bench_workloads__run_ns(bench, 50) };

		snprintf(workload, sizeof(workload), "%s of %u B", rates[i].name, bytes);
		err = bench_measure__rounds(bench, workload, &rigs, &load,
					    bench_workloads__rounds(bench, 5), add_rate_rows);
	}
	bench_measure__close_rigs(&rigs);
	return err;
}

static int fixed_rates(struct bench *bench)
{
	int err = 0;

	for (uint32_t bytes = 16; !err && bytes <= 1024; bytes *= 4)
		err = rates_of(bench, bytes);
	return err;
}

/* ---- latency --------------------------------------------------------------------------------- */

#define LATENCIES_MAX 16384
#define LATENCY_RATE  10000

static int compare_latencies(const void *one, const void *other)
{
	uint64_t a = *(const uint64_t *)one, b = *(const uint64_t *)other;

	return (a > b) - (a < b);
}

static void add_latency_rows(struct bench *bench, const struct bench_place *place,
			     const struct bench_rigs *rigs, size_t i)
{
	const struct bench_rig *rig = &rigs->all[i];
	size_t count = rig->latency_count;

	if (!count)
		return;
	qsort(rig->latencies, count, sizeof(*rig->latencies), compare_latencies);
	bench_table__add(&bench->table, place, "p50", "us",
			 (double)rig->latencies[count / 2] / 1e3);
	bench_table__add(&bench->table, place, "p99", "us",
			 (double)rig->latencies[count * 99 / 100] / 1e3);
	bench_table__add(&bench->table, place, "max", "us",
			 (double)rig->latencies[count - 1] / 1e3);
}

static int keep_latencies(struct bench_rigs *rigs)
{
	for (size_t i = 0; i < rigs->count; i++) {
		struct bench_rig *rig = &rigs->all[i];

		rig->latencies = calloc(LATENCIES_MAX, sizeof(*rig->latencies));
		if (!rig->latencies) {
			messages__print("cannot measure latency: no memory for %u values",
					LATENCIES_MAX);
			return -ENOMEM;
		}
		rig->latency_max = LATENCIES_MAX;
	}
	return 0;
}

static int latency_of(struct bench *bench, uint32_t latency_ms)
{
	const struct bench_events events = { .bytes = 16, .stamped = true };
	/* Runs for several times the latency, then lingers until the last event is due. */
	const struct bench_load load = { .producers = 1,
					 .per_call = 1,
					 .rate = LATENCY_RATE,
					 .run_ns = bench_workloads__run_ns(
						 bench, latency_ms > 10 ? 400 : 150),
					 .linger_ns = (latency_ms + 20) * MS };
	struct bench_transports transports;
	struct bench_rigs rigs;
	char workload[32];
	int err;

	bench_transports__for_latency(&transports, &bench->sizes, bench->best, latency_ms);
	bench_transports__keep(&transports, bench->only);
	if (!transports.count)
		return 0;
	err = bench_measure__open_rigs(&rigs, transports.all, transports.count, &events);
	if (err)
		return err;
	snprintf(workload, sizeof(workload), "latency %u ms", latency_ms);
	err = keep_latencies(&rigs);
	if (!err)
		err = bench_measure__rounds(bench, workload, &rigs, &load,
					    bench_workloads__rounds(bench, 5), add_latency_rows);
	bench_measure__close_rigs(&rigs);
	return err;
}

static int latencies(struct bench *bench)
{
	static const uint32_t targets_ms[] = { 0, 1, 10, 100 };
	int err = 0;

	for (size_t i = 0; !err && i < sizeof(targets_ms) / sizeof(*targets_ms); i++)
		err = latency_of(bench, targets_ms[i]);
	return err;
}

/* ---- idle ------------------------------------------------------------------------------------ */

static void add_idle_rows(struct bench *bench, const struct bench_place *place,
			  const struct bench_rigs *rigs, size_t i)
{
	const struct bench_result *result = &rigs->results[i];

	bench_table__add(&bench->table, place, "reader CPU", "us/s",
			 result->reader_ns / result->elapsed_ns * 1e6);
}

static int idle(struct bench *bench)
{
	const struct bench_load load = { .per_call = 1,
					 .run_ns = bench_workloads__run_ns(bench, 1000) };
	struct bench_rigs rigs;
	int err = bench_measure__open_rigs(&rigs, bench->transports.all, bench->transports.count,
					   &small);

	if (err)
		return err;
	err = bench_measure__rounds(bench, "idle", &rigs, &load, bench_workloads__rounds(bench, 3),
				    add_idle_rows);
	bench_measure__close_rigs(&rigs);
	return err;
}

/* ---- memory ---------------------------------------------------------------------------------- */

static int add_memory_rows(struct bench *bench, const struct bench_transport *transport)
{
	struct bench_place place = { "memory", bench_rig__way_name(transport->way),
				     transport->setting };
	struct bench_memory memory;
	int err = bench_measure__memory(bench, transport, &memory);

	if (err)
		return err;
	bench_table__add(&bench->table, &place, "rings", "KiB", (double)memory.rings / 1024);
	bench_table__add(&bench->table, &place, "stage", "KiB", (double)memory.stage / 1024);
	bench_table__add(&bench->table, &place, "process", "KiB", (double)memory.process / 1024);
	return 0;
}

static int memory(struct bench *bench)
{
	int err = 0;

	for (uint32_t round = 0; round < bench_workloads__rounds(bench, 3); round++)
		for (size_t i = 0; !err && i < bench->transports.count; i++)
			err = add_memory_rows(bench, &bench->transports.all[i]);
	return err;
}

const struct bench_workload *bench_workloads__at(size_t i)
{
	static const struct bench_workload workloads[] = {
		{ "settings", sweep,
		  "Settings of the peers: the best one delivers most of a saturated load of "
		  "16-byte "
		  "events." },
		{ "cost", cost,
		  "Cost: time that an event of 16 bytes adds to the traced program, at 4 events "
		  "per "
		  "system call." },
		{ "saturated", saturated,
		  "Saturated: one producer that only emits 16-byte events, 100 per system call." },
		{ "rates", fixed_rates,
		  "Fixed rates: events per second of each size, as far as one producer can emit "
		  "them." },
		{ "latency", latencies,
		  "Latency: from the program to the reader, at 10 k/s of 16-byte events, for each "
		  "latency target." },
		{ "producers", producers,
		  "Producers: the saturated load from several CPUs; with all CPUs, one is shared "
		  "with the reader." },
		{ "idle", idle, "Idle: attached, without events." },
		{ "memory", memory,
		  "Memory: kernel memory of rings and stage, and memory allocated by the "
		  "process." },
		{ "select", bench_select__measure,
		  "Select: time that an event of 64 bytes, with time and ids, adds to the traced "
		  "program, if the program tests or counts it; the reader's CPU." },
	};

	return i < sizeof(workloads) / sizeof(*workloads) ? &workloads[i] : NULL;
}

// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * select.c: the workload select: events that programs test by an expression or count in a table,
 * beside events that are transported, and beside programs written by hand.
 */
#include <stdio.h>
#include <string.h>

#include <peat/peat.h>

#include "bench.h"

#define BATCH_BYTES 4096
#define LATENCY_MS  100

#define ALL_FIELDS "number,delay,group,name,first,second,third"
#define NUMBERS	   (PEAT_TABLE_SUM | PEAT_TABLE_MIN | PEAT_TABLE_MAX)

static const struct bench_transport without = { .way = BENCH_LOAD, .setting = "no event" };

/* bench_event has the values of the fields.  Ratios are to the first one. */
static const struct bench_transport selections[] = {
	{ .way = BENCH_SELECT, .setting = "transported" },
	{ .way = BENCH_SELECT, .setting = "1 comparison, false", .where = "delay > 5000" },
	{ .way = BENCH_SELECT,
	  .setting = "4 comparisons, the last false",
	  .where = "delay < 5000 && port == 443 && flag == 1 && group > 100000" },
	{ .way = BENCH_SELECT,
	  .setting = "text of 16 bytes, false at its end",
	  .where = "name == linux-unix-iniy" },
	{ .way = BENCH_SELECT, .setting = "1 comparison, true", .where = "delay < 5000" },
	{ .way = BENCH_SELECT,
	  .setting = "4 comparisons, true",
	  .where = "delay < 5000 && port == 443 && flag == 1 && group < 100000" },
	{ .way = BENCH_SELECT,
	  .setting = "count by number",
	  .by = "group",
	  .values = PEAT_TABLE_COUNT },
	{ .way = BENCH_SELECT,
	  .setting = "count by comm",
	  .by = "comm",
	  .values = PEAT_TABLE_COUNT },
	{ .way = BENCH_SELECT,
	  .setting = "sum, min, max by number",
	  .by = "group",
	  .field = "delay",
	  .values = NUMBERS },
	{ .way = BENCH_SELECT,
	  .setting = "histogram",
	  .field = "delay",
	  .values = PEAT_TABLE_LOG2 },
	{ .way = BENCH_SELECT,
	  .setting = "histogram by number",
	  .by = "group",
	  .field = "delay",
	  .values = PEAT_TABLE_LOG2 },
	{ .way = BENCH_SELECT,
	  .setting = "4 true, count by number",
	  .where = "delay < 5000 && port == 443 && flag == 1 && group < 100000",
	  .by = "group",
	  .values = PEAT_TABLE_COUNT },
	{ .way = BENCH_SELECT,
	  .setting = "count by 64 bytes, all new",
	  .by = ALL_FIELDS,
	  .values = PEAT_TABLE_COUNT },
	{ .way = BENCH_DISCARD, .setting = "1 comparison, peat_discard()" },
	{ .way = BENCH_HAND_TEST, .setting = "1 comparison of an unsent event" },
	{ .way = BENCH_HAND_COUNT, .setting = "count by number, per-CPU hash" },
	{ .way = BENCH_HAND_COMM, .setting = "count by comm, per-CPU hash" },
	{ .way = BENCH_HAND_LOG2, .setting = "histogram, per-CPU array" },
};

#define SELECTIONS (sizeof(selections) / sizeof(*selections))

static void choose(struct bench_transports *transports, size_t ring_bytes, const char *part)
{
	transports->count = 0;
	for (size_t i = 0; i < SELECTIONS; i++) {
		struct bench_transport *transport = &transports->all[transports->count++];

		*transport = selections[i];
		transport->batch_bytes = BATCH_BYTES;
		transport->latency_ms = LATENCY_MS;
		transport->ring_bytes = ring_bytes;
	}
	bench_transports__keep(transports, part);
}

bool bench_select__has(const char *part)
{
	struct bench_transports transports;

	choose(&transports, 0, part);
	return transports.count;
}

/* ---- cost for the traced program ------------------------------------------------------------- */

/* The first rig has no event. */
static void add_cost_rows(struct bench *bench, const struct bench_place *place,
			  const struct bench_rigs *rigs, size_t i)
{
	const struct bench_result *result = &rigs->results[i];

	if (!i) {
		bench_table__add(&bench->table, place, "share of a call", "ns/event",
				 result->event_ns);
		return;
	}
	bench_table__add(&bench->table, place, "added", "ns/event",
			 result->event_ns - rigs->results[0].event_ns);
	if (bench_rig__has_reader(&rigs->all[i]))
		bench_table__add(&bench->table, place, "lost", "%",
				 bench_workloads__lost_percent(result));
}

static int measure_cost(struct bench *bench)
{
	const struct bench_events events = { .bytes = 64 };
	const struct bench_load load = { .producers = 1,
					 .per_call = 20,
					 .run_ns = bench_workloads__run_ns(bench, 20) };
	struct bench_transport all[BENCH_TRANSPORTS_MAX + 1] = { without };
	struct bench_transports chosen;
	struct bench_rigs rigs;
	int err;

	choose(&chosen, bench->sizes.cpu_bytes, bench->only);
	if (!chosen.count)
		return 0;
	memcpy(all + 1, chosen.all, chosen.count * sizeof(*all));
	err = bench_measure__open_rigs(&rigs, all, chosen.count + 1, &events);
	if (err)
		return err;
	err = bench_measure__rounds(bench, "select", &rigs, &load,
				    bench_workloads__rounds(bench, 21), add_cost_rows);
	bench_measure__close_rigs(&rigs);
	return err;
}

/* ---- the reader's CPU ------------------------------------------------------------------------ */

static void add_reader_rows(struct bench *bench, const struct bench_place *place,
			    const struct bench_rigs *rigs, size_t i)
{
	const struct bench_result *result = &rigs->results[i];

	bench_table__add(&bench->table, place, "reader CPU", "%",
			 100 * result->reader_ns / result->elapsed_ns);
	bench_table__add(&bench->table, place, "lost", "%", bench_workloads__lost_percent(result));
}

/* Some of those whose events are rejected, or counted in a table. */
static bool is_steady(const struct bench_transport *transport)
{
	static const char *const settings[] = { "transported", "1 comparison, false",
						"count by number", "histogram by number" };

	for (size_t i = 0; i < sizeof(settings) / sizeof(*settings); i++)
		if (transport->way == BENCH_SELECT && !strcmp(transport->setting, settings[i]))
			return true;
	return false;
}

/* The table is read once a second, as `peat top` does it. */
static int measure_reader(struct bench *bench)
{
	const struct bench_events events = { .bytes = 64 };
	const struct bench_load load = { .producers = 1,
					 .per_call = 1,
					 .rate = 1e6,
					 .run_ns = bench_workloads__run_ns(bench, 1000) };
	struct bench_transports chosen, ending = { .count = 0 };
	struct bench_rigs rigs;
	int err;

	choose(&chosen, bench->sizes.cpu_bytes, bench->only);
	for (size_t i = 0; i < chosen.count; i++)
		if (is_steady(&chosen.all[i]))
			ending.all[ending.count++] = chosen.all[i];
	err = bench_measure__open_rigs(&rigs, ending.all, ending.count, &events);
	if (err)
		return err;
	err = bench_measure__rounds(bench, "select 1 M/s", &rigs, &load,
				    bench_workloads__rounds(bench, 5), add_reader_rows);
	bench_measure__close_rigs(&rigs);
	return err;
}

int bench_select__measure(struct bench *bench)
{
	int err = measure_cost(bench);

	return err ? err : measure_reader(bench);
}
